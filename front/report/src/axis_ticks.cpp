#include "axis_ticks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>

#include "sextant/core/text.h"
#include "sextant/report/table.h"

namespace sextant::report {
namespace {

constexpr int kWantedTicks = 5;
constexpr double kFinest = 5000;  // steps from zero, before labels count from a value of their own

constexpr double kMinute = 60;  // s
constexpr double kHourLong = 3600;
constexpr double kDay = 86400;

// Round times from a second to a day; others are 1, 2 or 5 times a power of ten, of a second or of a day.
constexpr std::array<double, 17> kRoundTimes = {1,
                                                2,
                                                5,
                                                10,
                                                30,
                                                kMinute,
                                                2 * kMinute,
                                                5 * kMinute,
                                                10 * kMinute,
                                                30 * kMinute,
                                                kHourLong,
                                                2 * kHourLong,
                                                3 * kHourLong,
                                                6 * kHourLong,
                                                12 * kHourLong,
                                                kDay,
                                                2 * kDay};
// Those that have a label where many decades are shown.
constexpr std::array<double, 8> kMilestones = {
    1, 10, kMinute, 10 * kMinute, kHourLong, 6 * kHourLong, kDay, 10 * kDay};

// 1, 2 or 5 times a power of ten, at least `value`.
double round_up(double value) {
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (value <= factor * power * (1 + 1e-6)) return factor * power;
  }
  return 10 * power;
}

double round_time_up(double seconds) {
  if (seconds <= kRoundTimes.front()) return round_up(seconds);
  if (seconds > kRoundTimes.back()) return kDay * round_up(seconds / kDay);
  return *std::ranges::lower_bound(kRoundTimes, seconds);
}

std::string fixed(double value, int digits) {
  std::array<char, 400> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  return text.data();
}

// Multiples of a step carry the step's rounding; twelve digits hide it.
std::string without_rounding(double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.12g", value);
  return number_text(to_number(text.data()).value_or(value));
}

struct Prefix {
  double factor;
  const char* name;
};
constexpr std::array<Prefix, 4> kPrefixes = {{{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}}};
constexpr double kGrouped = 1e4;  // numbers from here on have a prefix

// Multiples of a step: all with the prefix that the largest asks for, and with the digits that the step asks
// for.
class StepLabels {
 public:
  StepLabels(double low, double high, double step) {
    const double largest = std::max(std::abs(low), std::abs(high));
    if (largest < kGrouped && step >= 1e-4) {
      digits_ = digits_of(step);
      return;
    }
    for (const Prefix& prefix : kPrefixes) {
      if (largest >= prefix.factor && largest >= kGrouped) {
        prefix_ = prefix;
        digits_ = digits_of(step / prefix.factor);
        return;
      }
    }
    digits_ = -1;  // small: as powers of ten
  }
  [[nodiscard]] std::string operator()(double value) const {
    if (value == 0) return "0";
    if (digits_ < 0) return without_rounding(value);
    if (digits_ == 0 && prefix_.factor == 1) return readable(std::round(value));
    return fixed(value / prefix_.factor, digits_) + prefix_.name;
  }

