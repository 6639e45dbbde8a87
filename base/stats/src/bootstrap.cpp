#include "sextant/stats/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "checks.h"
#include "sextant/core/error.h"
#include "sextant/stats/distributions.h"
#include "sextant/stats/quantiles.h"
#include "sextant/stats/summary.h"

namespace sextant::stats {
namespace {

void check_options(std::size_t rows, const BootstrapOptions& options) {
  stats::check_count(rows, 2, "bootstrap");
  stats::check_level(options.level);
  const double tail = static_cast<double>(options.resamples) * (1 - options.level);
  if (options.resamples < 2 || tail < 2 - 1e-9) {
    throw InputError({},
                     "bootstrap: " + std::to_string(options.resamples) +
                         " resamples are too few for this level: fewer than one falls outside each end",
                     "2000 serve up to level 0.99");
  }
}

double finite_or_throw(double value, const std::string& where) {
  if (const std::string fault = stats::fault_of(value); !fault.empty()) {
    throw InputError({}, "bootstrap: the statistic " + fault + " on " + where,
                     "make the statistic defined for samples with repeats");
  }
  return value;
}

std::vector<double> replicate(std::size_t rows, const RowStatistic& statistic, const Rng& rng,
                              std::size_t count) {
  std::vector<double> out(count);
  std::vector<std::size_t> chosen(rows);
  for (std::size_t i = 0; i < count; ++i) {
    Rng draw = rng.stream("bootstrap", i);
    for (auto& row : chosen) row = static_cast<std::size_t>(draw.below(rows));
    out[i] = finite_or_throw(statistic(chosen), "resample " + std::to_string(i + 1));
  }
  std::ranges::sort(out);
  return out;
}

// Acceleration: a sixth of the skewness of the leave-one-out estimates.
double acceleration(std::size_t rows, const RowStatistic& statistic) {
  std::vector<double> left_out(rows);
  std::vector<std::size_t> kept(rows - 1);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k + 1 < rows; ++k) kept[k] = k < i ? k : k + 1;
    left_out[i] = finite_or_throw(statistic(kept), "the sample without row " + std::to_string(i + 1));
  }
  const double centre = mean(left_out);
  double square = 0;
  double cube = 0;
  for (const double v : left_out) {
    square += (centre - v) * (centre - v);
    cube += (centre - v) * (centre - v) * (centre - v);
  }
  return square > 0 ? cube / (6 * std::pow(square, 1.5)) : 0;
}

// Normal quantile of the share of replicates below the estimate, ties counted half. The share is
// kept half a replicate away from 0 and 1, where the correction would be infinite.
double bias_correction(std::span<const double> sorted, double estimate) {
  const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), estimate);
  const auto below = static_cast<double>(first - sorted.begin());
  const auto equal = static_cast<double>(last - first);
  const auto count = static_cast<double>(sorted.size());
  return quantile(Normal{}, std::clamp((below + equal / 2) / count, 0.5 / count, 1 - 0.5 / count));
}

Interval bca_interval(const BootstrapResult& result, double a, double level) {
  const double z0 = bias_correction(result.replicates, result.estimate);
  const auto corrected = [&](double p) {
    const double z = z0 + quantile(Normal{}, p);
    const double stretch = 1 - a * z;
    // Past the pole of the correction the quantile is the extreme one on that side.
    if (stretch <= 0) return z > 0 ? 1.0 : 0.0;
    return cdf(Normal{}, z0 + z / stretch);
  };
  const double tail = (1 - level) / 2;
  return {sorted_quantile(result.replicates, corrected(tail)),
          sorted_quantile(result.replicates, corrected(1 - tail))};
}

}  // namespace

BootstrapResult bootstrap_rows(std::size_t rows, const RowStatistic& statistic, const Rng& rng,
                               const BootstrapOptions& options) {
  check_options(rows, options);
  std::vector<std::size_t> all(rows);
  for (std::size_t i = 0; i < rows; ++i) all[i] = i;
  BootstrapResult result;
  result.estimate = finite_or_throw(statistic(all), "the whole sample");
  result.replicates = replicate(rows, statistic, rng, options.resamples);
  result.bias = mean(result.replicates) - result.estimate;
  result.standard_error = standard_deviation(result.replicates);
  const double tail = (1 - options.level) / 2;
  if (options.method == BootstrapMethod::bca && result.standard_error > 0) {
    result.interval = bca_interval(result, acceleration(rows, statistic), options.level);
  } else {
    result.interval = {sorted_quantile(result.replicates, tail),
                       sorted_quantile(result.replicates, 1 - tail)};
  }
  return result;
}

BootstrapResult bootstrap(std::span<const double> values, const SampleStatistic& statistic, const Rng& rng,
                          const BootstrapOptions& options) {
  stats::check_values(values, "bootstrap");
  std::vector<double> sample;
  const auto on_rows = [&](std::span<const std::size_t> rows) {
    sample.resize(rows.size());
    std::ranges::transform(rows, sample.begin(), [&](std::size_t i) { return values[i]; });
    return statistic(sample);
  };
  return bootstrap_rows(values.size(), on_rows, rng, options);
}

}  // namespace sextant::stats
