#include "sextant/failures/forecast.h"

#include <algorithm>
#include <cmath>

#include "sextant/core/error.h"
#include "sextant/stats/quantiles.h"

namespace sextant::failures {
namespace {

// Blocks keep what comes together together; with too few of them resamples are all alike.
constexpr int kBlocks = 10;
constexpr double kLevel = 0.9;
// Young's interval is within a factor of 4 of the best one, whatever the burstiness of recorded failures.
constexpr int kGridSteps = 16;
constexpr double kGridRange = 4;

// The circular block bootstrap: blocks of the interruptions, cut out anywhere, one after the other, with time
// running `rate` times as fast.
Interruptions resample(const Interruptions& job, double rate, Rng& rng) {
  const Seconds length = job.period / kBlocks;
  Interruptions resampled{.at = {}, .period = job.period / rate};
  for (int block = 0; block < kBlocks; ++block) {
    const Seconds from = rng.uniform() * job.period;
    std::vector<Seconds> inside;
    for (const Seconds at : job.at) {
      const Seconds after = at < from ? at - from + job.period : at - from;
      if (after < length) inside.push_back((after + static_cast<double>(block) * length) / rate);
    }
    std::ranges::sort(inside);
    resampled.at.insert(resampled.at.end(), inside.begin(), inside.end());
  }
  return resampled;
}

}  // namespace

double rate_drift(std::span<const FailureLog> logs, std::size_t fewest) {
  double squares = 0;
  double counted = 0;
  for (const FailureLog& log : logs) {
    if (log.nodes < 2 || log.failures.size() < fewest) continue;
    const auto second = std::ranges::count_if(
        log.failures, [&](const Failure& failure) { return failure.at >= log.period / 2; });
    const auto first = std::ssize(log.failures) - second;
    if (first == 0 || second == 0) continue;
    const double ratio = std::log(static_cast<double>(second) / static_cast<double>(first));
    squares += ratio * ratio;
    counted += 1;
  }
  if (counted == 0) throw InputError("no log has failures enough to tell how rates change");
  return std::sqrt(squares / counted);
}

JobForecaster::JobForecaster(const FailureLog& log, const JobOnNodes& job, const Rng& rng,
                             ForecastOptions options)
    : costs_(job.costs),
      young_(young_interval(job.costs.checkpoint, mtbf_of_nodes(log.node_mtbf(), job.nodes))),
      jobs_(draw_jobs(log, job.nodes, options.draws, rng)) {
  if (!(young_.value > 0))
    throw InputError(at_field("checkpoint_cost"), "checkpoints that cost nothing are written all the time");
  for (std::int64_t i = 0; i < options.resamples; ++i) {
    Rng own = rng.stream("resample", static_cast<std::uint64_t>(i));
    const double rate = std::exp(options.drift * own.normal());
    resampled_.push_back(resample(jobs_[own.below(jobs_.size())], rate, own));
  }
}

Forecast JobForecaster::at(Seconds every) const {
  std::vector<double> goodputs;
  for (const Interruptions& job : resampled_) goodputs.push_back(goodput(job, costs_, every));
  std::ranges::sort(goodputs);
  const double mean = replayed(every);
  return {.goodput = mean,
          .low = std::min(mean, stats::sorted_quantile(goodputs, (1 - kLevel) / 2)),
          .high = std::max(mean, stats::sorted_quantile(goodputs, (1 + kLevel) / 2))};
}

Seconds JobForecaster::best_interval() const {
  Seconds best = young_;
  double most = replayed(best);
  for (int step = -kGridSteps; step <= kGridSteps; ++step) {
    const Seconds every = std::pow(kGridRange, static_cast<double>(step) / kGridSteps) * young_;
    const double share = replayed(every);
    if (share <= most) continue;
    most = share;
    best = every;
  }
  return best;
}

double JobForecaster::replayed(Seconds every) const {
  return mean_goodput(jobs_, costs_, every);
}

}  // namespace sextant::failures
