// filter: every device computes a part of the filters of every layer for the whole batch (Kahira et al.,
// HPDC 2021).
#include "filter_split.h"

namespace sextant {
namespace {

StrategyResult cost(const StrategyQuery& query, const StrategyValues& /*none*/) {
  return filter_cost(query, {"filter", query.placement.total(), StrategyLayout::Split::filter});
}

}  // namespace

StrategyInfo strategy_filter() {
  StrategyInfo info;
  info.id = "filter";
  info.summary = "every device computes a part of the filters of every layer";
  info.reference = "docs/models/strategies.md";
  info.aliases = {"filter-parallel"};
  info.cost = cost;
  return info;
}

}  // namespace sextant
