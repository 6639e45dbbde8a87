#include "calendar.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "sextant/core/text.h"

namespace sextant::jobs {
namespace {

constexpr std::size_t kCalendarLength = 19;  // of "2017-10-09 05:51:33"

// Digits alone, few enough that no number of them overflows.
std::optional<int> digits(std::string_view text) {
  constexpr std::size_t kMostDigits = 6;
  if (text.empty() || text.size() > kMostDigits) return std::nullopt;
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = 10 * value + (c - '0');
  }
  return value;
}

// ".25" at the front of the text, which is then shorter by it; 0 where there is none.
std::optional<double> take_fraction(std::string_view& text) {
  if (!text.starts_with('.')) return 0;
  const std::size_t end = std::min(text.find_first_not_of("0123456789", 1), text.size());
  const auto fraction = to_number("0" + std::string(text.substr(0, end)));
  text.remove_prefix(end);
  return end > 1 ? fraction : std::nullopt;
}

// Seconds that local time is ahead of UTC: "", "Z", "+02:00", "-0530".
std::optional<double> zone_seconds(std::string_view text) {
  if (text.empty() || text == "Z" || text == "z") return 0;
  const bool colon = text.size() == 6 && text[3] == ':';
  if (text.size() != 5 && !colon) return std::nullopt;
  if (text[0] != '+' && text[0] != '-') return std::nullopt;
  const auto hours = digits(text.substr(1, 2));
  const auto minutes = digits(text.substr(colon ? 4 : 3, 2));
  if (!hours || !minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  return (text[0] == '-' ? -1 : 1) * (*hours * 3600.0 + *minutes * 60.0);
}

}  // namespace

std::optional<double> calendar_seconds(std::string_view text) {
  // Where each number stands, and what follows it.
  constexpr std::array<std::size_t, 6> kBegin = {0, 5, 8, 11, 14, 17};
  constexpr std::array<std::size_t, 6> kLength = {4, 2, 2, 2, 2, 2};
  constexpr std::string_view kBetween = "-- ::";
  text = trim(text);
  if (text.size() != kCalendarLength) return std::nullopt;
  std::array<int, 6> parts = {};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto part = digits(text.substr(kBegin[i], kLength[i]));
    if (!part) return std::nullopt;
    parts[i] = *part;
    const char after = i < kBetween.size() ? text[kBegin[i] + kLength[i]] : '\0';
    const bool as_expected = i == kBetween.size() || after == kBetween[i] || (i == 2 && after == 'T');
    if (!as_expected) return std::nullopt;
  }
  const std::chrono::year_month_day day{std::chrono::year{parts[0]},
                                        std::chrono::month{static_cast<unsigned>(parts[1])},
                                        std::chrono::day{static_cast<unsigned>(parts[2])}};
  if (!day.ok() || parts[3] > 23 || parts[4] > 59 || parts[5] > 60) return std::nullopt;
  const auto days = std::chrono::sys_days{day}.time_since_epoch().count();
  return static_cast<double>(days) * 86400 + parts[3] * 3600.0 + parts[4] * 60.0 + parts[5];
}

std::optional<double> instant_seconds(std::string_view text) {
  text = trim(text);
  if (text.size() < kCalendarLength) return std::nullopt;
  const auto whole = calendar_seconds(text.substr(0, kCalendarLength));
  std::string_view rest = text.substr(kCalendarLength);
  const auto fraction = take_fraction(rest);
  const auto ahead = zone_seconds(rest);
  if (!whole || !fraction || !ahead) return std::nullopt;
  return *whole + *fraction - *ahead;
}

std::optional<double> clock_seconds(std::string_view text) {
  text = trim(text);
  const std::size_t dash = text.find('-');
  const bool has_days = dash != std::string_view::npos;
  const auto days = has_days ? digits(text.substr(0, dash)) : 0;
  const std::vector<std::string> parts = split(has_days ? text.substr(dash + 1) : text, ':');
  if (!days || parts.size() > 3 || (!has_days && parts.size() < 2)) return std::nullopt;
  // With days, hours come first; without, two parts are minutes and seconds.
  double unit = has_days || parts.size() == 3 ? 3600 : 60;
  double seconds = *days * 86400.0;
  for (const std::string& part : parts) {
    const auto value = digits(part);
    if (!value) return std::nullopt;
    seconds += *value * unit;
    unit /= 60;
  }
  return seconds;
}

}  // namespace sextant::jobs
