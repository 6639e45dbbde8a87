// hetpipe: pipelines of GPUs of several kinds that do data parallelism among each other, with bounded
// staleness (Park et al., ATC 2020).
#include <algorithm>
#include <cmath>

#include "parts.h"
#include "virtual_worker.h"

namespace sextant::parallel::parallel_strategy_hetpipe {
namespace {

struct HetpipeSettings {
  Grouping grouping = Grouping::node_wise;
  std::int64_t in_flight = 0;
  std::int64_t clock = 0;  // waves
  bool all_reduce = false;
  double kappa = 0;
};

HetpipeSettings settings_of(const Parameters& parameters) {
  return {.grouping = parameters.one_of<Grouping>("grouping"),
          .in_flight = parameters.count("inflight"),
          .clock = parameters.count("clock"),
          .all_reduce = parameters.word("sync") == "all-reduce",
          .kappa = parameters.number("kappa")};
}

struct Cluster {
  const ParallelQuery& query;
  HetpipeSettings settings;
  std::vector<VirtualWorker> workers;
};

// One aggregated push and pull of a wave. With one GPU of every node in each worker, equal stages meet in
// one node; otherwise all weights pass the cards, and servers stand in every node.
Seconds wave_sync(const Cluster& cluster, double stage_weights) {
  const auto workers = static_cast<std::int64_t>(cluster.workers.size());
  if (workers < 2) return {};
  const ParallelQuery& query = cluster.query;
  const Workload& load = slowest_load(query);
  const std::int64_t nodes = query.placement.nodes();
  const bool local = nodes == 1 || cluster.settings.grouping == Grouping::equal;
  const Bytes weights = (local ? stage_weights : load.total().weights) * load.terms().element;
  const collectives::Group group{workers, local ? 1 : std::min(workers, nodes), 1};
  if (cluster.settings.all_reduce) {
    return collective_cost(query.fabric, collectives::Collective::all_reduce, weights, group).total();
  }
  const collectives::Path& path = local ? query.fabric.inside : *query.fabric.across;
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
  predict::MemoryNeed memory{};
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

ParallelCost cost_of_wave(const Cluster& cluster, std::int64_t in_flight) {
  const ParallelQuery& query = cluster.query;
  const auto count = static_cast<double>(in_flight);
  const auto workers = static_cast<double>(cluster.workers.size());
  const VirtualWorkerCost slowest = slowest_worker(cluster, {query.batch / (workers * count), in_flight});
  const Seconds wave = count * slowest.period;
  const Seconds push = wave_sync(cluster, slowest.weights);
  ParallelCost cost;
  cost.compute = count * slowest.stage;
  cost.bubble = count * (slowest.alone - slowest.stage);
  cost.communication = count * slowest.transfer + push;
  cost.exposed = count * (slowest.period - slowest.alone) +
                 std::max(Seconds{}, push - static_cast<double>(cluster.settings.clock) * wave);
  cost.input = slowest_load(query).terms().input;
  cost.memory = slowest.memory;
  cost.fill = slowest.fill;
  cost.batch = query.batch;
  cost.degrees.data = static_cast<std::int64_t>(cluster.workers.size());
  for (const VirtualWorker& worker : cluster.workers) {
    cost.degrees.stages = std::max(cost.degrees.stages, static_cast<std::int64_t>(worker.size()));
  }
  cost.degrees.micro = in_flight;
  cost.staleness = workers > 1 ? hetpipe_staleness(in_flight, cluster.settings.clock) : count - 1;
  cost.efficiency = 1 / (1 + cluster.settings.kappa * cost.staleness);
  return cost;
}

std::optional<Infeasible> check(const Cluster& cluster) {
  if (cluster.workers.empty()) {
    return Infeasible{Limit::device,
                      "hetpipe: this grouping needs nodes of equal and, if hybrid, even number and size"};
  }
  std::size_t longest = 0;
  for (const VirtualWorker& worker : cluster.workers) longest = std::max(longest, worker.size());
  const std::size_t layers = slowest_load(cluster.query).layers().size();
  if (layers >= longest) return std::nullopt;
  return Infeasible{Limit::shape, "hetpipe: " + std::to_string(longest) + " stages, but the network has " +
                                      std::to_string(layers) + " layers"};
}

bool better(const ParallelCost& a, const ParallelCost& b) {
  if ((a.fill > 1) != (b.fill > 1)) return b.fill > 1;
  return a.step() / a.efficiency < b.step() / b.efficiency;
}

ParallelResult cost(const ParallelQuery& query, const Parameters& parameters) {
  const HetpipeSettings settings = settings_of(parameters);
  const Cluster cluster{query, settings, group_gpus(query, settings.grouping)};
  if (auto why = check(cluster)) return *why;
  const auto workers = static_cast<std::int64_t>(cluster.workers.size());
  const std::int64_t asked = settings.in_flight;
  if (auto uneven = uneven_batch("hetpipe", query.batch, workers * std::max(asked, std::int64_t{1}))) {
    return *uneven;
  }
  if (asked > 0) return cost_of_wave(cluster, asked);
  std::size_t longest = 1;
  for (const VirtualWorker& worker : cluster.workers) longest = std::max(longest, worker.size());
  // Twice as many from one attempt to the next; more than there are stages would only wait.
  std::optional<ParallelCost> best;
  const auto most = static_cast<std::int64_t>(longest);
  for (std::int64_t count = 1; count < 2 * most; count *= 2) {
    count = std::min(count, most);
    if (std::fmod(query.batch, static_cast<double>(workers * count)) != 0) continue;
    const ParallelCost cost = cost_of_wave(cluster, count);
    if (!best || better(cost, *best)) best = cost;
  }
  return *best;
}

std::vector<Parameters> variants(const ParallelQuery& query, const Parameters& usual) {
  std::vector<Parameters> list = {usual};
  if (query.placement.nodes() == 1) return list;
  for (const char* grouping : {"equal", "hybrid"}) {
    list.push_back(usual);
    list.back().set_word("grouping", grouping);
  }
  return list;
}

}  // namespace

std::vector<ParallelStrategyInfo> plugin() {
  ParallelStrategyInfo info;
  info.id = "hetpipe";
  info.summary = "pipelines over GPUs of several kinds, replicated with bounded staleness";
  info.reference = "docs/models/hetpipe.md";
  info.parameters = {
      word_parameter("grouping", "of GPUs to pipelines: node, equal (one of each node), hybrid",
                     {"node", "equal", "hybrid"}, "node"),
      count_parameter("inflight", "minibatches in a pipeline; 0: what is fastest", {0, 0, 1e4}),
      count_parameter("clock", "waves that a pipeline may lead", {0, 0, 1e6}),
      word_parameter("sync", "of the pipelines: servers or all-reduce", {"servers", "all-reduce"}, "servers"),
      number_parameter("kappa", "further samples needed for each step of staleness, as a part", {0, 0, 10})};
  info.cost = cost;
  info.variants = variants;
  return {info};
}

}  // namespace sextant::parallel::parallel_strategy_hetpipe
