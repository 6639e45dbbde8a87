#include "sharded.h"

#include "groups.h"
#include "parts.h"

namespace sextant::parallel {

ParallelCost sharded_cost(const ParallelQuery& query, const ShardedStep& step) {
  const Workload& load = slowest_load(query);
  const WorkloadTerms& terms = load.terms();
  ParallelCost cost;
  Held held;
  Seconds inner{};
  for (std::size_t i = 0; i < load.layers().size(); ++i) {
    const LayerLoad& layer = load.layers()[i];
    const LayerShare& share = step.shares[i];
    cost.compute += layer.forward_start + step.samples * share.time * layer.forward;
    cost.compute += share.weights * layer.update;
    inner += share.forward + share.backward;
    held.weights += share.weights * layer.weights;
    held.activations += step.samples * share.kept * layer.kept;
  }
  GradientStream stream(step.gradients);
  Seconds busy{};  // of the backward pass so far
  Seconds now{};   // the same with the communication inside the group
  for (std::size_t i = load.layers().size(); i-- > 0;) {
    const LayerLoad& layer = load.layers()[i];
    const LayerShare& share = step.shares[i];
    const Seconds work = layer.backward_start + step.samples * share.time * layer.backward;
    busy += step.slowdown * work;
    now += step.slowdown * work + share.backward;
    stream.add(now, share.weights * layer.weights * terms.element);
  }
  stream.finish(now);
  cost.compute += busy;
  cost.communication = inner + stream.busy();
  cost.exposed = inner + stream.exposed();
  cost.input = terms.input;
  cost.degrees = step.degrees;
  set_memory(cost, query, memory_of(terms, held));
  return cost;
}

std::variant<ShardedStep, Infeasible> start_sharded(const ParallelQuery& query, const ShardRequest& request) {
  const std::int64_t devices = query.placement.total();
  if (auto uneven = uneven_groups(request.strategy, request.shards, devices)) return *uneven;
  const std::int64_t replicas = devices / request.shards;
  if (auto uneven = uneven_batch(request.strategy, query.batch, replicas)) return *uneven;
  const Groups groups = split_groups(query.placement, request.shards);
  ShardedStep step;
  step.samples = query.batch / static_cast<double>(replicas);
  step.shares.resize(slowest_load(query).layers().size());
  step.gradients = {&query.fabric, collectives::Collective::all_reduce, groups.outer, request.bucket,
                    request.overlap && groups.inner.nodes == 1};
  step.degrees.data = replicas;
  step.degrees.shards = request.shards;
  step.degrees.split = request.shards > 1 ? request.split : ParallelDegrees::Split::none;
  return step;
}

ParameterInfo group_parameter() {
  return count_parameter("group", "devices of a group; 0: those of the fullest node", {0, 0, 1e6});
}

ParameterInfo bucket_parameter() {
  return bytes_parameter("bucket", "bytes of gradients that are summed together", {25e6, 0, 1e12});
}

ParameterInfo overlap_parameter() {
  return flag_parameter("overlap", "1: gradients are summed during the backward pass, 0: after it", true);
}

std::vector<Parameters> group_variants(const ParallelQuery& query, const Parameters& usual,
                                       std::string_view name) {
  std::vector<Parameters> variants;
  const std::int64_t devices = query.placement.total();
  for (const std::int64_t size : divisors(devices)) {
    if (size == 1) continue;  // data parallelism
    variants.push_back(usual);
    variants.back().set(name, static_cast<double>(size));
  }
  return variants;
}

}  // namespace sextant::parallel
