// parameter-server: workers push gradients to servers and pull weights from them, in step, within a bound
// of staleness, or each at its own pace (Li et al., OSDI 2014; Ho et al., NeurIPS 2013).
#include "sextant/parallel/parameter_server.h"

#include <algorithm>
#include <cmath>

#include "parts.h"
#include "server_traffic.h"

namespace sextant {
namespace {

enum Parameter { servers, staleness, colocated, shards, slow, tail, backup, kappa };

struct Cycle {
  Seconds compute;
  Seconds exposed;
};

// A worker waits for the slowest: for its tail in full without staleness, ever less with a larger bound.
Seconds straggling(const StrategyValues& values, Seconds compute, std::int64_t workers) {
  const Seconds mean = values[tail] * compute;
  const Seconds waiting = expected_slowest(mean, workers, static_cast<std::int64_t>(values[backup]));
  if (values[staleness] < 0) return mean;
  return waiting > mean ? mean + (waiting - mean) / (1 + values[staleness]) : waiting;
}

// The mean over workers of different speeds, none of which waits for another.
Seconds mean_work(const StrategyQuery& query, double samples) {
  std::vector<Seconds> cycles;
  for (std::size_t node = 0; node < query.placement.gpus.size(); ++node) {
    const Workload& load = *query.devices[query.placement.class_of(node)].load;
    const Seconds work = load.total().forward_of(samples) + load.total().backward_of(samples);
    cycles.insert(cycles.end(), static_cast<std::size_t>(query.placement.gpus[node]), work);
  }
  return Seconds{static_cast<double>(cycles.size()) / asynchronous_rate(cycles).value};
}

Cycle cycle_of(const StrategyQuery& query, const StrategyValues& values, const ServerTraffic& traffic) {
  const Workload& load = slowest_load(query);
  const std::int64_t workers = query.placement.total();
  const double samples = query.batch / static_cast<double>(workers);
  const Seconds update = load.total().update / std::max(1.0, values[servers]);
  if (values[staleness] >= 0) {
    const Seconds work = load.total().forward_of(samples) + load.total().backward_of(samples);
    return {work, 2 * traffic.together + update + straggling(values, work, workers)};
  }
  // Servers and cards must keep up with all workers; both directions go at once.
  const Seconds work = mean_work(query, samples);
  const Seconds own = work + straggling(values, work, workers) + 2 * traffic.alone + update;
  const Seconds needed = std::max(traffic.together, static_cast<double>(workers) * update);
  return {work, std::max(own, needed) - work};
}

std::optional<Infeasible> check(const StrategyQuery& query, const StrategyValues& values) {
  const std::int64_t devices = query.placement.total();
  if (auto uneven = uneven_batch("parameter-server", query.batch, devices)) return uneven;
  const std::int64_t places = query.placement.nodes() == 1 ? devices : query.placement.nodes();
  if (values[colocated] != 0 && values[servers] > static_cast<double>(places)) {
    return Infeasible{Infeasible::Limit::shape, "parameter-server: " + number_text(values[servers]) +
                                                    " servers, but workers stand in " +
                                                    std::to_string(places) + " places"};
  }
  if (values[colocated] == 0 && !query.fabric.across) {
    return Infeasible{Infeasible::Limit::network, "parameter-server: no network joins workers and servers"};
  }
  if (values[backup] >= static_cast<double>(devices)) {
    return Infeasible{Infeasible::Limit::device,
                      "parameter-server: all " + std::to_string(devices) + " workers are backups"};
  }
  return std::nullopt;
}

StrategyResult cost(const StrategyQuery& query, const StrategyValues& given) {
  StrategyValues values = given;
  const Placement& placement = query.placement;
  const std::int64_t devices = placement.total();
  if (values[servers] == 0) {
    values[servers] = static_cast<double>(placement.nodes() == 1 ? devices : placement.nodes());
  }
  if (auto why = check(query, values)) return *why;
  const ServerTraffic traffic =
      server_traffic(query, {static_cast<std::int64_t>(values[servers]), values[colocated] != 0,
                             static_cast<Dealing>(static_cast<int>(values[shards])), values[slow]});
  const Workload& load = slowest_load(query);
  const auto workers = static_cast<double>(devices);
  const Cycle cycle = cycle_of(query, values, traffic);
  StrategyCost cost;
  cost.compute = cycle.compute;
  cost.communication = 2 * traffic.together;
  cost.exposed = cycle.exposed;
  cost.overhead = load.terms().overhead;
  cost.layout.data = devices;
  cost.layout.servers = static_cast<std::int64_t>(values[servers]);
  cost.staleness = values[staleness] < 0 ? workers - 1 : std::min(values[staleness], workers - 1);
  cost.efficiency = (workers - values[backup]) / workers / (1 + values[kappa] * cost.staleness);
  MemoryParts memory =
      memory_of(load.terms(), {load.total().weights, query.batch / workers * load.total().kept});
  memory.optimizer = {};  // the servers have it
  set_memory(cost, query, memory);
  return cost;
}

}  // namespace

StrategyInfo strategy_parameter_server() {
  StrategyInfo info;
  info.id = "parameter-server";
  info.summary = "data parallelism through servers that hold the weights, in step or asynchronous";
  info.reference = "docs/models/parameter-server.md";
  info.aliases = {"ps"};
  info.parameters = {
      {"servers", "0: one in each node, or beside each device of one node", 0, 0, 1e4},
      {"staleness", "steps that a worker may lead; -1: no bound", 0, -1, 1e6},
      {"colocated", "1: servers in the nodes of the workers, 0: machines of their own", 1, 0, 1},
      {"shards", "equal, proportional to the servers' rates, or of whole tensors", 0, 0, 2},
      {"slow", "rate of the slowest server, as a part of that of the others", 1, 1e-3, 1},
      {"tail", "mean exponential tail of a worker's time, as a part of it", 0, 0, 100},
      {"backup", "workers that a synchronous step does not wait for", 0, 0, 1e4},
      {"kappa", "further samples needed for each step of staleness, as a part", 0, 0, 10}};
  info.words = {{"staleness", "sync", 0},
                {"staleness", "async", -1},
                {"shards", "equal", 0},
                {"shards", "proportional", 1},
                {"shards", "tensors", 2}};
  info.fractions = {"slow", "tail", "kappa"};
  info.cost = cost;
  return info;
}

}  // namespace sextant
