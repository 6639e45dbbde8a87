// parameter-server: workers push gradients to servers and pull weights from them, in step, within a bound
// of staleness, or each at its own pace (Li et al., OSDI 2014; Ho et al., NeurIPS 2013).
#include "parameter_server.h"

#include <algorithm>
#include <cmath>

#include "parts.h"
#include "server_traffic.h"

namespace sextant::parallel::parallel_strategy_parameter_server {
namespace {

struct ServerSettings {
  std::int64_t servers = 0;
  std::int64_t staleness = 0;  // below 0: no bound
  bool colocated = true;
  Dealing shards = Dealing::equal;
  double slow = 1;
  double tail = 0;
  std::int64_t backup = 0;
  double kappa = 0;
};

ServerSettings settings_of(const Parameters& parameters, const jobs::Placement& placement) {
  ServerSettings settings{.servers = parameters.count("servers"),
                          .staleness = parameters.count("staleness"),
                          .colocated = parameters.flag("colocated"),
                          .shards = parameters.one_of<Dealing>("shards"),
                          .slow = parameters.number("slow"),
                          .tail = parameters.number("tail"),
                          .backup = parameters.count("backup"),
                          .kappa = parameters.number("kappa")};
  if (settings.servers == 0) {
    settings.servers = placement.nodes() == 1 ? placement.total() : placement.nodes();
  }
  return settings;
}

struct Cycle {
  Seconds compute;
  Seconds exposed;
};

// A worker waits for the slowest: for its tail in full without staleness, ever less with a larger bound.
Seconds straggling(const ServerSettings& settings, Seconds compute, std::int64_t workers) {
  const Seconds mean = settings.tail * compute;
  const Seconds waiting = expected_slowest(mean, workers, settings.backup);
  if (settings.staleness < 0) return mean;
  return waiting > mean ? mean + (waiting - mean) / (1 + static_cast<double>(settings.staleness)) : waiting;
}

// The mean over workers of different speeds, none of which waits for another.
Seconds mean_work(const ParallelQuery& query, double samples) {
  std::vector<Seconds> cycles;
  for (std::size_t node = 0; node < query.placement.gpus.size(); ++node) {
    const Workload& load = *query.devices[query.placement.class_of(node)].load;
    const Seconds work = load.total().forward_of(samples) + load.total().backward_of(samples);
    cycles.insert(cycles.end(), static_cast<std::size_t>(query.placement.gpus[node]), work);
  }
  return Seconds{static_cast<double>(cycles.size()) / asynchronous_rate(cycles).value};
}

Cycle cycle_of(const ParallelQuery& query, const ServerSettings& settings, const ServerTraffic& traffic) {
  const Workload& load = slowest_load(query);
  const std::int64_t workers = query.placement.total();
  const double samples = query.batch / static_cast<double>(workers);
  const Seconds update = load.total().update / static_cast<double>(settings.servers);
  if (settings.staleness >= 0) {
    const Seconds work = load.total().forward_of(samples) + load.total().backward_of(samples);
    return {work, 2 * traffic.together + update + straggling(settings, work, workers)};
  }
  // Servers and cards must keep up with all workers; both directions go at once.
  const Seconds work = mean_work(query, samples);
  const Seconds own = work + straggling(settings, work, workers) + 2 * traffic.alone + update;
  const Seconds needed = std::max(traffic.together, static_cast<double>(workers) * update);
  return {work, std::max(own, needed) - work};
}

std::optional<Infeasible> check(const ParallelQuery& query, const ServerSettings& settings) {
  const std::int64_t devices = query.placement.total();
  if (auto uneven = uneven_batch("parameter-server", query.batch, devices)) return uneven;
  const std::int64_t places = query.placement.nodes() == 1 ? devices : query.placement.nodes();
  if (settings.colocated && settings.servers > places) {
    return Infeasible{Limit::shape, "parameter-server: " + std::to_string(settings.servers) +
                                        " servers, but workers stand in " + std::to_string(places) +
                                        " places"};
  }
  if (!settings.colocated && !query.fabric.across) {
    return Infeasible{Limit::link, "parameter-server: no network joins workers and servers"};
  }
  if (settings.backup >= devices) {
    return Infeasible{Limit::device,
                      "parameter-server: all " + std::to_string(devices) + " workers are backups"};
  }
  return std::nullopt;
}

ParallelResult cost(const ParallelQuery& query, const Parameters& parameters) {
  const std::int64_t devices = query.placement.total();
  const ServerSettings settings = settings_of(parameters, query.placement);
  if (auto why = check(query, settings)) return *why;
  const ServerTraffic traffic =
      server_traffic(query, {settings.servers, settings.colocated, settings.shards, settings.slow});
  const Workload& load = slowest_load(query);
  const auto workers = static_cast<double>(devices);
  const Cycle cycle = cycle_of(query, settings, traffic);
  ParallelCost cost;
  cost.compute = cycle.compute;
  cost.communication = 2 * traffic.together;
  cost.exposed = cycle.exposed;
  cost.input = load.terms().input;
  cost.degrees.data = devices;
  cost.degrees.servers = settings.servers;
  cost.staleness =
      settings.staleness < 0 ? workers - 1 : std::min(static_cast<double>(settings.staleness), workers - 1);
  cost.efficiency =
      (workers - static_cast<double>(settings.backup)) / workers / (1 + settings.kappa * cost.staleness);
  predict::MemoryNeed memory =
      memory_of(load.terms(), {load.total().weights, query.batch / workers * load.total().kept});
  memory.optimizer = {};  // the servers have it
  set_memory(cost, query, memory);
  return cost;
}

}  // namespace

std::vector<ParallelStrategyInfo> plugin() {
  ParallelStrategyInfo info;
  info.id = "parameter-server";
  info.summary = "data parallelism through servers that hold the weights, in step or asynchronous";
  info.reference = "docs/models/parameter-server.md";
  info.aliases = {"ps"};
  info.parameters = {
      count_parameter("servers", "0: one in each node, or beside each device of one node", {0, 0, 1e4}),
      count_parameter("staleness", "steps that a worker may lead; -1: no bound", {0, -1, 1e6},
                      {{"sync", 0}, {"async", -1}}),
      flag_parameter("colocated", "1: servers in the nodes of the workers, 0: machines of their own", true),
      word_parameter("shards", "equal, proportional to the servers' rates, or of whole tensors",
                     {"equal", "proportional", "tensors"}, "equal"),
      number_parameter("slow", "rate of the slowest server, as a part of that of the others", {1, 1e-3, 1}),
      number_parameter("tail", "mean exponential tail of a worker's time, as a part of it", {0, 0, 100}),
      count_parameter("backup", "workers that a synchronous step does not wait for", {0, 0, 1e4}),
      number_parameter("kappa", "further samples needed for each step of staleness, as a part", {0, 0, 10})};
  info.cost = cost;
  return {info};
}

}  // namespace sextant::parallel::parallel_strategy_parameter_server
