#include "acquisition.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sextant::explore {

double normal_density(double z) {
  return std::exp(-z * z / 2) * (std::numbers::inv_sqrtpi / std::numbers::sqrt2);
}

double normal_below(double z) {
  return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

double expected_improvement(const NormalPrediction& y, double best) {
  const double gain = best - y.mean;
  if (!(y.sd > 0)) return std::max(gain, 0.0);
  const double z = gain / y.sd;
  // Far below, the two terms cancel to noise around 0.
  return std::max(gain * normal_below(z) + y.sd * normal_density(z), 0.0);
}

double chance_below(const NormalPrediction& y, double limit) {
  if (!(y.sd > 0)) return y.mean < limit ? 1 : 0;
  return normal_below((limit - y.mean) / y.sd);
}

}  // namespace sextant::explore
