// zero-2: data parallelism in which optimizer state and gradients are divided between the devices
// (Rajbhandari et al., SC 2020).
#include "zero_step.h"

namespace sextant::parallel::parallel_strategy_zero_2 {

std::vector<ParallelStrategyInfo> plugin() {
  return {zero_info(2, [](const ParallelQuery& query, const Parameters& parameters) {
    return zero_cost(2, query, parameters);
  })};
}

}  // namespace sextant::parallel::parallel_strategy_zero_2
