#include "sextant/engine/transports.h"

namespace sextant {

std::unique_ptr<Transport> join(const TransportSetup& setup) {
  return transports().get(setup.trial.transport).mpi ? join_mpi(setup) : join_gloo(setup);
}

}  // namespace sextant
