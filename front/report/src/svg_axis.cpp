#include "sextant/report/svg_axis.h"

#include <algorithm>
#include <cmath>

#include "axis_ticks.h"

namespace sextant::report {
namespace {

constexpr double kRoom = 0.04;  // of the range, on both sides

}  // namespace

AxisUnit unit_of(std::string_view key) {
  const bool rate = key.ends_with("_per_s");  // samples_per_s
  return key.ends_with("_s") && !rate ? AxisUnit::time : AxisUnit::number;
}

double SvgAxis::position(double value) const {
  if (scale == AxisScale::log) return std::log(value / low) / std::log(high / low);
  return (value - low) / (high - low);
}

SvgAxis axis_for(std::span<const double> values, AxisUnit unit) {
  const auto [least, most] = std::ranges::minmax(values);
  if (least > 0) {
    const double room = std::max(std::pow(most / least, kRoom), 1.02);
    SvgAxis axis{.scale = AxisScale::log, .low = least / room, .high = most * room, .ticks = {}};
    set_log_ticks(axis, unit);
    return axis;
  }
  const double range = most > least ? most - least : std::max(std::abs(most), 1.0);
  return linear_axis(least - kRoom * range, most + kRoom * range, unit);
}

SvgAxis linear_axis(double low, double high, AxisUnit unit) {
  SvgAxis axis{.low = low, .high = high, .ticks = {}};
  set_linear_ticks(axis, unit);
  return axis;
}

}  // namespace sextant::report
