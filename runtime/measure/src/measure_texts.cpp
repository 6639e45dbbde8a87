#include "measure_texts.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "sextant/core/text.h"

namespace sextant::measure {

std::string percent_text(double share) {
  const double value = 100 * share;
  return number_text(value < 10 ? std::round(10 * value) / 10 : std::round(value)) + " %";
}

std::string duration_text(double seconds) {
  constexpr std::int64_t kMinute = 60;
  constexpr std::int64_t kHour = 3600;
  constexpr double kLongest = 1e12;
  const auto whole = static_cast<std::int64_t>(std::ceil(std::clamp(seconds, 0.0, kLongest)));
  const auto two = [](std::int64_t large, const char* unit, std::int64_t small, const char* part) {
    return std::to_string(large) + unit + (small == 0 ? "" : " " + std::to_string(small) + part);
  };
  if (whole < kMinute) return std::to_string(whole) + " s";
  if (whole < kHour) return two(whole / kMinute, " min", whole % kMinute, " s");
  return two(whole / kHour, " h", whole % kHour / kMinute, " min");
}

}  // namespace sextant::measure
