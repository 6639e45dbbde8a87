// channel: every device takes a part of the input channels of every layer but the first, for the whole
// batch (Kahira et al., HPDC 2021).
#include "filter_split.h"

namespace sextant::parallel::parallel_strategy_channel {
namespace {

ParallelResult cost(const ParallelQuery& query, const Parameters& /*none*/) {
  const ShardRequest request{"channel", query.placement.total(), ParallelDegrees::Split::channel};
  auto start = start_sharded(query, request);
  if (const auto* why = std::get_if<Infeasible>(&start)) return *why;
  auto& step = std::get<ShardedStep>(start);
  if (auto why = split_channels(query, request.strategy, step)) return *why;
  return sharded_cost(query, step);
}

}  // namespace

std::vector<ParallelStrategyInfo> plugin() {
  ParallelStrategyInfo info;
  info.id = "channel";
  info.summary = "every device takes a part of the input channels of every layer but the first";
  info.reference = "docs/models/strategies.md";
  info.aliases = {"channel-parallel"};
  info.cost = cost;
  return {info};
}

}  // namespace sextant::parallel::parallel_strategy_channel
