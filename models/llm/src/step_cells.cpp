#include "step_cells.h"

#include <cmath>

namespace sextant::llm {
namespace {

constexpr double kMostCount = 1e7;
constexpr std::int64_t kMostDegree = 30'000;  // so that products of degrees stay whole numbers
constexpr double kMostNumber = 1e9;
constexpr double kLeastNumber = 1e-6;

}  // namespace

std::optional<std::size_t> RowCells::place(const char* name) const {
  const auto found = columns_.find(name);
  return found == columns_.end() ? std::nullopt : std::optional(found->second);
}

std::string RowCells::text(const char* name) const {
  const auto column = place(name);
  return column ? table_.text(row_, *column) : "";
}

std::optional<double> RowCells::number(const char* name) const {
  const auto column = place(name);
  if (!column) return {};
  const auto value = table_.maybe_number(row_, *column);
  if (value && !(*value >= kLeastNumber && *value <= kMostNumber))
    throw InputError(where(name), "this must be between 1e-6 and 1e9", "");
  return value;
}

std::int64_t RowCells::count(const char* name, std::int64_t otherwise) const {
  const auto value = number(name);
  if (!value) return otherwise;
  if (*value > kMostCount || *value != std::floor(*value))
    throw InputError(where(name), "this must be a whole number below ten million", "");
  return static_cast<std::int64_t>(*value);
}

std::int64_t RowCells::degree(const char* name, std::int64_t otherwise) const {
  const std::int64_t value = count(name, otherwise);
  if (value > kMostDegree) throw InputError(where(name), "no layout has so many parts", "");
  return value;
}

std::int64_t RowCells::needed(const char* name) const {
  const std::int64_t value = count(name, 0);
  if (value == 0) throw InputError(where(name), std::string("`") + name + "` has no value", "");
  return value;
}

SourcePos RowCells::where(const char* name) const {
  const auto column = place(name);
  return column ? table_.where(row_, *column) : table_.where_header(0);
}

}  // namespace sextant::llm
