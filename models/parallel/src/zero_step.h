// A step with ZeRO: see zero.h. Stages 1 and 2 sum gradients by reduce-scatter during the backward pass and
// gather weights after the update. Stage 3 gathers the weights of the next bucket of layers while one is
// computed, forward and backward.
#pragma once

#include "sextant/parallel/parallel_strategy.h"

namespace sextant::parallel {

ParallelStrategyInfo zero_info(int stage, ParallelResult (*cost)(const ParallelQuery&, const Parameters&));
ParallelResult zero_cost(int stage, const ParallelQuery& query, const Parameters& parameters);

}  // namespace sextant::parallel
