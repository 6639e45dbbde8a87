// The transports of a worker process, by the ids of measure/transport.h.
#pragma once

#include <memory>

#include "sextant/measure/run_folder.h"
#include "sextant/measure/transport.h"
#include "sextant/measure/trial.h"

namespace sextant::engine {

struct TransportSetup {
  const measure::Trial& trial;
  measure::RunFolder folder;
  std::int64_t rank = 0;
};

std::unique_ptr<measure::Transport> join_gloo(const TransportSetup& setup);
std::unique_ptr<measure::Transport> join_mpi(const TransportSetup& setup);
// The one that the trial names.
std::unique_ptr<measure::Transport> join(const TransportSetup& setup);

}  // namespace sextant::engine