 private:
  static int digits_of(double step) {
    return std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  }
  Prefix prefix_ = {1, ""};
  int digits_ = 0;
};

// From a minute on in the largest unit of which it is a whole number: 90 min, 36 h, 2 d.
std::string time_label(double seconds) {
  constexpr std::array<Prefix, 3> kWhole = {{{kDay, " d"}, {kHourLong, " h"}, {kMinute, " min"}}};
  constexpr std::array<Prefix, 4> kParts = {{{1, " s"}, {1e-3, " ms"}, {1e-6, " us"}, {1e-9, " ns"}}};
  if (seconds == 0) return "0";
  for (const Prefix& unit : kWhole) {
    const double count = seconds / unit.factor;
    if (std::abs(count - std::round(count)) < 1e-6 && std::abs(count) > 0.5) {
      return fixed(std::round(count), 0) + unit.name;
    }
  }
  const auto* unit = std::ranges::find_if(
      kParts, [&](const Prefix& part) { return std::abs(seconds) >= part.factor * (1 - 1e-9); });
  if (unit == kParts.end()) --unit;
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.5g", seconds / unit->factor);
  return text.data() + std::string(unit->name);
}

// Ticks at equal steps all have the unit of the step: 12 h, 24 h, 36 h.
std::function<std::string(double)> time_steps(double step) {
  constexpr std::array<Prefix, 3> kWhole = {{{kDay, " d"}, {kHourLong, " h"}, {kMinute, " min"}}};
  for (const Prefix& unit : kWhole) {
    const double count = step / unit.factor;
    if (std::abs(count - std::round(count)) >= 1e-6 || std::abs(count) <= 0.5) continue;
    return [unit](double seconds) {
      return seconds == 0 ? std::string("0") : fixed(std::round(seconds / unit.factor), 0) + unit.name;
    };
  }
  return time_label;
}

void set_steps(SvgAxis& axis, double step, const std::function<std::string(double)>& label) {
  // Adding 0 turns -0 into 0.
  for (double k = std::ceil(axis.low / step) + 0.0; k * step <= axis.high; ++k) {
    axis.ticks.push_back({k * step, label(k * step)});
  }
}

// 1000000.01 and its neighbours are hard to tell apart; +0.01 and +0.02 from 1000000 are not.
void set_steps_from(SvgAxis& axis, double step, AxisUnit unit) {
  const double base = std::floor(axis.low / (100 * step)) * 100 * step;
  SvgAxis rest{.low = axis.low - base, .high = axis.high - base, .ticks = {}};
  if (unit == AxisUnit::time) {
    set_steps(rest, step, time_label);
  } else {
    set_steps(rest, step, StepLabels(rest.low, rest.high, step));
  }
  for (AxisTick& tick : rest.ticks) axis.ticks.push_back({base + tick.value, "+" + tick.label});
  axis.from = (base == std::round(base) ? readable(base) : without_rounding(base)) +
              (unit == AxisUnit::time ? " s" : "");
}

// 1, 2, 5 of a power of ten; which of them have a label depends on how many decades there are.
void set_decades(SvgAxis& axis) {
  const double decades = std::log10(axis.high / axis.low);
  const auto labelled = [&](int mantissa) {
    return mantissa == 1 || (decades < 3 && (mantissa == 2 || mantissa == 5));
  };
  const auto label = [&](double value) {
    const bool prefixed = axis.high >= kGrouped && value >= 1e3 && value < 1e15;
    return StepLabels(0, prefixed ? std::max(value, kGrouped) : value, value)(value);
  };
  const double every = std::max(1.0, std::ceil(decades / 8));
  for (double exponent = std::floor(std::log10(axis.low)); std::pow(10.0, exponent) <= axis.high;
       ++exponent) {
    const bool skipped = std::fmod(std::abs(exponent), every) != 0;
    for (int mantissa = 1; mantissa <= 9; ++mantissa) {
      const double value = mantissa * std::pow(10.0, exponent);
      if (value < axis.low || value > axis.high) continue;
      axis.ticks.push_back({value, labelled(mantissa) && !skipped ? label(value) : std::string()});
    }
  }
}

void set_time_decades(SvgAxis& axis) {
  const double decades = std::log10(axis.high / axis.low);
  const auto labelled = [&](double value) {
    if (decades < 2.5) return true;
    const bool milestone = std::ranges::find(kMilestones, value) != kMilestones.end();
    const double count = value < 1 ? value : value / kDay;
    return milestone || ((value < 1 || value > 10 * kDay) &&
                         std::abs(std::log10(count) - std::round(std::log10(count))) < 1e-9);
  };
  for (double value = round_time_up(axis.low); value <= axis.high; value = round_time_up(1.01 * value)) {
    axis.ticks.push_back({value, labelled(value) ? time_label(value) : std::string()});
  }
}

}  // namespace

void set_linear_ticks(SvgAxis& axis, AxisUnit unit) {
  const double raw = (axis.high - axis.low) / kWantedTicks;
  const double largest = std::max(std::abs(axis.low), std::abs(axis.high));
  if (largest / raw > kFinest) {
    set_steps_from(axis, round_up(raw), unit);
  } else if (unit == AxisUnit::time) {
    const double step = round_time_up(raw);
    set_steps(axis, step, time_steps(step));
  } else {
    const double step = round_up(raw);
    set_steps(axis, step, StepLabels(axis.low, axis.high, step));
  }
}

// Within a few times the smallest value, ticks at equal steps say more.
void set_log_ticks(SvgAxis& axis, AxisUnit unit) {
  if (std::log10(axis.high / axis.low) < 0.7) {
    set_linear_ticks(axis, unit);
  } else if (unit == AxisUnit::time) {
    set_time_decades(axis);
  } else {
    set_decades(axis);
  }
}

}  // namespace sextant::report
