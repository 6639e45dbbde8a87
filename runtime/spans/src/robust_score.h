// Distance from the median in units of the median absolute deviation (Iglewicz, Hoaglin 1993), which is not
// taken to be below 1 % of the median: where all but one agree, the one that differs by nothing is no
// outlier.
#pragma once

#include <span>
#include <vector>

namespace sextant::spans {

struct RobustScale {
  double center = 0;
  double sigma = 0;  // 1.4826 MAD
  [[nodiscard]] double score(double value) const { return sigma > 0 ? (value - center) / sigma : 0; }
};

RobustScale robust_scale(std::span<const double> values);
constexpr double kOutlierScore = 3.5;
constexpr double kSigmaFloor = 1.4826 * 0.01;  // of the median

}  // namespace sextant::spans
