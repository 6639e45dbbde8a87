#include "round_times.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "median_statistics.h"
#include "sextant/stats/quantiles.h"
#include "sextant/stats/robust.h"
#include "sextant/stats/summary.h"

namespace sextant::measure {
namespace {

constexpr std::array<double IterationTimes::*, 7> kParts = {
    &IterationTimes::total_s,    &IterationTimes::input_s,         &IterationTimes::forward_s,
    &IterationTimes::backward_s, &IterationTimes::communication_s, &IterationTimes::exposed_communication_s,
    &IterationTimes::optimizer_s};

std::vector<const WorkerReport*> workers_of(const TrialOutcome& outcome) {
  std::vector<const WorkerReport*> workers;
  for (const WorkerReport& report : outcome.ranks) {
    if (!report.iterations.empty()) workers.push_back(&report);
  }
  return workers;
}

std::size_t common_length(const std::vector<const WorkerReport*>& workers) {
  std::size_t length = workers.empty() ? 0 : workers[0]->iterations.size();
  for (const WorkerReport* worker : workers) length = std::min(length, worker->iterations.size());
  return length;
}

IterationTimes mean_times(const std::vector<const WorkerReport*>& workers, std::size_t iteration) {
  IterationTimes times;
  for (const auto part : kParts) {
    for (const WorkerReport* worker : workers) times.*part += worker->iterations[iteration].*part;
    times.*part /= static_cast<double>(workers.size());
  }
  return times;
}

std::vector<double> mean_losses(const std::vector<const WorkerReport*>& workers, std::size_t length) {
  std::vector<double> losses;
  for (std::size_t i = 0; i < length; ++i) {
    double sum = 0;
    for (const WorkerReport* worker : workers) {
      if (worker->losses.size() <= i) return losses;
      sum += worker->losses[i];
    }
    losses.push_back(sum / static_cast<double>(workers.size()));
  }
  return losses;
}

// Reports count bytes from the end of the asked warm-up on.
WireBytes mean_bytes(const Trial& trial, const std::vector<const WorkerReport*>& workers) {
  WireBytes sum{.payload = 0, .theoretical = 0, .kernel = 0.0};
  for (const WorkerReport* worker : workers) {
    const auto made = static_cast<std::int64_t>(worker->iterations.size());
    const std::int64_t before = std::clamp<std::int64_t>(trial.warmup - worker->first_iteration, 0, made);
    const auto counted = static_cast<double>(std::max<std::int64_t>(1, made - before));
    sum.payload += worker->bytes.payload / counted;
    sum.theoretical += worker->bytes.theoretical / counted;
    if (sum.kernel && worker->bytes.kernel) *sum.kernel += *worker->bytes.kernel / counted;
    if (!worker->bytes.kernel) sum.kernel.reset();
  }
  const auto count = static_cast<double>(workers.size());
  sum.payload /= count;
  sum.theoretical /= count;
  if (sum.kernel) *sum.kernel /= count;
  return sum;
}

}  // namespace

RoundTimes read_round(const Trial& trial, const TrialOutcome& outcome) {
  RoundTimes round;
  const std::vector<const WorkerReport*> workers = workers_of(outcome);
  if (workers.empty()) return round;
  const std::size_t length = common_length(workers);
  std::vector<double> slowest(length, 0);
  for (std::size_t i = 0; i < length; ++i) {
    for (const WorkerReport* worker : workers)
      slowest[i] = std::max(slowest[i], worker->iterations[i].total_s);
  }
  const SettledFrom from = settled_from(slowest, trial.warmup);
  round.dropped = from.drop;
  round.settled = from.settled;
  round.slowest.assign(slowest.begin() + static_cast<std::ptrdiff_t>(from.drop), slowest.end());
  for (std::size_t i = from.drop; i < length; ++i) round.mean_worker.push_back(mean_times(workers, i));
  for (const WorkerReport* worker : workers) {
    std::vector<double>& totals = round.by_worker.emplace_back();
    for (std::size_t i = from.drop; i < length; ++i) totals.push_back(worker->iterations[i].total_s);
  }
  round.losses = mean_losses(workers, length);
  round.bytes = mean_bytes(trial, workers);
  return round;
}

namespace {

// Workers of a strategy without a barrier do not wait for each other: their rates add.
double samples_per_second(const std::vector<RoundTimes>& rounds, const Trial& trial) {
  const std::size_t processes = rounds[0].by_worker.size();
  const auto samples =
      static_cast<double>(trial.job.sizes.batch * trial.workers) / static_cast<double>(processes);
  double rate = 0;
  for (std::size_t worker = 0; worker < processes; ++worker) {
    std::vector<double> totals;
    for (const RoundTimes& round : rounds) {
      if (worker >= round.by_worker.size()) continue;
      totals.insert(totals.end(), round.by_worker[worker].begin(), round.by_worker[worker].end());
    }
    const double typical = stats::median(totals);
    if (typical > 0) rate += samples / typical;
  }
  return rate;
}

IterationTimes median_times(const std::vector<RoundTimes>& rounds) {
  IterationTimes times;
  for (const auto part : kParts) {
    std::vector<double> values;
    for (const RoundTimes& round : rounds) {
      for (const IterationTimes& iteration : round.mean_worker) values.push_back(iteration.*part);
    }
    times.*part = stats::median(values);
  }
  return times;
}

}  // namespace

void summarize_rounds(const std::vector<RoundTimes>& rounds, double precision, TrialResult& result) {
  result.rounds = static_cast<std::int64_t>(rounds.size());
  if (rounds.empty() || rounds[0].slowest.empty()) {
    result.precise = !rounds.empty();  // operators alone: their own repetitions decide
    return;
  }
  std::vector<std::vector<double>> times;
  result.iteration_times.clear();
  result.round_medians.clear();
  for (const RoundTimes& round : rounds) {
    times.push_back(round.slowest);
    result.iteration_times.insert(result.iteration_times.end(), round.slowest.begin(), round.slowest.end());
    result.round_medians.push_back(stats::median(round.slowest));
  }
  const MedianEstimate estimate = estimate_median(times);
  const std::vector<double>& all = result.iteration_times;
  result.iteration_s = {.median = estimate.median,
                        .p10 = stats::sample_quantile(all, 0.1),
                        .p90 = stats::sample_quantile(all, 0.9)};
  result.median_interval = estimate.interval;
  result.precise = estimate.interval.width() / 2 <= precision * estimate.median;
  result.breakdown = median_times(rounds);
  result.bytes_per_iteration = rounds.back().bytes;
  result.samples_per_s = samples_per_second(rounds, result.trial);
  result.losses = rounds[0].losses;
  result.loss = rounds.back().losses.empty() ? 0 : rounds.back().losses.back();
  result.measured = static_cast<std::int64_t>(all.size());
  result.warmup_dropped = 0;
  for (const RoundTimes& round : rounds) result.warmup_dropped += static_cast<std::int64_t>(round.dropped);
  result.outliers = std::ranges::count(stats::outlier_marks(all), true);
}

}  // namespace sextant::measure
