// A line with non-negative coefficients, t = beta0 + beta1 c, and how well it is known.
#pragma once

#include <cstddef>
#include <span>

namespace sextant::predict {

struct LayerLine {
  double beta0 = 0;  // seconds
  double beta1 = 0;  // seconds per operation
  double s2 = 0;     // variance about the line
  double var0 = 0;   // of beta0
  double var1 = 0;   // of beta1
  double cov = 0;    // of the two
  std::size_t samples = 0;
  double largest = 0;  // count that was fitted on

  [[nodiscard]] double at(double count) const { return beta0 + beta1 * count; }
  // Of a new observation: scatter about the line, and the line's own.
  [[nodiscard]] double variance_at(double count) const;
};

inline constexpr std::size_t kFewestSamples = 4;

// Least squares under beta0 >= 0 and beta1 >= 0; at least kFewestSamples, all finite, counts not all 0.
LayerLine fit_layer_line(std::span<const double> counts, std::span<const double> times);

}  // namespace sextant::predict
