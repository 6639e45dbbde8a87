// data: every device has the whole network and a part of the batch; gradients are summed in buckets while
// the backward pass goes on (Li et al., VLDB 2020; cost as in ParaDL, Kahira et al., HPDC 2021).
#include "sharded.h"

namespace sextant::parallel::parallel_strategy_data {
namespace {

ParallelResult cost(const ParallelQuery& query, const Parameters& parameters) {
  ShardRequest request{"data"};
  request.bucket = parameters.bytes("bucket");
  request.overlap = parameters.flag("overlap");
  auto start = start_sharded(query, request);
  if (const auto* why = std::get_if<Infeasible>(&start)) return *why;
  auto& step = std::get<ShardedStep>(start);
  if (request.overlap) step.slowdown = parameters.number("slowdown");
  return sharded_cost(query, step);
}

}  // namespace

std::vector<ParallelStrategyInfo> plugin() {
  ParallelStrategyInfo info;
  info.id = "data";
  info.summary = "every device trains the whole network on its part of the batch";
  info.reference = "docs/models/strategies.md";
  info.aliases = {"data-parallel", "ddp"};
  info.parameters = {
      bucket_parameter(), overlap_parameter(),
      number_parameter("slowdown", "of the backward pass while gradients are summed", {1, 1, 2})};
  info.cost = cost;
  return {info};
}

}  // namespace sextant::parallel::parallel_strategy_data
