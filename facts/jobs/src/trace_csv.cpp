#include "trace_csv.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "sextant/core/text.h"

namespace sextant::jobs {

double TraceCsv::number(std::size_t row, std::size_t column, const Bounds& bounds) const {
  const double value = table_.number(row, column);
  if (value >= bounds.low && value <= bounds.high) return value;
  throw InputError(table_.where(row, column), "'" + table_.header()[column] + "' is " + number_text(value) +
                                                  ", and must be from " + number_text(bounds.low) + " to " +
                                                  number_text(bounds.high));
}

std::int32_t TraceCsv::gpus(std::size_t row, std::size_t column) const {
  const double value = number(row, column, {.low = 0, .high = kMostTraceGpus});
  if (value == std::floor(value)) return static_cast<std::int32_t>(value);
  throw InputError(table_.where(row, column), number_text(value) + " is no number of GPUs", "a whole number");
}

bool has_columns(std::string_view text, std::initializer_list<std::string_view> names) {
  const std::vector<std::string> header = split(first_line(text).substr(0, 10'000), ',');
  return std::ranges::all_of(names, [&](std::string_view name) {
    return std::ranges::any_of(header, [&](const std::string& column) { return trim(column) == name; });
  });
}

std::optional<double> calendar_seconds(std::string_view text) {
  // Where each number stands, and what follows it.
  constexpr std::array<std::size_t, 6> kBegin = {0, 5, 8, 11, 14, 17};
  constexpr std::array<std::size_t, 6> kLength = {4, 2, 2, 2, 2, 2};
  constexpr std::string_view kBetween = "-- ::";
  text = trim(text);
  if (text.size() != 19) return std::nullopt;
  std::array<int, 6> parts = {};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (const char c : text.substr(kBegin[i], kLength[i])) {
      if (c < '0' || c > '9') return std::nullopt;
      parts[i] = 10 * parts[i] + (c - '0');
    }
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

}  // namespace sextant::jobs
