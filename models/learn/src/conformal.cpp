#include "sextant/learn/conformal.h"

#include <algorithm>
#include <cmath>

namespace sextant::learn {

std::optional<double> conformal_quantile(std::span<const double> scores, double level) {
  std::vector<double> sorted(scores.begin(), scores.end());
  std::ranges::sort(sorted);
  // The slack undoes the rounding of, say, 10 * 0.9.
  const double rank = std::ceil(static_cast<double>(sorted.size() + 1) * level - 1e-9);
  const auto k = static_cast<std::size_t>(std::max(rank, 1.0));
  if (k > sorted.size()) return std::nullopt;
  return sorted[k - 1];
}

ConformalCalibration calibrate(std::span<const Score> scores, ErrorScale scale, double level) {
  std::vector<double> all;
  std::vector<double> inside;
  std::vector<double> outside;
  for (const auto& s : scores) {
    all.push_back(s.value);
    (s.extrapolating ? outside : inside).push_back(s.value);
  }
  ConformalCalibration out;
  out.level = level;
  out.scale = scale;
  out.inside = conformal_quantile(inside, level);
  if (!out.inside) out.inside = conformal_quantile(all, level);
  if (!out.inside) return out;
  out.outside =
      std::max(ConformalCalibration::kWidening * *out.inside, conformal_quantile(outside, level).value_or(0));
  return out;
}

double score(double measured, double predicted, ErrorScale scale) {
  const double error = std::abs(measured - predicted);
  return scale == ErrorScale::relative ? error / predicted : error;
}

std::optional<stats::Interval> interval(const ConformalCalibration& calibration, double predicted,
                                        bool extrapolating) {
  const auto& width = extrapolating ? calibration.outside : calibration.inside;
  if (!width) return std::nullopt;
  if (calibration.scale == ErrorScale::absolute)
    return stats::Interval{predicted - *width, predicted + *width};
  // A measured time is positive, whatever the width.
  return stats::Interval{std::max(predicted * (1 - *width), 0.0), predicted * (1 + *width)};
}

}  // namespace sextant::learn
