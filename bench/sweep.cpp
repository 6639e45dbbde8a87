// A sweep of small simulations on two threads against one.
#include "sextant/simulate/sweep.h"

#include "ratio.h"
#include "sextant/core/rng.h"

namespace sextant::bench {
namespace {

constexpr int kJobs = 40;
constexpr std::int64_t kSweepRuns = 10'000;

std::shared_ptr<const jobs::Trace> small_trace(std::uint64_t seed) {
  auto trace = std::make_shared<jobs::Trace>();
  Rng gaps = Rng(seed).stream("gaps");
  Rng sizes = Rng(seed).stream("sizes");
  double now = 0;
  for (int i = 0; i < kJobs; ++i) {
    const double size = sizes.exponential(3600);
    trace->jobs.push_back(
        {.id = std::to_string(i), .arrival_s = now, .gpus = 1 << (i % 4), .work = size + 1});
    now += gaps.exponential(600);
  }
  return trace;
}

std::vector<simulate::SweepRun> sweep_on(std::size_t threads) {
  simulate::SweepPlan plan;
  plan.trace = small_trace;
  plan.clusters = {{.name = "small", .pools = {{.type = "gpu", .gpus = 32}}}};
  plan.policies = {schedule::parse_policy("srtf")};
  plan.seeds = kSweepRuns;
  plan.threads = threads;
  NoProgress quiet;
  return sweep(plan, quiet);
}

// ratio: seconds on two threads / seconds on one; speedup: its inverse.
void sweep_two_threads(benchmark::State& state) {
  report_ratio(
      state, [] { return sweep_on(2); }, [] { return sweep_on(1); });
  state.counters["speedup"] = 1 / state.counters["ratio"];
  state.counters["simulations"] = static_cast<double>(kSweepRuns);
}
BENCHMARK(sweep_two_threads)->UseManualTime()->Iterations(15)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sextant::bench
