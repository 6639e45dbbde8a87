// filter: every device computes a part of the filters of every layer for the whole batch (Kahira et al.,
// HPDC 2021).
#include "filter_split.h"

namespace sextant::parallel::strategy_filter {
namespace {

StrategyResult cost(const StrategyQuery& query, const Parameters& /*none*/) {
  return filter_cost(query, {"filter", query.placement.total(), StrategyLayout::Split::filter});
}

}  // namespace

std::vector<StrategyInfo> plugin() {
  StrategyInfo info;
  info.id = "filter";
  info.summary = "every device computes a part of the filters of every layer";
  info.reference = "docs/models/strategies.md";
  info.aliases = {"filter-parallel"};
  info.cost = cost;
  return {info};
}

}  // namespace sextant::parallel::strategy_filter
