// data-spatial: groups of devices, usually the nodes, divide the maps; the groups divide the batch
// (Kahira et al., HPDC 2021).
#include "groups.h"
#include "spatial_split.h"

namespace sextant {
namespace {

enum Parameter { group, bucket, overlap };

StrategyResult cost(const StrategyQuery& query, const StrategyValues& values) {
  return spatial_cost(query, {"data-spatial", group_size(values[group], query.placement),
                              StrategyLayout::Split::spatial, Bytes{values[bucket]}, values[overlap] != 0});
}

}  // namespace

StrategyInfo strategy_data_spatial() {
  StrategyInfo info;
  info.id = "data-spatial";
  info.summary = "groups of devices divide the maps, and the groups divide the batch";
  info.reference = "docs/models/strategies.md";
  info.aliases = {"data+spatial"};
  info.parameters = {group_parameter(), bucket_parameter(), overlap_parameter()};
  info.cost = cost;
  info.variants = group_variants;
  return info;
}

}  // namespace sextant
