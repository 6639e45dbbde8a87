// Decisions of planning methods on drawn instances: seconds, gap to the bound and to the best plan that is
// known, and how they grow with nodes and jobs (4.5 jobs to a node). The exact method stands beside them up
// to where it stops scaling.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "sextant/capacity/method.h"
#include "sextant/core/rng.h"

namespace sextant::bench {
namespace {

// Jobs of hours to days, of which some gain by more GPUs, on machines of 1 to 8 GPUs of two kinds.
capacity::Snapshot drawn_instance(std::int64_t nodes, std::int64_t jobs) {
  Rng rng = Rng(1).stream("capacity");
  capacity::Snapshot snapshot;
  for (const bool fast : {false, true}) {
    for (std::int32_t gpus = 1; gpus <= 8; gpus *= 2) {
      snapshot.types.push_back({.name = (fast ? "fast" : "slow") + std::to_string(gpus),
                                .gpu = fast ? "fast" : "slow",
                                .gpus = gpus,
                                .hour_price = Dollars{(fast ? 0.62 : 0.56) * gpus}});
    }
  }
  snapshot.nodes.resize(static_cast<std::size_t>(nodes));
  for (std::int64_t j = 0; j < jobs; ++j) {
    const double work = 10 + 90 * rng.uniform();
    const double gain = std::max(0.0, 0.5 * rng.uniform() - 0.3);  // most gain nothing
    const double faster = 1 + 0.3 * rng.uniform();
    const double slack = 1 + 2 * rng.uniform();
    const double weight = 10 + 40 * rng.uniform();
    capacity::JobState job{.id = std::to_string(j), .tardiness = Dollars{weight} / kHour};
    double best = work;
    for (std::int32_t type = 0; type < 8; ++type) {
      for (std::int32_t gpus = 1; gpus <= snapshot.types[static_cast<std::size_t>(type)].gpus; ++gpus) {
        const double hours = work / (1 + gain * (gpus - 1)) / (type < 4 ? 1 : faster);
        best = std::min(best, hours);
        job.options.push_back({.type = type, .gpus = gpus, .time = hours * kHour});
      }
    }
    job.due = slack * best * kHour;
    snapshot.jobs.push_back(std::move(job));
  }
  snapshot.wishes.cost = capacity::NodeCost::makespan;
  return snapshot;
}

struct Decided {
  double usd = 0;
  double bound = 0;
  double seconds = 0;
  std::size_t runs = 0;  // jobs
};

Decided decided(const capacity::Snapshot& snapshot, const std::string& text) {
  const capacity::MethodChoice choice = capacity::parse_method(text);
  const auto start = std::chrono::steady_clock::now();
  const capacity::Decision decision =
      choice.method->make({.parameters = choice.parameters})->decide(snapshot);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  return {.usd = cost_of(snapshot, decision).total().value,
          .bound = decision.bound.value_or(0),
          .seconds = took.count(),
          .runs = decision.run.size()};
}

// USD: the least that any method has found, with ten times the usual search, and what is known of all plans.
struct Known {
  double usd = 0;
  double bound = 0;
};
Known& known(const capacity::Snapshot& snapshot) {
  static std::map<std::size_t, Known> all;  // by nodes
  const auto [entry, fresh] = all.try_emplace(snapshot.nodes.size());
  if (fresh) {
    const double searched = decided(snapshot, "sextant:rounds=30000").usd;
    entry->second = {std::min(searched, decided(snapshot, "local-search").usd), bound_of(snapshot).value};
  }
  return entry->second;
}

constexpr double kRounding = 1e-9;

double share_above(double usd, double least) {
  return usd <= least * (1 + kRounding) ? 0 : 1 - least / usd;
}

// Counters: `gap` to the best bound, `above_best` to the best plan that is known, `exponent` with which time
// grows since the row before.
void decide(benchmark::State& state, const std::string& text) {
  static std::map<std::string, std::pair<std::int64_t, double>> before;  // by method: nodes, seconds
  const std::int64_t nodes = state.range(0);
  const capacity::Snapshot snapshot = drawn_instance(nodes, nodes * 9 / 2);
  Known& best = known(snapshot);
  Decided found;
  for (auto _ : state) {
    found = decided(snapshot, text);
    state.SetIterationTime(found.seconds);
  }
  best = {std::min(best.usd, found.usd), std::max(best.bound, found.bound)};
  state.counters["usd"] = found.usd;
  state.counters["gap"] = share_above(found.usd, best.bound);
  state.counters["above_best"] = share_above(found.usd, best.usd);
  state.counters["waiting"] = static_cast<double>(snapshot.jobs.size() - found.runs);
  const auto last = before.find(text);
  if (last != before.end() && last->second.first < nodes) {
    const double larger = static_cast<double>(nodes) / static_cast<double>(last->second.first);
    state.counters["exponent"] = std::log(found.seconds / last->second.second) / std::log(larger);
  }
  before[text] = {nodes, found.seconds};
}

// Nodes of the exact method: up to where it proves nothing within its time.
void few_nodes(benchmark::internal::Benchmark* row) {
  for (const std::int64_t nodes : {1, 2, 3, 4, 5, 6, 7, 8, 12, 16}) row->Arg(nodes);
  row->Iterations(1)->UseManualTime();
}

// Growth: four times the nodes and jobs a row.
void growing(benchmark::internal::Benchmark* row) {
  for (const std::int64_t nodes : {2, 6, 25, 100, 400}) row->Arg(nodes);
  row->Iterations(1)->UseManualTime();
}

BENCHMARK_CAPTURE(decide, sextant, "sextant")->Apply(growing);
BENCHMARK_CAPTURE(decide, greedy, "greedy")->Apply(growing);
BENCHMARK_CAPTURE(decide, hierarchical, "hierarchical")
    ->Arg(6)
    ->Arg(25)
    ->Arg(100)
    ->Iterations(1)
    ->UseManualTime();
BENCHMARK_CAPTURE(decide, local_search, "local-search")
    ->Arg(6)
    ->Arg(25)
    ->Arg(100)
    ->Iterations(1)
    ->UseManualTime();
BENCHMARK_CAPTURE(decide, path_relinking, "path-relinking")->Arg(6)->Arg(25)->Iterations(1)->UseManualTime();
BENCHMARK_CAPTURE(decide, sextant_few, "sextant")->Apply(few_nodes);
BENCHMARK_CAPTURE(decide, milp, "milp:seconds=20:size=100000")->Apply(few_nodes);

}  // namespace
}  // namespace sextant::bench
