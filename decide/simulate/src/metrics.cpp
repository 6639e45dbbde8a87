#include "sextant/simulate/metrics.h"

#include <algorithm>
#include <cmath>

#include "contention.h"
#include "job_times.h"
#include "sextant/stats/quantiles.h"
#include "sextant/stats/summary.h"

namespace sextant::simulate {
namespace {

constexpr double kShortestRun = 10;  // s; below it, slowdown measures noise (Feitelson and Rudolph 1998)
constexpr double kJoulesPerKwh = 3.6e6;
constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();  // of nothing

// Indices of JobSet::jobs that count.
struct Counted {
  std::size_t first = 0;
  std::size_t last = 0;
};

Counted counted(const JobWindow& window, std::size_t jobs) {
  if (window.first < 0 || window.last < window.first) {
    throw InputError("jobs " + std::to_string(window.first) + " to " + std::to_string(window.last) +
                     " are no window: it begins at 0 or later and does not end before it begins");
  }
  const auto all = static_cast<std::int64_t>(jobs);
  return {.first = static_cast<std::size_t>(std::min(window.first, all)),
          .last = static_cast<std::size_t>(std::min(window.last, all))};
}

// Per job that completed.
struct Times {
  std::vector<double> jct = {};
  std::vector<double> wait = {};  // of what started
  std::vector<double> progress = {};
  std::vector<double> ftf = {};
  std::vector<double> slowdown = {};
};

Contention contention_of(const RunResult& run, const JobSet& jobs, std::int64_t gpus) {
  std::vector<Presence> presence;
  presence.reserve(jobs.jobs.size());
  for (std::size_t i = 0; i < jobs.jobs.size(); ++i) {
    const bool done = run.jobs[i].end == JobEnd::completed;
    const double from = jobs.jobs[i].arrival.value;
    const double to = std::max(from, done ? run.jobs[i].completion.value : run.horizon.value);
    presence.push_back({.from_s = from, .to_s = to, .gpus = jobs.jobs[i].gpus});
  }
  return {presence, gpus};
}

Times times_of(const RunResult& run, const JobSet& jobs, const Contention& contention, Counted range) {
  Times times;
  for (std::size_t i = range.first; i < range.last; ++i) {
    const SimJob& job = jobs.jobs[i];
    const JobOutcome& outcome = run.jobs[i];
    if (!std::isnan(outcome.start.value)) times.wait.push_back((outcome.start - job.arrival).value);
    if (outcome.end != JobEnd::completed) continue;
    const double jct = (outcome.completion - job.arrival).value;
    const double alone = alone_s(job, jobs);
    times.jct.push_back(jct);
    times.slowdown.push_back(std::max(1.0, jct / std::max(alone, kShortestRun)));
    // Work that ends within a tick of the clock has no time of its own, and is as fair as can be.
    times.progress.push_back(jct > 0 ? alone / jct : 1);
    const double fair = alone * contention.mean(job.arrival.value, outcome.completion.value);
    times.ftf.push_back(fair > 0 ? jct / fair : 1);
  }
  return times;
}

double mean_or_nan(std::span<const double> values) {
  return values.empty() ? kNoValue : stats::mean(values);
}

double quantile_or_nan(std::span<const double> sorted, double p) {
  return sorted.empty() ? kNoValue : stats::sorted_quantile(sorted, p);
}

void set_times(Times& times, RunMetrics& metrics) {
  metrics.completed = static_cast<std::int64_t>(times.jct.size());
  metrics.mean_jct = Seconds{mean_or_nan(times.jct)};
  metrics.mean_wait = Seconds{mean_or_nan(times.wait)};
  metrics.jain = jain_index(times.progress);
  metrics.ftf_mean = mean_or_nan(times.ftf);
  metrics.slowdown_mean = mean_or_nan(times.slowdown);
  for (auto* values : {&times.jct, &times.wait, &times.ftf, &times.slowdown}) std::ranges::sort(*values);
  metrics.p50_jct = Seconds{quantile_or_nan(times.jct, 0.5)};
  metrics.p90_jct = Seconds{quantile_or_nan(times.jct, 0.9)};
  metrics.p99_jct = Seconds{quantile_or_nan(times.jct, 0.99)};
  metrics.p99_wait = Seconds{quantile_or_nan(times.wait, 0.99)};
  metrics.slowdown_p99 = quantile_or_nan(times.slowdown, 0.99);
  metrics.ftf_max = times.ftf.empty() ? kNoValue : times.ftf.back();
  const auto above = times.ftf.end() - std::ranges::upper_bound(times.ftf, 1.0);
  metrics.ftf_above =
      times.ftf.empty() ? kNoValue : static_cast<double>(above) / static_cast<double>(times.ftf.size());
}

void set_counts(const RunResult& run, const JobSet& jobs, Counted range, RunMetrics& metrics) {
  Seconds last{-std::numeric_limits<double>::infinity()};
  for (std::size_t i = range.first; i < range.last; ++i) {
    const JobOutcome& outcome = run.jobs[i];
    const bool done = outcome.end == JobEnd::completed;
    const Seconds deadline = jobs.jobs[i].deadline;
    if (done) last = std::max(last, outcome.completion);
    metrics.restarts += outcome.preemptions + outcome.crashes;
    if (!std::isfinite(deadline.value)) continue;
    ++metrics.deadlines;
    // What is unfinished has missed a deadline that has passed.
    if ((done ? outcome.completion : run.horizon) > deadline) ++metrics.deadline_misses;
  }
  metrics.jobs = static_cast<std::int64_t>(range.last - range.first);
  metrics.makespan = metrics.completed > 0 ? last - jobs.jobs[range.first].arrival : kNever;
}

void set_use(const RunResult& run, const clusters::Cluster& cluster, RunMetrics& metrics) {
  double held = 0;
  double productive = 0;
  double all = 0;
  double joules = 0;
  for (std::size_t p = 0; p < run.pools.size(); ++p) {
    const PoolUse& use = run.pools[p];
    const clusters::Pool& pool = cluster.pools.at(p);
    const double pool_held = use.productive + use.overhead + use.lost;
    const double pool_all = pool_held + use.idle + use.down;
    held += pool_held;
    productive += use.productive;
    all += pool_all;
    const double price = pool.hour_price.value > 0 ? pool.hour_price.value / 3600 : kNoValue;
    if (pool_held > 0) metrics.cost += Dollars{pool_held * price};
    if (pool_all > 0) metrics.rent += Dollars{pool_all * price};
    if (pool_held + use.idle > 0) {
      joules += pool.power.value > 0 ? pool_held * pool.power.value + use.idle * pool.idle.value : kNoValue;
    }
  }
  metrics.utilization = all > 0 ? held / all : 0;
  metrics.goodput = all > 0 ? productive / all : 0;
  metrics.energy_kwh = joules / kJoulesPerKwh;
  metrics.fragmentation = run.fragmentation;
}

}  // namespace

double alone_s(const SimJob& job, const JobSet& jobs) {
  const std::vector<double>& rate = jobs.classes.at(static_cast<std::size_t>(job.cls)).rate;
  const double best = rate.empty() ? 0 : *std::ranges::max_element(rate);
  if (!(best > 0)) throw std::logic_error("a job that runs nowhere is in the set");
  return job.work / best;
}

double jain_index(std::span<const double> values) {
  double sum = 0;
  double squares = 0;
  for (const double value : values) {
    sum += value;
    squares += value * value;
  }
  return squares > 0 ? sum * sum / (static_cast<double>(values.size()) * squares) : kNoValue;
}

std::vector<std::int32_t> unfinished_jobs(const RunResult& run, const JobWindow& window) {
  const Counted range = counted(window, run.jobs.size());
  std::vector<std::int32_t> left;
  for (std::size_t i = range.first; i < range.last; ++i) {
    if (run.jobs[i].end != JobEnd::completed) left.push_back(static_cast<std::int32_t>(i));
  }
  return left;
}

RunMetrics measure_run(const RunResult& run, const JobSet& jobs, const clusters::Cluster& cluster,
                       const JobWindow& window) {
  if (run.jobs.size() != jobs.jobs.size() || run.pools.size() != cluster.pools.size()) {
    throw std::logic_error("a run measured against other jobs or another cluster");
  }
  const Counted range = counted(window, jobs.jobs.size());
  RunMetrics metrics;
  Times times = times_of(run, jobs, contention_of(run, jobs, cluster.gpus()), range);
  set_times(times, metrics);
  set_counts(run, jobs, range, metrics);
  set_use(run, cluster, metrics);
  return metrics;
}

}  // namespace sextant::simulate
