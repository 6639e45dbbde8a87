#include "sextant/core/unit_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <span>
#include <vector>

#include "sextant/core/text.h"

namespace sextant {
namespace {

struct Unit {
  const char* name;
  double factor;
};

constexpr std::array<Unit, 8> kTime = {{{"ns", 1e-9},
                                        {"us", 1e-6},
                                        {"µs", 1e-6},
                                        {"ms", 1e-3},
                                        {"s", 1},
                                        {"min", 60},
                                        {"h", 3600},
                                        {"d", 86400}}};
constexpr std::array<Unit, 10> kBytes = {{{"B", 1},
                                          {"kB", 1e3},
                                          {"MB", 1e6},
                                          {"GB", 1e9},
                                          {"TB", 1e12},
                                          {"PB", 1e15},
                                          {"KiB", 0x1p10},
                                          {"MiB", 0x1p20},
                                          {"GiB", 0x1p30},
                                          {"TiB", 0x1p40}}};
constexpr std::array<Unit, 8> kBandwidth = {{{"kB/s", 1e3},
                                             {"MB/s", 1e6},
                                             {"GB/s", 1e9},
                                             {"TB/s", 1e12},
                                             {"GiB/s", 0x1p30},
                                             {"Mbit/s", 1e6 / 8},
                                             {"Gbit/s", 1e9 / 8},
                                             {"Tbit/s", 1e12 / 8}}};
constexpr std::array<Unit, 5> kFlopRate = {
    {{"MFLOP/s", 1e6}, {"GFLOP/s", 1e9}, {"TFLOP/s", 1e12}, {"PFLOP/s", 1e15}, {"EFLOP/s", 1e18}}};
constexpr std::array<Unit, 1> kDollarRate = {{{"USD/h", 1.0 / 3600}}};
constexpr std::array<Unit, 1> kDollars = {{{"USD", 1}}};
constexpr std::array<Unit, 4> kHertz = {{{"Hz", 1}, {"kHz", 1e3}, {"MHz", 1e6}, {"GHz", 1e9}}};
constexpr std::array<Unit, 2> kWatts = {{{"W", 1}, {"kW", 1e3}}};

std::vector<std::string> names(std::span<const Unit> units) {
  std::vector<std::string> all;
  for (const auto& unit : units) all.emplace_back(unit.name);
  return all;
}

// One that people write: of time "1 s" rather than "1 ns".
const char* usual_unit(std::span<const Unit> units) {
  const auto one = std::ranges::find(units, 1.0, &Unit::factor);
  return one == units.end() ? units.front().name : one->name;
}

double parse(std::string_view text, std::span<const Unit> units, const SourcePos& at) {
  const std::string_view all = trim(text);
  const auto unit_at = all.find_first_not_of("0123456789.+-eE");
  // "5 EFLOP/s" and "1e3 B": a blank ends the number where the unit begins with a letter of it.
  const std::string_view digits = trim(all.substr(0, std::min(unit_at, all.find(' '))));
  const auto value = to_number(digits);
  if (!value) {
    throw InputError(at, "'" + std::string(all) + "' does not start with a number",
                     "a number and a unit, such as '1 " + std::string(usual_unit(units)) + "'");
  }
  if (!std::isfinite(*value) || *value < 0) {
    throw InputError(at, "'" + std::string(all) + "' is negative or not finite");
  }
  const std::string_view unit = trim(all.substr(digits.size()));
  for (const auto& known : units) {
    if (unit == known.name) return *value * known.factor;
  }
  const auto known = names(units);
  if (unit.empty()) {
    throw InputError(at, "'" + std::string(all) + "' has no unit", "one of: " + join(known, ", "));
  }
  throw InputError(at, "unknown unit '" + std::string(unit) + "'", "one of: " + join(known, ", "));
}

std::string digits(double value, int significant) {
  std::array<char, 64> buffer{};
  const double magnitude = std::fabs(value);
  const int before = magnitude < 1 ? 1 : static_cast<int>(std::floor(std::log10(magnitude))) + 1;
  const int after = std::max(0, significant - before);
  std::snprintf(buffer.data(), buffer.size(), "%.*f", after, value);
  std::string text = buffer.data();
  // Digits before the point in groups of three: people compare lengths before digits.
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  for (std::size_t at = std::min(text.find('.'), text.size()); at > first + 3; at -= 3)
    text.insert(at - 3, ",");
  return text;
}

// The largest unit in which the value is at least one; units are ordered from small to large.
std::string scaled(double value, std::span<const Unit> units) {
  if (!std::isfinite(value)) return number_text(value);
  if (value == 0) return "0 " + std::string(units.front().name);
  const Unit* unit = units.data();
  for (const auto& candidate : units) {
    if (std::fabs(value) >= candidate.factor * 0.9995) unit = &candidate;
  }
  if (std::fabs(value) / unit->factor >= 1e7) return number_text(value / unit->factor) + " " + unit->name;
  return digits(value / unit->factor, 3) + " " + unit->name;
}

}  // namespace

Seconds parse_seconds(std::string_view text, const SourcePos& at) {
  return Seconds{parse(text, kTime, at)};
}
Bytes parse_bytes(std::string_view text, const SourcePos& at) {
  return Bytes{parse(text, kBytes, at)};
}
Bandwidth parse_bandwidth(std::string_view text, const SourcePos& at) {
  return Bandwidth{parse(text, kBandwidth, at)};
}
FlopRate parse_flop_rate(std::string_view text, const SourcePos& at) {
  return FlopRate{parse(text, kFlopRate, at)};
}
DollarRate parse_dollar_rate(std::string_view text, const SourcePos& at) {
  return DollarRate{parse(text, kDollarRate, at)};
}
Dollars parse_dollars(std::string_view text, const SourcePos& at) {
  return Dollars{parse(text, kDollars, at)};
}
Hertz parse_hertz(std::string_view text, const SourcePos& at) {
  return Hertz{parse(text, kHertz, at)};
}
Watts parse_watts(std::string_view text, const SourcePos& at) {
  return Watts{parse(text, kWatts, at)};
}

std::string human(Seconds time) {
  static constexpr std::array<Unit, 7> kUnits = {
      {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}}};
  return time.value == 0 ? "0 s" : scaled(time.value, kUnits);
}
std::string human(Bytes bytes) {
  static constexpr std::array<Unit, 6> kUnits = {
      {{"B", 1}, {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40}, {"PiB", 0x1p50}}};
  return scaled(bytes.value, kUnits);
}
std::string human(Bandwidth rate) {
  static constexpr std::array<Unit, 4> kUnits = {
      {{"kB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}, {"TB/s", 1e12}}};
  return scaled(rate.value, kUnits);
}
std::string human(FlopRate rate) {
  return scaled(rate.value, kFlopRate);
}
std::string human(Flops flops) {
  static constexpr std::array<Unit, 7> kUnits = {{{"FLOP", 1},
                                                  {"kFLOP", 1e3},
                                                  {"MFLOP", 1e6},
                                                  {"GFLOP", 1e9},
                                                  {"TFLOP", 1e12},
                                                  {"PFLOP", 1e15},
                                                  {"EFLOP", 1e18}}};
  return scaled(flops.value, kUnits);
}
std::string human(Dollars money) {
  return digits(money.value, std::fabs(money.value) < 1 ? 4 : 3) + " USD";
}
std::string human(DollarRate rate) {
  return digits(rate.value * 3600, 4) + " USD/h";
}
std::string human(Hertz rate) {
  return scaled(rate.value, kHertz);
}
std::string human(Watts power) {
  return scaled(power.value, std::span(kWatts).first(1));
}
std::string human_count(double count) {
  static constexpr std::array<Unit, 6> kUnits = {
      {{"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"P", 1e15}}};
  return std::string(trim(std::fabs(count) < 1000 ? number_text(count) : scaled(count, kUnits)));
}

}  // namespace sextant
