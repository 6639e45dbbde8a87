// spatial: every device has a tile of every map, for the whole batch (Kahira et al., HPDC 2021).
#include "spatial_split.h"

namespace sextant::parallel::parallel_strategy_spatial {
namespace {

ParallelResult cost(const ParallelQuery& query, const Parameters& parameters) {
  return spatial_cost(query, {"spatial", query.placement.total(), ParallelDegrees::Split::spatial,
                              parameters.bytes("bucket"), parameters.flag("overlap")});
}

}  // namespace

std::vector<ParallelStrategyInfo> plugin() {
  ParallelStrategyInfo info;
  info.id = "spatial";
  info.summary = "every device has a tile of every map and exchanges its borders";
  info.reference = "docs/models/strategies.md";
  info.aliases = {"spatial-parallel"};
  info.parameters = {bucket_parameter(), overlap_parameter()};
  info.cost = cost;
  return {info};
}

}  // namespace sextant::parallel::parallel_strategy_spatial
