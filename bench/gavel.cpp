// Gavel's simulator, relative to adding up as many numbers as it has job-rounds: 500 jobs of one GPU each on
// 3 x 36 GPUs, at a load like that of the runs that Gavel's authors show.
#include "sextant/simulate/gavel.h"

#include <cmath>
#include <numeric>

#include "ratio.h"
#include "sextant/core/rng.h"

namespace sextant::bench {
namespace {

clusters::Cluster three_types() {
  return {.name = "bench",
          .pools = {{.type = "v100", .gpus = 36}, {.type = "p100", .gpus = 36}, {.type = "k80", .gpus = 36}}};
}

// Poisson arrivals every 720 s; lengths on the fastest type 10^U(1.5,3) minutes, or one in five 10^U(3,4).
simulate::JobSet poisson_jobs(std::size_t count) {
  simulate::JobSet jobs;
  Rng rng = Rng(1).stream("bench");
  constexpr std::int32_t kClasses = 26;
  for (std::int32_t c = 0; c < kClasses; ++c) {
    const double rate = 5 * std::pow(10, rng.uniform());
    const double slower = 0.3 + 0.5 * rng.uniform();
    jobs.classes.push_back({.rate = {rate, rate * slower, rate * slower * 0.4}});
  }
  double arrival_s = 0;
  for (std::size_t j = 0; j < count; ++j) {
    const auto cls = static_cast<std::int32_t>(rng.below(kClasses));
    const bool is_long = rng.uniform() >= 0.8;
    const double exponent = is_long ? 3 + rng.uniform() : 1.5 + 1.5 * rng.uniform();
    const double seconds = 60 * std::pow(10, exponent);
    jobs.jobs.push_back({.arrival = Seconds{arrival_s},
                         .work = std::ceil(seconds * jobs.classes[static_cast<std::size_t>(cls)].rate[0]),
                         .cls = cls,
                         .source = static_cast<std::int32_t>(j)});
    arrival_s += rng.exponential(720);
  }
  return jobs;
}

double job_rounds(const simulate::RunResult& run) {
  double seconds = 0;
  for (const simulate::JobOutcome& job : run.jobs) seconds += job.executed.value;
  return seconds / 360;
}

void rounds_against_sums(benchmark::State& state, const char* policy) {
  const simulate::JobSet jobs = poisson_jobs(static_cast<std::size_t>(state.range(0)));
  const clusters::Cluster cluster = three_types();
  const simulate::GavelOptions options{.policy = schedule::parse_policy(policy)};
  const simulate::RunResult once = simulate_gavel(jobs, cluster, options);
  const std::vector<double> numbers(static_cast<std::size_t>(job_rounds(once)), 360.0);
  report_ratio(
      state, [&] { return simulate_gavel(jobs, cluster, options).horizon.value; },
      [&] { return std::accumulate(numbers.begin(), numbers.end(), 0.0); });
  state.counters["job_rounds"] = job_rounds(once);
  state.counters["rounds"] = static_cast<double>(once.rounds);
}
BENCHMARK_CAPTURE(rounds_against_sums, fifo_perf, "gavel-fifo-perf")
    ->Arg(500)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(rounds_against_sums, isolated, "isolated")
    ->Arg(500)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(rounds_against_sums, allox, "allox")
    ->Arg(500)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sextant::bench
