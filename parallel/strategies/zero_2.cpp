// zero-2: data parallelism in which optimizer state and gradients are divided between the devices
// (Rajbhandari et al., SC 2020).
#include "zero_step.h"

namespace sextant {

StrategyInfo strategy_zero_2() {
  return zero_info(2, [](const StrategyQuery& query, const StrategyValues& values) {
    return zero_cost(2, query, values);
  });
}

}  // namespace sextant
