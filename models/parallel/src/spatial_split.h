// Spatial parallelism: every device has a tile of every map, and exchanges the rows and columns that
// windows reach over the border (Dryden et al., IPDPS 2019; Kahira et al., HPDC 2021). Layers without a map
// are computed by every device of the group.
#pragma once

#include <optional>

#include "sharded.h"

namespace sextant::parallel {

ParallelResult spatial_cost(const ParallelQuery& query, const ShardRequest& request);

}  // namespace sextant::parallel
