#include "value_scale.h"

#include <algorithm>
#include <cmath>

namespace sextant::explore {

double ValueScale::to_model(double metric) const {
  return (sign * (log ? std::log(metric) : metric) - centre) / spread;
}

double ValueScale::to_metric(double model) const {
  const double raw = sign * (model * spread + centre);
  return log ? std::exp(raw) : raw;
}

double ValueScale::relative(double gap, double metric) const {
  if (log) return sign > 0 ? -std::expm1(-gap) : std::expm1(gap);
  return gap * spread / std::max(std::abs(metric), 1e-300);
}

ValueScale scale_of_values(std::span<const double> metrics, bool maximise) {
  ValueScale scale{.log = std::ranges::all_of(metrics, [](double x) { return x > 0; }),
                   .sign = maximise ? -1.0 : 1.0};
  // Squares of the largest doubles overflow: sum values that were divided first.
  const auto count = static_cast<double>(metrics.size());
  double centre = 0;
  for (const double x : metrics) centre += (scale.log ? std::log(x) : x) / count;
  double largest = 0;
  for (const double x : metrics)
    largest = std::max(largest, std::abs((scale.log ? std::log(x) : x) - centre));
  scale.centre = scale.sign * centre;
  if (scale.log || !(largest > 0) || !std::isfinite(largest)) return scale;
  double squares = 0;
  for (const double x : metrics) squares += (x - centre) / largest * ((x - centre) / largest) / count;
  scale.spread = largest * std::sqrt(squares);
  return scale;
}

}  // namespace sextant::explore
