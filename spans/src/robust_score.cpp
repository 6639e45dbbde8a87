#include "robust_score.h"

#include <algorithm>
#include <cmath>

#include "sextant/core/stats/robust.h"

namespace sextant {

RobustScale robust_scale(std::span<const double> values) {
  RobustScale scale;
  scale.center = median(values);
  scale.sigma = std::max(mad(values), kSigmaFloor * std::abs(scale.center));
  return scale;
}

}  // namespace sextant
