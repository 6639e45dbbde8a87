// filter: every device computes a part of the filters of every layer for the whole batch (Kahira et al.,
// HPDC 2021).
#include "filter_split.h"

namespace sextant::parallel::parallel_strategy_filter {
namespace {

ParallelResult cost(const ParallelQuery& query, const Parameters& /*none*/) {
  return filter_cost(query, {"filter", query.placement.total(), ParallelDegrees::Split::filter});
}

}  // namespace

std::vector<ParallelStrategyInfo> plugin() {
  ParallelStrategyInfo info;
  info.id = "filter";
  info.summary = "every device computes a part of the filters of every layer";
  info.reference = "docs/models/strategies.md";
  info.aliases = {"filter-parallel"};
  info.cost = cost;
  return {info};
}

}  // namespace sextant::parallel::parallel_strategy_filter
