// Filter parallelism: every device computes some output channels of every layer; outputs are gathered
// forward, input gradients summed backward. Channel parallelism: some input channels; outputs are summed
// forward, input gradients gathered backward (Dryden et al., SC 2019; Kahira et al., HPDC 2021).
#pragma once

#include <optional>

#include "sharded.h"

namespace sextant::parallel {

// Fills the shares of `step` for groups of its layout, or says which layer is too narrow.
std::optional<Infeasible> split_filters(const ParallelQuery& query, const char* strategy, ShardedStep& step);
// The first layer, with the few channels of the input, is computed by every device.
std::optional<Infeasible> split_channels(const ParallelQuery& query, const char* strategy, ShardedStep& step);

// The cost with groups of a given size.
ParallelResult filter_cost(const ParallelQuery& query, const ShardRequest& request);

}  // namespace sextant::parallel
