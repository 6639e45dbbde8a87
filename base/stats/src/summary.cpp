#include "sextant/stats/summary.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "checks.h"
#include "sextant/core/error.h"
#include "sextant/stats/distributions.h"
#include "sextant/stats/quantiles.h"
#include "sum.h"

namespace sextant::stats {

double sum(std::span<const double> values) {
  if (values.empty()) return 0;
  stats::check_values(values, "sum");
  stats::CompensatedSum total;
  for (const double v : values) total.add(v);
  return total.value();
}

double mean(std::span<const double> values) {
  stats::check_values(values, "mean");
  // Equal values have that mean exactly, which sum / n would miss by rounding.
  if (stats::all_equal(values)) return values.front();
  return sum(values) / static_cast<double>(values.size());
}

double weighted_mean(std::span<const double> values, std::span<const double> weights) {
  stats::check_values(values, "weighted mean");
  stats::check_weights(weights, values.size(), "weighted mean");
  if (stats::all_equal(values)) return values.front();
  stats::CompensatedSum top;
  for (std::size_t i = 0; i < values.size(); ++i) top.add(weights[i] * values[i]);
  return top.value() / sum(weights);
}

double variance(std::span<const double> values) {
  stats::check_values(values, "variance");
  stats::check_count(values.size(), 2, "variance");
  return stats::centred_square_sum(values, mean(values)) / static_cast<double>(values.size() - 1);
}

double standard_deviation(std::span<const double> values) {
  return std::sqrt(variance(values));
}

double correlation(std::span<const double> a, std::span<const double> b) {
  stats::check_values(a, "correlation");
  stats::check_values(b, "correlation");
  stats::check_same_length(a.size(), b.size(), "correlation");
  stats::check_count(a.size(), 2, "correlation");
  if (stats::all_equal(a) || stats::all_equal(b)) {
    throw InputError({}, "correlation with a constant is undefined", "drop constant columns first");
  }
  const double mean_a = mean(a);
  const double mean_b = mean(b);
  stats::CompensatedSum cross;
  for (std::size_t i = 0; i < a.size(); ++i) cross.add((a[i] - mean_a) * (b[i] - mean_b));
  const double spread_a = std::sqrt(stats::centred_square_sum(a, mean_a));
  const double spread_b = std::sqrt(stats::centred_square_sum(b, mean_b));
  return std::clamp(cross.value() / spread_a / spread_b, -1.0, 1.0);
}

Summary summarize(std::span<const double> values) {
  stats::check_values(values, "summary");
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  return {.count = sorted.size(),
          .mean = mean(sorted),
          .sd = sorted.size() > 1 ? standard_deviation(sorted) : 0,
          .min = sorted.front(),
          .q25 = sorted_quantile(sorted, 0.25),
          .median = sorted_quantile(sorted, 0.5),
          .q75 = sorted_quantile(sorted, 0.75),
          .max = sorted.back()};
}

Interval mean_interval(std::span<const double> values, double level) {
  const double centre = mean(values);
  stats::check_count(values.size(), 2, "interval of the mean");
  const auto n = static_cast<double>(values.size());
  const double half = two_sided_quantile(StudentT{n - 1}, level) * standard_deviation(values) / std::sqrt(n);
  return {centre - half, centre + half};
}

}  // namespace sextant::stats
