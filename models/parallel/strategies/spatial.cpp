// spatial: every device has a tile of every map, for the whole batch (Kahira et al., HPDC 2021).
#include "spatial_split.h"

namespace sextant::parallel::strategy_spatial {
namespace {

StrategyResult cost(const StrategyQuery& query, const Parameters& parameters) {
  return spatial_cost(query, {"spatial", query.placement.total(), StrategyLayout::Split::spatial,
                              parameters.bytes("bucket"), parameters.flag("overlap")});
}

}  // namespace

std::vector<StrategyInfo> plugin() {
  StrategyInfo info;
  info.id = "spatial";
  info.summary = "every device has a tile of every map and exchanges its borders";
  info.reference = "docs/models/strategies.md";
  info.aliases = {"spatial-parallel"};
  info.parameters = {bucket_parameter(), overlap_parameter()};
  info.cost = cost;
  return {info};
}

}  // namespace sextant::parallel::strategy_spatial
