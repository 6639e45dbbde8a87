// data-filter: groups of devices, usually the nodes, divide the filters of every layer; the groups divide the
// batch (Kahira et al., HPDC 2021).
#include "filter_split.h"
#include "groups.h"

namespace sextant {
namespace {

enum Parameter { group, bucket, overlap };

StrategyResult cost(const StrategyQuery& query, const StrategyValues& values) {
  return filter_cost(query, {"data-filter", group_size(values[group], query.placement),
                             StrategyLayout::Split::filter, Bytes{values[bucket]}, values[overlap] != 0});
}

}  // namespace

StrategyInfo strategy_data_filter() {
  StrategyInfo info;
  info.id = "data-filter";
  info.summary = "groups of devices divide the filters of every layer, and the groups divide the batch";
  info.reference = "docs/models/strategies.md";
  info.aliases = {"data+filter"};
  info.parameters = {group_parameter(), bucket_parameter(), overlap_parameter()};
  info.cost = cost;
  info.variants = group_variants;
  return info;
}

}  // namespace sextant
