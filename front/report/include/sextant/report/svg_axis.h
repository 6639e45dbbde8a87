// An axis of a plot: its range, where a value stands on it, and ticks at round numbers.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace sextant::report {

enum class AxisScale { linear, log };

struct AxisTick {
  double value = 0;
  std::string label;  // empty: a minor tick
};

struct SvgAxis {
  AxisScale scale = AxisScale::linear;
  double low = 0;
  double high = 1;
  std::vector<AxisTick> ticks;

  [[nodiscard]] double position(double value) const;  // 0 at low, 1 at high
};

// Covers all values with a little room. Logarithmic when all are positive.
SvgAxis axis_for(std::span<const double> values);
// From low to high as they are.
SvgAxis linear_axis(double low, double high);

}  // namespace sextant::report
