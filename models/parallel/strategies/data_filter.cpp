// data-filter: groups of devices, usually the nodes, divide the filters of every layer; the groups divide the
// batch (Kahira et al., HPDC 2021).
#include "filter_split.h"
#include "groups.h"

namespace sextant::parallel::parallel_strategy_data_filter {
namespace {

ParallelResult cost(const ParallelQuery& query, const Parameters& parameters) {
  return filter_cost(
      query, {"data-filter", group_size(parameters.count("group"), query.placement),
              ParallelDegrees::Split::filter, parameters.bytes("bucket"), parameters.flag("overlap")});
}

}  // namespace

std::vector<ParallelStrategyInfo> plugin() {
  ParallelStrategyInfo info;
  info.id = "data-filter";
  info.summary = "groups of devices divide the filters of every layer, and the groups divide the batch";
  info.reference = "docs/models/strategies.md";
  info.aliases = {"data+filter"};
  info.parameters = {group_parameter(), bucket_parameter(), overlap_parameter()};
  info.cost = cost;
  info.variants = [](const ParallelQuery& query, const Parameters& usual) {
    return group_variants(query, usual, "group");
  };
  return {info};
}

}  // namespace sextant::parallel::parallel_strategy_data_filter
