#include "trace_csv.h"

#include <algorithm>
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

}  // namespace sextant::jobs
