#include "robust_score.h"

#include <algorithm>
#include <cmath>

#include "sextant/stats/robust.h"

namespace sextant::spans {

RobustScale robust_scale(std::span<const double> values) {
  RobustScale scale;
  scale.center = stats::median(values);
  scale.sigma = std::max(stats::mad(values), kSigmaFloor * std::abs(scale.center));
  return scale;
}

}  // namespace sextant::spans
