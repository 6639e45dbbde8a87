#include "sextant/report/svg_axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "sextant/core/text.h"

namespace sextant::report {
namespace {

constexpr double kRoom = 0.04;  // of the range, on both sides
constexpr int kWantedTicks = 5;

// Steps of 1, 2 or 5 times a power of ten, about kWantedTicks of them.
double round_step(double range) {
  const double raw = range / kWantedTicks;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (raw <= factor * power) return factor * power;
  }
  return 10 * power;
}

// Multiples of a step carry the step's rounding; twelve digits hide it.
std::string label_of(double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.12g", value);
  return number_text(to_number(text.data()).value_or(value));
}

std::vector<AxisTick> linear_ticks(double low, double high) {
  std::vector<AxisTick> ticks;
  const double step = round_step(high - low);
  // Adding 0 turns -0 into 0.
  for (double k = std::ceil(low / step) + 0.0; k * step <= high; ++k)
    ticks.push_back({k * step, label_of(k * step)});
  return ticks;
}

// Decades when there are enough of them; 1, 2, 5 within two to three; finer below that.
std::vector<AxisTick> log_ticks(double low, double high) {
  const double decades = std::log10(high / low);
  if (decades < 0.7) return linear_ticks(low, high);
  const auto labelled = [&](int mantissa) {
    if (mantissa == 1) return true;
    return decades < 3 && (mantissa == 2 || mantissa == 5);
  };
  const double every = std::max(1.0, std::ceil(decades / 8));
  std::vector<AxisTick> ticks;
  for (double exponent = std::floor(std::log10(low)); std::pow(10.0, exponent) <= high; ++exponent) {
    const bool skipped = std::fmod(std::abs(exponent), every) != 0;
    for (int mantissa = 1; mantissa <= 9; ++mantissa) {
      const double value = mantissa * std::pow(10.0, exponent);
      if (value < low || value > high) continue;
      ticks.push_back({value, labelled(mantissa) && !skipped ? label_of(value) : std::string()});
    }
  }
  return ticks;
}

}  // namespace

double SvgAxis::position(double value) const {
  if (scale == AxisScale::log) return std::log(value / low) / std::log(high / low);
  return (value - low) / (high - low);
}

SvgAxis axis_for(std::span<const double> values) {
  const auto [least, most] = std::ranges::minmax(values);
  SvgAxis axis;
  if (least > 0) {
    axis.scale = AxisScale::log;
    const double room = std::max(std::pow(most / least, kRoom), 1.02);
    axis.low = least / room;
    axis.high = most * room;
    axis.ticks = log_ticks(axis.low, axis.high);
    return axis;
  }
  const double range = most > least ? most - least : std::max(std::abs(most), 1.0);
  axis.low = least - kRoom * range;
  axis.high = most + kRoom * range;
  axis.ticks = linear_ticks(axis.low, axis.high);
  return axis;
}

SvgAxis linear_axis(double low, double high) {
  return {.scale = AxisScale::linear, .low = low, .high = high, .ticks = linear_ticks(low, high)};
}

}  // namespace sextant::report
