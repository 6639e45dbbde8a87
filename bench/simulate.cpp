// Whole runs: jobs with Poisson arrivals and heavy-tailed durations on 16,384 GPUs of four types. The ratio
// is the time per job relative to that of a run of 10^4 jobs; growing like log n would give 1.25 at 10^5
// and 1.5 at 10^6. At a load of 0.9 almost everybody finds a GPU at once; at 1.1 the queue grows for as long
// as jobs arrive, and every arrival stops somebody.
#include <sys/resource.h>

#include <array>
#include <cmath>
#include <string>

#include "ratio.h"
#include "sextant/core/rng.h"
#include "sextant/simulate/run.h"

namespace sextant::bench {
namespace {

constexpr std::array kSpeeds = {1.0, 0.7, 0.5, 0.3};
constexpr std::array kSizes = {1, 2, 4, 8};
constexpr std::array kShares = {0.70, 0.10, 0.15, 0.05};
constexpr std::int64_t kGpusOfAType = 4096;  // of each type
constexpr double kMedian = 600;              // seconds on the fastest type
constexpr double kSigma = 1.5;  // of the logarithm: the mean is 3.1 medians, the 99th percentile 33

clusters::Cluster four_types() {
  clusters::Cluster cluster{"four types", {}};
  for (const double speed : kSpeeds) {
    cluster.pools.push_back({.type = "x" + std::to_string(speed),
                             .gpus = kGpusOfAType,
                             .per_node = 8,
                             .nodes_per_rack = 16,
                             .speed = speed});
  }
  return cluster;
}

// Work of jobs per second is `load` times what the GPUs can do.
simulate::JobSet poisson_jobs(std::int64_t count, double load) {
  simulate::JobSet set;
  for (const int gpus : kSizes) {
    set.classes.push_back({.gpus = gpus,
                           .rate = {kSpeeds.begin(), kSpeeds.end()},
                           .across_nodes = std::vector<double>(kSpeeds.size(), 1.0),
                           .across_racks = std::vector<double>(kSpeeds.size(), 1.0)});
  }
  double mean_gpus = 0;
  for (std::size_t i = 0; i < kSizes.size(); ++i) mean_gpus += kSizes[i] * kShares[i];
  double capacity = 0;
  for (const double speed : kSpeeds) capacity += speed * static_cast<double>(kGpusOfAType);
  const double mean_work = kMedian * std::exp(kSigma * kSigma / 2);
  const double gap = mean_gpus * mean_work / (load * capacity);
  Rng arrivals = Rng(7).stream("arrivals");
  Rng durations = Rng(7).stream("durations");
  Rng sizes = Rng(7).stream("sizes");
  double now = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    now += arrivals.exponential(gap);
    double left = sizes.uniform();
    std::size_t size = 0;
    while (size + 1 < kShares.size() && left >= kShares[size]) left -= kShares[size++];
    set.jobs.push_back({.arrival = Seconds{now},
                        .work = kMedian * std::exp(kSigma * durations.normal()),
                        .deadline = Seconds{std::numeric_limits<double>::infinity()},
                        .gpus = kSizes[size],
                        .cls = static_cast<std::int32_t>(size),
                        .source = static_cast<std::int32_t>(i)});
  }
  return set;
}

double peak_gib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / (1024 * 1024);
}

void simulate_jobs(benchmark::State& state, const char* policy, double load) {
  const clusters::Cluster cluster = four_types();
  const simulate::RunOptions options{.policy = schedule::parse_policy(policy)};
  const std::int64_t count = state.range(0);
  const simulate::JobSet few = poisson_jobs(10'000, load);
  const simulate::JobSet many = poisson_jobs(count, load);
  double seconds = 0;
  double baseline = 0;
  simulate::RunResult run;
  for ([[maybe_unused]] auto iteration : state) {
    baseline = seconds_of([&] { return simulate::simulate(few, cluster, options).events; });
    seconds = seconds_of([&] { return (run = simulate::simulate(many, cluster, options)).events; });
    state.SetIterationTime(seconds);
  }
  double preemptions = 0;
  for (const simulate::JobOutcome& job : run.jobs) preemptions += job.preemptions;
  const auto jobs = static_cast<double>(count);
  state.counters["ratio"] = seconds / jobs / (baseline / 1e4);
  state.counters["us/job"] = 1e6 * seconds / jobs;
  state.counters["events/s"] = static_cast<double>(run.events) / seconds;
  state.counters["stops/job"] = preemptions / jobs;
  state.counters["GiB"] = peak_gib();
}

void simulate_srtf(benchmark::State& state) {
  simulate_jobs(state, "srtf", 0.9);
}
void simulate_srtf_crowded(benchmark::State& state) {
  simulate_jobs(state, "srtf", 1.1);
}
void simulate_fifo(benchmark::State& state) {
  simulate_jobs(state, "fifo", 0.9);
}
void simulate_las(benchmark::State& state) {
  simulate_jobs(state, "las", 0.9);
}
BENCHMARK(simulate_srtf)
    ->RangeMultiplier(10)
    ->Range(10'000, 1'000'000)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(simulate_srtf_crowded)
    ->RangeMultiplier(10)
    ->Range(10'000, 1'000'000)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(simulate_fifo)->Arg(1'000'000)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(simulate_las)->Arg(1'000'000)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sextant::bench
