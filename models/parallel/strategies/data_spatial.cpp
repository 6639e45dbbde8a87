// data-spatial: groups of devices, usually the nodes, divide the maps; the groups divide the batch
// (Kahira et al., HPDC 2021).
#include "groups.h"
#include "spatial_split.h"

namespace sextant::parallel::parallel_strategy_data_spatial {
namespace {

ParallelResult cost(const ParallelQuery& query, const Parameters& parameters) {
  return spatial_cost(
      query, {"data-spatial", group_size(parameters.count("group"), query.placement),
              ParallelDegrees::Split::spatial, parameters.bytes("bucket"), parameters.flag("overlap")});
}

}  // namespace

std::vector<ParallelStrategyInfo> plugin() {
  ParallelStrategyInfo info;
  info.id = "data-spatial";
  info.summary = "groups of devices divide the maps, and the groups divide the batch";
  info.reference = "docs/models/strategies.md";
  info.aliases = {"data+spatial"};
  info.parameters = {group_parameter(), bucket_parameter(), overlap_parameter()};
  info.cost = cost;
  info.variants = [](const ParallelQuery& query, const Parameters& usual) {
    return group_variants(query, usual, "group");
  };
  return {info};
}

}  // namespace sextant::parallel::parallel_strategy_data_spatial
