// Split-conformal intervals (Vovk et al. 2005; Lei et al. 2018): how far left-out rows were off, at the
// rank that makes the stated share hold for a new row like them. Rows unlike them get a wider interval.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sextant/stats/interval.h"

namespace sextant::learn {

// The ceil((n + 1) level)-th smallest score; none when n is too small for that (9 rows for 90 %).
std::optional<double> conformal_quantile(std::span<const double> scores, double level);

struct Score {
  double value = 0;  // |y - p| / p of a positive response, |y - p| otherwise
  bool extrapolating = false;
};

enum class ErrorScale { relative, absolute };

// Half-widths at `level`. Outside the range of training it is that of left-out rows that were outside,
// and at least kWidening times the one inside.
struct ConformalCalibration {
  static constexpr double kWidening = 1.5;

  double level = 0.9;
  ErrorScale scale = ErrorScale::relative;
  std::optional<double> inside;  // none: too few rows, no interval
  std::optional<double> outside;

  bool operator==(const ConformalCalibration&) const = default;
};

ConformalCalibration calibrate(std::span<const Score> scores, ErrorScale scale, double level = 0.9);
double score(double measured, double predicted, ErrorScale scale);
// None where the calibration has no width. A relative interval stays positive.
std::optional<stats::Interval> interval(const ConformalCalibration& calibration, double predicted,
                                        bool extrapolating);

}  // namespace sextant::learn
