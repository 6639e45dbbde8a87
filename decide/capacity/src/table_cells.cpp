#include "table_cells.h"

#include "sextant/core/text.h"

namespace sextant::capacity {

std::string name_in(const CellAt& cell) {
  std::string text = cell.text();
  if (trim(text).empty()) throw InputError(cell.where(), "a name is missing");
  return text;
}

double positive_in(const CellAt& cell) {
  const double value = cell.table.number(cell.row, cell.column);
  if (!(value > 0)) throw InputError(cell.where(), number_text(value) + " is not positive");
  return value;
}

double not_negative_in(const CellAt& cell) {
  const double value = cell.table.number(cell.row, cell.column);
  if (!(value >= 0)) throw InputError(cell.where(), number_text(value) + " is negative");
  return value;
}

std::int32_t count_in(const CellAt& cell, std::int32_t most) {
  const std::int64_t value = cell.table.integer(cell.row, cell.column);
  if (value < 1 || value > most) {
    throw InputError(cell.where(), std::to_string(value) + " is not in 1 to " + std::to_string(most));
  }
  return static_cast<std::int32_t>(value);
}

double OptionalColumn::not_negative_or(std::size_t row, double otherwise) const {
  if (!column_ || table_.empty(row, *column_)) return otherwise;
  return not_negative_in({table_, row, *column_});
}

}  // namespace sextant::capacity
