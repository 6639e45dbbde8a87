// zero-1: data parallelism in which the optimizer state is divided between the devices
// (Rajbhandari et al., SC 2020).
#include "zero_step.h"

namespace sextant::parallel::parallel_strategy_zero_1 {

std::vector<ParallelStrategyInfo> plugin() {
  return {zero_info(1, [](const ParallelQuery& query, const Parameters& parameters) {
    return zero_cost(1, query, parameters);
  })};
}

}  // namespace sextant::parallel::parallel_strategy_zero_1
