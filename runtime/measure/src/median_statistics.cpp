#include "median_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sextant/core/error.h"
#include "sextant/stats/distributions.h"
#include "sextant/stats/robust.h"
#include "sextant/stats/summary.h"
#include "sextant/stats/warm_up.h"

namespace sextant::measure {
namespace {

constexpr std::size_t kFewestRounds = 3;
constexpr std::size_t kMserValues = 20;  // four batches of five

// Largest l for which P(B < l) <= tail, B binomial with n tosses of a fair coin; 0: none.
std::size_t lower_rank(std::size_t n, double tail) {
  const auto count = static_cast<double>(n);
  double below = 0;
  for (std::size_t l = 0; l < n; ++l) {
    const auto k = static_cast<double>(l);
    below += std::exp(std::lgamma(count + 1) - std::lgamma(k + 1) - std::lgamma(count - k + 1) -
                      count * std::log(2.0));
    if (below > tail) return l;
  }
  return 0;
}

}  // namespace

stats::Interval order_statistic_interval(std::span<const double> values, double level) {
  const std::size_t l = lower_rank(values.size(), (1 - level) / 2);
  if (l == 0) return {0, std::numeric_limits<double>::infinity()};
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  return {sorted[l - 1], sorted[sorted.size() - l]};
}

MedianEstimate estimate_median(const std::vector<std::vector<double>>& rounds) {
  std::vector<double> all;
  std::vector<double> medians;
  for (const auto& round : rounds) {
    if (round.empty()) continue;
    all.insert(all.end(), round.begin(), round.end());
    medians.push_back(stats::median(round));
  }
  MedianEstimate estimate{
      .median = stats::median(all), .interval = {}, .by_rounds = medians.size() >= kFewestRounds};
  estimate.interval = estimate.by_rounds ? stats::mean_interval(medians) : order_statistic_interval(all);
  // The mean of the rounds' medians may lie beside the median of all values; the interval covers both.
  estimate.interval.low = std::max(0.0, std::min(estimate.interval.low, estimate.median));
  estimate.interval.high = std::max(estimate.interval.high, estimate.median);
  return estimate;
}

SettledFrom settled_from(std::span<const double> times, std::int64_t warmup) {
  SettledFrom found;
  if (times.size() >= kMserValues) {
    const stats::WarmUp mser = stats::mser_warm_up(times);
    found = {.drop = mser.drop, .settled = mser.settled};
  }
  found.drop = std::max(found.drop, static_cast<std::size_t>(std::max<std::int64_t>(warmup, 0)));
  found.drop = std::min(found.drop, times.size() / 2);
  return found;
}

}  // namespace sextant::measure
