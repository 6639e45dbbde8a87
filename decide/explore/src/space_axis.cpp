#include "space_axis.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "sextant/core/plain_number.h"
#include "sextant/core/text.h"

namespace sextant::explore {
namespace {

// Integers and steps of doubles are exact up to here.
constexpr double kLargestInteger = 9007199254740992.0;

// Where the part of the axis that belongs to the integer in this place begins. On a logarithmic axis the
// first part must not reach 0.
double edge(const SearchFactor& factor, double place) {
  const double plain = factor.low + (place - 0.5) * factor.step;
  return factor.log && place == 0 ? std::max(plain, factor.low / 2) : plain;
}

double along(double low, double high, bool log, double unit) {
  if (!log) return low + unit * (high - low);
  return std::exp(std::log(low) + unit * (std::log(high) - std::log(low)));
}

double part_of(double low, double high, bool log, double value) {
  if (high <= low) return 0.5;
  return log ? (std::log(value) - std::log(low)) / (std::log(high) - std::log(low))
             : (value - low) / (high - low);
}

double place_of(const SearchFactor& factor, double value) {
  return has_levels(factor) ? value : std::round((value - factor.low) / factor.step);
}

void check_range(const SearchFactor& factor) {
  const auto fail = [&](const std::string& what, const std::string& hint = {}) {
    throw InputError(factor.at, "factor '" + factor.name + "' " + what, hint);
  };
  if (!std::isfinite(factor.low) || !std::isfinite(factor.high)) fail("has a range that is not finite");
  if (!std::isfinite(factor.high - factor.low)) fail("has a range that is too large");
  if (factor.low > factor.high) {
    fail("has an empty range: " + number_text(factor.low) + " to " + number_text(factor.high),
         "swap low and high");
  }
  if (factor.log && factor.low <= 0) {
    fail("is logarithmic and starts at " + number_text(factor.low), "start above 0, or leave 'log' out");
  }
  if (factor.kind != FactorKind::integer) return;
  if (!(factor.step >= 1) || factor.step != std::floor(factor.step) || factor.step > kLargestInteger) {
    fail("has a step of " + number_text(factor.step), "a whole number of at least 1");
  }
  if (factor.low != std::floor(factor.low) || factor.high != std::floor(factor.high)) {
    fail("is an integer with a range from " + number_text(factor.low) + " to " + number_text(factor.high),
         "give whole numbers, or kind = \"real\"");
  }
  if (std::max(std::abs(factor.low), std::abs(factor.high)) > kLargestInteger) {
    fail("reaches beyond 2^53, where doubles skip integers");
  }
}

void check_levels(const SearchFactor& factor) {
  if (factor.levels.empty()) throw InputError(factor.at, "factor '" + factor.name + "' has no levels");
  std::set<std::string> seen;
  for (const std::string& level : factor.levels) {
    if (level.empty()) {
      throw InputError(factor.at, "factor '" + factor.name + "' has a level without a text");
    }
    if (!seen.insert(level).second) {
      throw InputError(factor.at, "factor '" + factor.name + "' has the level '" + level + "' twice");
    }
  }
}

void check_features(const SearchFactor& factor) {
  const LevelFeatures& features = factor.features;
  if (features.names.empty()) return;
  if (!has_levels(factor)) {
    throw InputError(factor.at, "factor '" + factor.name + "' has features but no levels",
                     "only levels stand for something else; a number is its own feature");
  }
  if (features.values.rows() != factor.levels.size() || features.values.columns() != features.names.size()) {
    throw InputError(factor.at, "factor '" + factor.name + "' has " + std::to_string(factor.levels.size()) +
                                    " levels and features for " + std::to_string(features.values.rows()));
  }
  for (std::size_t row = 0; row < features.values.rows(); ++row) {
    if (!std::ranges::all_of(features.values.row(row), [](double x) { return std::isfinite(x); })) {
      throw InputError(factor.at, "a feature of level '" + factor.levels[row] + "' of factor '" +
                                      factor.name + "' is not finite");
    }
  }
}

}  // namespace

bool has_levels(const SearchFactor& factor) {
  return factor.kind == FactorKind::ordinal || factor.kind == FactorKind::categorical;
}

double value_count(const SearchFactor& factor) {
  if (has_levels(factor)) return static_cast<double>(factor.levels.size());
  if (factor.kind == FactorKind::integer) return std::floor((factor.high - factor.low) / factor.step) + 1;
  return factor.low == factor.high ? 1 : std::numeric_limits<double>::infinity();
}

double value_at(const SearchFactor& factor, double place) {
  return has_levels(factor) ? place : factor.low + place * factor.step;
}

double from_unit(const SearchFactor& factor, double unit) {
  const double u = std::clamp(unit, 0.0, 1.0);
  if (factor.kind == FactorKind::real) {
    return std::clamp(along(factor.low, factor.high, factor.log, u), factor.low, factor.high);
  }
  const double count = value_count(factor);
  double place = u * count;
  if (!has_levels(factor) && factor.log) {
    const double x = along(edge(factor, 0), edge(factor, count), true, u);
    place = (x - factor.low) / factor.step + 0.5;
  }
  return value_at(factor, std::clamp(std::floor(place), 0.0, count - 1));
}

double to_unit(const SearchFactor& factor, double value) {
  if (factor.kind == FactorKind::real) return part_of(factor.low, factor.high, factor.log, value);
  const double count = value_count(factor);
  const double place = place_of(factor, value);
  if (has_levels(factor) || !factor.log) return (place + 0.5) / count;
  const double first = edge(factor, 0);
  const double last = edge(factor, count);
  const double from = part_of(first, last, true, edge(factor, place));
  const double to = part_of(first, last, true, edge(factor, place + 1));
  return (from + to) / 2;
}

bool is_value(const SearchFactor& factor, double value) {
  if (has_levels(factor)) {
    return value >= 0 && value < value_count(factor) && value == std::floor(value);
  }
  if (!(value >= factor.low && value <= factor.high)) return false;
  return factor.kind == FactorKind::real || std::fmod(value - factor.low, factor.step) == 0;
}

std::string value_text(const SearchFactor& factor, double value) {
  return has_levels(factor) ? factor.levels[static_cast<std::size_t>(value)] : plain_number_text(value);
}

std::optional<double> parse_value(const SearchFactor& factor, const std::string& text) {
  const std::optional<double> number = to_number(text);
  if (!has_levels(factor)) return number && is_value(factor, *number) ? number : std::nullopt;
  const auto found = std::ranges::find(factor.levels, text);
  if (found != factor.levels.end()) return static_cast<double>(found - factor.levels.begin());
  if (!number) return std::nullopt;
  const auto same = std::ranges::find(factor.levels, number, [](const std::string& level) {
    return to_number(level);
  });  // "8.0" for the level "8"
  if (same == factor.levels.end()) return std::nullopt;
  return static_cast<double>(same - factor.levels.begin());
}

void check_factor(const SearchFactor& factor) {
  if (has_levels(factor)) {
    check_levels(factor);
  } else {
    check_range(factor);
  }
  check_features(factor);
}

std::vector<double> numbers_of_levels(const SearchFactor& factor) {
  std::vector<double> numbers;
  for (const std::string& level : factor.levels) {
    const std::optional<double> number = to_number(level);
    if (!number || !std::isfinite(*number)) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace sextant::explore
