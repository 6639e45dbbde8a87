// tensor: devices of a group share the matrices and heads of every transformer layer; the groups share the
// batch (Megatron-LM: Shoeybi et al., 2019; Narayanan et al., SC 2021).
#include "groups.h"
#include "parts.h"
#include "sharded.h"

namespace sextant::parallel::parallel_strategy_tensor {
namespace {

std::optional<Infeasible> check_heads(const Workload& load, std::int64_t shards) {
  bool any = false;
  for (const LayerLoad& layer : load.layers()) {
    any |= layer.heads > 0;
    if (layer.heads > 0 && layer.heads % shards != 0) {
      return Infeasible{Limit::shape, "tensor: " + std::to_string(layer.heads) + " heads of layer '" +
                                          layer.name + "' cannot be divided by " + std::to_string(shards)};
    }
  }
  if (any) return std::nullopt;
  return Infeasible{Limit::shape, "tensor: no layer has attention heads to divide"};
}

// Forward and backward each sum the output of a pair of matrices once: four all-reduces a transformer
// layer. Sequence parallelism sends the same bytes as reduce-scatter and all-gather, and divides the rest
// of the layers, too.
void split_matrices(const ParallelQuery& query, bool sequence, ShardedStep& step) {
  const Workload& load = slowest_load(query);
  const collectives::Group inner = split_groups(query.placement, step.degrees.shards).inner;
  const double part = 1 / static_cast<double>(step.degrees.shards);
  for (std::size_t i = 0; i < load.layers().size(); ++i) {
    const LayerLoad& layer = load.layers()[i];
    LayerShare& share = step.shares[i];
    if (layer.tensor == TensorRole::replicated) {
      if (sequence) share.time = share.kept = part;
      continue;
    }
    share = {part, part, part};
    if (layer.tensor != TensorRole::reduced) continue;
    const Bytes buffer = step.samples * layer.output * load.terms().element;
    const auto time = [&](collectives::Collective c) {
      return collective_cost(query.fabric, c, buffer, inner).total();
    };
    share.forward =
        sequence ? time(collectives::Collective::reduce_scatter) + time(collectives::Collective::all_gather)
                 : time(collectives::Collective::all_reduce);
    share.backward = share.forward;
  }
}

ParallelResult cost(const ParallelQuery& query, const Parameters& parameters) {
  const ShardRequest request{"tensor", group_size(parameters.count("tensor"), query.placement),
                             ParallelDegrees::Split::tensor, parameters.bytes("bucket"),
                             parameters.flag("overlap")};
  if (auto why = check_heads(slowest_load(query), request.shards)) return *why;
  auto start = start_sharded(query, request);
  if (const auto* why = std::get_if<Infeasible>(&start)) return *why;
  auto& step = std::get<ShardedStep>(start);
  split_matrices(query, parameters.flag("sequence"), step);
  return sharded_cost(query, step);
}

}  // namespace

std::vector<ParallelStrategyInfo> plugin() {
  ParallelStrategyInfo info;
  info.id = "tensor";
  info.summary = "groups of devices divide the matrices and heads of transformers, the groups the batch";
  info.reference = "docs/models/strategies.md";
  info.aliases = {"tensor-parallel", "megatron"};
  info.parameters = {
      count_parameter("tensor", "devices of a group; 0: those of the fullest node", {0, 0, 1e6}),
      flag_parameter("sequence", "1: with sequence parallelism", false), bucket_parameter(),
      overlap_parameter()};
  info.cost = cost;
  info.variants = [](const ParallelQuery& query, const Parameters& usual) {
    return group_variants(query, usual, "tensor");
  };
  return {info};
}

}  // namespace sextant::parallel::parallel_strategy_tensor
