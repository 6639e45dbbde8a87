// spatial: every device has a tile of every map, for the whole batch (Kahira et al., HPDC 2021).
#include "spatial_split.h"

namespace sextant {
namespace {

enum Parameter { bucket, overlap };

StrategyResult cost(const StrategyQuery& query, const StrategyValues& values) {
  return spatial_cost(query, {"spatial", query.placement.total(), StrategyLayout::Split::spatial,
                              Bytes{values[bucket]}, values[overlap] != 0});
}

}  // namespace

StrategyInfo strategy_spatial() {
  StrategyInfo info;
  info.id = "spatial";
  info.summary = "every device has a tile of every map and exchanges its borders";
  info.reference = "docs/models/strategies.md";
  info.aliases = {"spatial-parallel"};
  info.parameters = {bucket_parameter(), overlap_parameter()};
  info.cost = cost;
  return info;
}

}  // namespace sextant
