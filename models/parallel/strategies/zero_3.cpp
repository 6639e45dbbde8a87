// zero-3: data parallelism in which optimizer state, gradients and weights are divided between the devices
// (Rajbhandari et al., SC 2020).
#include "zero_step.h"

namespace sextant::parallel::parallel_strategy_zero_3 {

std::vector<ParallelStrategyInfo> plugin() {
  return {zero_info(3, [](const ParallelQuery& query, const Parameters& parameters) {
    return zero_cost(3, query, parameters);
  })};
}

}  // namespace sextant::parallel::parallel_strategy_zero_3
