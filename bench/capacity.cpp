// Decisions of planning methods on drawn instances: seconds, gap to the bound, and how both grow with nodes
// and jobs (4.5 jobs to a node). The exact method stands beside them up to where it stops scaling.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <string>

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

void decide(benchmark::State& state, const std::string& text) {
  const std::int64_t nodes = state.range(0);
  const capacity::Snapshot snapshot = drawn_instance(nodes, nodes * 9 / 2);
  const capacity::MethodChoice choice = capacity::parse_method(text);
  capacity::Decision decision;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    decision = choice.method->make({.parameters = choice.parameters})->decide(snapshot);
    state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  const double cost = cost_of(snapshot, decision).total().value;
  const double best_bound = std::max(bound_of(snapshot).value, decision.bound.value_or(0));
  state.counters["usd"] = cost;
  state.counters["gap"] = cost <= 0 ? 0 : 1 - best_bound / cost;
  state.counters["waiting"] = static_cast<double>(snapshot.jobs.size() - decision.run.size());
}

// Nodes of the exact method: one row for each, up to where it proves nothing within its time.
void few_nodes(benchmark::internal::Benchmark* row) {
  for (std::int64_t nodes = 1; nodes <= 8; ++nodes) row->Arg(nodes);
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
BENCHMARK_CAPTURE(decide, milp, "milp:seconds=20")->Apply(few_nodes);

}  // namespace
}  // namespace sextant::bench
