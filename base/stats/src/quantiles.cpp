#include "sextant/stats/quantiles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "checks.h"

namespace sextant::stats {
namespace {

// n p is often meant to be whole (0.1 of 30 rows) and misses by rounding.
double ceil_with_slack(double x) {
  const double whole = std::round(x);
  const double slack = 4 * std::numeric_limits<double>::epsilon() * std::fmax(1.0, x);
  return std::abs(x - whole) <= slack ? whole : std::ceil(x);
}

double empirical_quantile(std::span<const double> sorted, double p) {
  const double rank = ceil_with_slack(static_cast<double>(sorted.size()) * p);
  return sorted[static_cast<std::size_t>(std::fmax(rank, 1.0)) - 1];
}

double linear_quantile(std::span<const double> sorted, double p) {
  const double at = static_cast<double>(sorted.size() - 1) * p;
  const auto below = static_cast<std::size_t>(at);
  if (below + 1 >= sorted.size()) return sorted.back();
  return std::lerp(sorted[below], sorted[below + 1], at - static_cast<double>(below));
}

}  // namespace

double sorted_quantile(std::span<const double> sorted, double p, QuantileType type) {
  stats::check_values(sorted, "quantile");
  stats::check_probability(p, "quantile");
  return type == QuantileType::empirical ? empirical_quantile(sorted, p) : linear_quantile(sorted, p);
}

double sample_quantile(std::span<const double> values, double p, QuantileType type) {
  std::vector<double> sorted(values.begin(), values.end());
  stats::check_values(sorted, "quantile");  // before sorting: NaN has no order
  std::ranges::sort(sorted);
  return sorted_quantile(sorted, p, type);
}

}  // namespace sextant::stats
