// A step with ZeRO: see zero.h. Stages 1 and 2 sum gradients by reduce-scatter during the backward pass and
// gather weights after the update. Stage 3 gathers the weights of the next bucket of layers while one is
// computed, forward and backward.
#pragma once

#include "sextant/parallel/strategy.h"

namespace sextant::parallel {

StrategyInfo zero_info(int stage, StrategyResult (*cost)(const StrategyQuery&, const Parameters&));
StrategyResult zero_cost(int stage, const StrategyQuery& query, const Parameters& parameters);

}  // namespace sextant::parallel
