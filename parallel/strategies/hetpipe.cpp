// hetpipe: pipelines of GPUs of several kinds that do data parallelism among each other, with bounded
// staleness (Park et al., ATC 2020).
#include <algorithm>
#include <cmath>

#include "parts.h"
#include "virtual_worker.h"

namespace sextant {
namespace {

enum Parameter { grouping, inflight, clock_bound, sync, kappa };

struct Cluster {
  const StrategyQuery& query;
  const StrategyValues& values;
  std::vector<VirtualWorker> workers;
};

Grouping grouping_of(const StrategyValues& values) {
  return static_cast<Grouping>(static_cast<int>(values[grouping]));
}

// One aggregated push and pull of a wave. With one GPU of every node in each worker, equal stages meet in
// one node; otherwise all weights pass the cards, and servers stand in every node.
Seconds wave_sync(const Cluster& cluster, double stage_weights) {
  const auto workers = static_cast<std::int64_t>(cluster.workers.size());
  if (workers < 2) return {};
  const StrategyQuery& query = cluster.query;
  const Workload& load = slowest_load(query);
  const std::int64_t nodes = query.placement.nodes();
  const bool local = nodes == 1 || grouping_of(cluster.values) == Grouping::equal;
  const Bytes weights = (local ? stage_weights : load.total().weights) * load.terms().element;
  const Group group{workers, local ? 1 : std::min(workers, nodes), 1};
  if (cluster.values[sync] != 0) {
    return collective_cost(query.fabric, Collective::all_reduce, weights, group).total();
  }
  const Path& path = local ? query.fabric.inside : *query.fabric.across;
  const auto places = static_cast<double>(local ? workers : nodes);
  const double passes = 2 * static_cast<double>(workers) / places * (places - 1) / places;
  return 2 * places * (path.latency + path.half_size / path.bandwidth) + passes * weights / path.bandwidth;
}

bool alike(const VirtualWorker& a, const VirtualWorker& b) {
  return std::ranges::equal(a, b, [](const VirtualGpu& x, const VirtualGpu& y) { return x.kind == y.kind; });
}

// The slowest virtual worker, since the others may lead by a bounded number of waves only; and the fullest
// GPU of all.
VirtualWorkerCost slowest_worker(const Cluster& cluster, const WaveShape& wave) {
  VirtualWorkerCost slowest;
  MemoryParts memory{};
  double fill = -1;
  for (std::size_t i = 0; i < cluster.workers.size(); ++i) {
    if (i > 0 && alike(cluster.workers[i], cluster.workers[i - 1])) continue;
    const VirtualWorkerCost cost = virtual_worker_cost(cluster.query, cluster.workers[i], wave);
    if (cost.fill > fill || (cost.fill == fill && cost.memory.total() > memory.total())) {
      fill = cost.fill;
      memory = cost.memory;
    }
    if (cost.period > slowest.period) slowest = cost;
  }
  slowest.memory = memory;
  slowest.fill = fill;
  return slowest;
}

StrategyCost cost_of_wave(const Cluster& cluster, std::int64_t in_flight) {
  const StrategyQuery& query = cluster.query;
  const auto count = static_cast<double>(in_flight);
  const auto workers = static_cast<double>(cluster.workers.size());
  const VirtualWorkerCost slowest = slowest_worker(cluster, {query.batch / (workers * count), in_flight});
  const Seconds wave = count * slowest.period;
  const Seconds push = wave_sync(cluster, slowest.weights);
  StrategyCost cost;
  cost.compute = count * slowest.stage;
  cost.bubble = count * (slowest.alone - slowest.stage);
  cost.communication = count * slowest.transfer + push;
  cost.exposed = count * (slowest.period - slowest.alone) +
                 std::max(Seconds{}, push - cluster.values[clock_bound] * wave);
  cost.overhead = slowest_load(query).terms().overhead;
  cost.memory = slowest.memory;
  cost.fill = slowest.fill;
  cost.batch = query.batch;
  cost.layout.data = static_cast<std::int64_t>(cluster.workers.size());
  for (const VirtualWorker& worker : cluster.workers) {
    cost.layout.stages = std::max(cost.layout.stages, static_cast<std::int64_t>(worker.size()));
  }
  cost.layout.micro = in_flight;
  const auto bound = static_cast<std::int64_t>(cluster.values[clock_bound]);
  cost.staleness = workers > 1 ? hetpipe_staleness(in_flight, bound) : count - 1;
  cost.efficiency = 1 / (1 + cluster.values[kappa] * cost.staleness);
  return cost;
}

std::optional<Infeasible> check(const Cluster& cluster) {
  if (cluster.workers.empty()) {
    return Infeasible{Infeasible::Limit::device,
                      "hetpipe: this grouping needs nodes of equal and, if hybrid, even number and size"};
  }
  std::size_t longest = 0;
  for (const VirtualWorker& worker : cluster.workers) longest = std::max(longest, worker.size());
  const std::size_t layers = slowest_load(cluster.query).layers().size();
  if (layers >= longest) return std::nullopt;
  return Infeasible{Infeasible::Limit::shape, "hetpipe: " + std::to_string(longest) +
                                                  " stages, but the network has " + std::to_string(layers) +
                                                  " layers"};
}

bool better(const StrategyCost& a, const StrategyCost& b) {
  if ((a.fill > 1) != (b.fill > 1)) return b.fill > 1;
  return a.step() / a.efficiency < b.step() / b.efficiency;
}

StrategyResult cost(const StrategyQuery& query, const StrategyValues& values) {
  const Cluster cluster{query, values, group_gpus(query, grouping_of(values))};
  if (auto why = check(cluster)) return *why;
  const auto workers = static_cast<std::int64_t>(cluster.workers.size());
  const auto asked = static_cast<std::int64_t>(values[inflight]);
  if (auto uneven = uneven_batch("hetpipe", query.batch, workers * std::max(asked, std::int64_t{1}))) {
    return *uneven;
  }
  if (asked > 0) return cost_of_wave(cluster, asked);
  std::size_t longest = 1;
  for (const VirtualWorker& worker : cluster.workers) longest = std::max(longest, worker.size());
  // Twice as many from one attempt to the next; more than there are stages would only wait.
  std::optional<StrategyCost> best;
  const auto most = static_cast<std::int64_t>(longest);
  for (std::int64_t count = 1; count < 2 * most; count *= 2) {
    count = std::min(count, most);
    if (std::fmod(query.batch, static_cast<double>(workers * count)) != 0) continue;
    const StrategyCost cost = cost_of_wave(cluster, count);
    if (!best || better(cost, *best)) best = cost;
  }
  return *best;
}

std::vector<StrategyValues> variants(const StrategyQuery& query, const StrategyValues& usual) {
  std::vector<StrategyValues> list = {usual};
  if (query.placement.nodes() == 1) return list;
  for (const double policy : {1.0, 2.0}) {
    list.push_back(usual);
    list.back()[grouping] = policy;
  }
  return list;
}

}  // namespace

StrategyInfo strategy_hetpipe() {
  StrategyInfo info;
  info.id = "hetpipe";
  info.summary = "pipelines over GPUs of several kinds, replicated with bounded staleness";
  info.reference = "docs/models/hetpipe.md";
  info.parameters = {{"grouping", "of GPUs to pipelines: node, equal (one of each node), hybrid", 0, 0, 2},
                     {"inflight", "minibatches in a pipeline; 0: what is fastest", 0, 0, 1e4},
                     {"clock", "waves that a pipeline may lead", 0, 0, 1e6},
                     {"sync", "of the pipelines: servers or all-reduce", 0, 0, 1},
                     {"kappa", "further samples needed for each step of staleness, as a part", 0, 0, 10}};
  info.words = {{"grouping", "node", 0},
                {"grouping", "equal", 1},
                {"grouping", "hybrid", 2},
                {"sync", "servers", 0},
                {"sync", "all-reduce", 1}};
  info.fractions = {"kappa"};
  info.cost = cost;
  info.variants = variants;
  return info;
}

}  // namespace sextant
