// zero-3: data parallelism in which optimizer state, gradients and weights are divided between the devices
// (Rajbhandari et al., SC 2020).
#include "zero_step.h"

namespace sextant {

StrategyInfo strategy_zero_3() {
  return zero_info(3, [](const StrategyQuery& query, const StrategyValues& values) {
    return zero_cost(3, query, values);
  });
}

}  // namespace sextant
