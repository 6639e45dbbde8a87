// Cells that must be something: positive, not negative, a number of GPUs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sextant/core/csv.h"

namespace sextant::capacity {

struct CellAt {
  const CsvTable& table;
  std::size_t row = 0;
  std::size_t column = 0;

  [[nodiscard]] std::string text() const { return table.text(row, column); }
  [[nodiscard]] SourcePos where() const { return table.where(row, column); }
};

// Not empty.
std::string name_in(const CellAt& cell);
double positive_in(const CellAt& cell);
double not_negative_in(const CellAt& cell);
// 1 to `most`.
std::int32_t count_in(const CellAt& cell, std::int32_t most);

// Of a column that need not be there; nothing for an empty cell.
class OptionalColumn {
 public:
  OptionalColumn(const CsvTable& table, std::string_view name)
      : table_(table), column_(table.find_column(name)) {}

  [[nodiscard]] std::optional<double> number(std::size_t row) const {
    return column_ ? table_.maybe_number(row, *column_) : std::nullopt;
  }
  [[nodiscard]] double not_negative_or(std::size_t row, double otherwise) const;

 private:
  const CsvTable& table_;
  std::optional<std::size_t> column_;
};

}  // namespace sextant::capacity
