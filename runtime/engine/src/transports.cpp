#include "sextant/engine/transports.h"

namespace sextant::engine {

std::unique_ptr<measure::Transport> join(const TransportSetup& setup) {
  return measure::transports().get(setup.trial.transport).mpi ? join_mpi(setup) : join_gloo(setup);
}

}  // namespace sextant::engine
