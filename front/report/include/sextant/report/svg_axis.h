// An axis of a plot: its range, where a value stands on it, and ticks at round numbers.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sextant::report {

enum class AxisScale { linear, log };

// Of the values: it decides which of them are round, and how they are written. Times are seconds, and read as
// people say them: 30 s, 10 min, 6 h, 1 d.
enum class AxisUnit { number, time };

// Of a field or a metric by its name: "iteration_s" is a time.
AxisUnit unit_of(std::string_view key);

struct AxisTick {
  double value = 0;
  std::string label;  // empty: a minor tick
};

struct SvgAxis {
  AxisScale scale = AxisScale::linear;
  double low = 0;
  double high = 1;
  std::vector<AxisTick> ticks;
  // Where all values lie close together, far from zero: labels count from this value. Empty otherwise.
  std::string from = {};

  [[nodiscard]] double position(double value) const;  // 0 at low, 1 at high
};

// Covers all values with a little room. Logarithmic when all are positive.
SvgAxis axis_for(std::span<const double> values, AxisUnit unit = AxisUnit::number);
// From low to high as they are.
SvgAxis linear_axis(double low, double high, AxisUnit unit = AxisUnit::number);

}  // namespace sextant::report
