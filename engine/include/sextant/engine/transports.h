// The transports of a worker process, by the ids of measure/transport.h.
#pragma once

#include <memory>

#include "sextant/measure/run_folder.h"
#include "sextant/measure/transport.h"
#include "sextant/measure/trial.h"

namespace sextant {

struct TransportSetup {
  const Trial& trial;
  RunFolder folder;
  std::int64_t rank = 0;
};

std::unique_ptr<Transport> join_gloo(const TransportSetup& setup);
std::unique_ptr<Transport> join_mpi(const TransportSetup& setup);
// The one that the trial names.
std::unique_ptr<Transport> join(const TransportSetup& setup);

}  // namespace sextant
