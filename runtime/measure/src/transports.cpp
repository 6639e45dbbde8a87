#include "sextant/measure/transport.h"

namespace sextant::measure {

const Registry<TransportInfo>& transports() {
  static const Registry<TransportInfo> table(
      "transport",
      {{{.id = "gloo-tcp",
         .summary = "Gloo's collectives over TCP connections of the loopback or the network",
         .reference = "https://github.com/facebookincubator/gloo"},
        {"gloo", "tcp"},
        false},
       {{.id = "none",
         .summary = "nobody talks: all replicas live in one process",
         .reference = "strategies single and mirrored"},
        {},
        false},
       {{.id = "mpi-shm",
         .summary = "Open MPI through shared memory of one machine",
         .reference = "Open MPI 4.1, BTL vader"},
        {"mpi"},
        true},
       {{.id = "mpi-tcp", .summary = "Open MPI over TCP connections", .reference = "Open MPI 4.1, BTL tcp"},
        {},
        true}});
  return table;
}

}  // namespace sextant::measure
