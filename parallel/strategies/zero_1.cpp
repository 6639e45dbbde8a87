// zero-1: data parallelism in which the optimizer state is divided between the devices
// (Rajbhandari et al., SC 2020).
#include "zero_step.h"

namespace sextant {

StrategyInfo strategy_zero_1() {
  return zero_info(1, [](const StrategyQuery& query, const StrategyValues& values) {
    return zero_cost(1, query, values);
  });
}

}  // namespace sextant
