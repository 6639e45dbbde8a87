// A row of a table in which columns may be missing and cells empty.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "sextant/core/csv.h"

namespace sextant::llm {

// Positions of columns by their names.
using ColumnPlaces = std::unordered_map<std::string, std::size_t>;

class RowCells {
 public:
  RowCells(const CsvTable& table, const ColumnPlaces& columns, std::size_t row)
      : table_(table), columns_(columns), row_(row) {}

  [[nodiscard]] std::size_t row() const { return row_; }
  [[nodiscard]] std::string text(const char* name) const;
  // Between a millionth and a thousand million.
  [[nodiscard]] std::optional<double> number(const char* name) const;
  // A whole number from 1 on.
  [[nodiscard]] std::int64_t count(const char* name, std::int64_t otherwise) const;
  // The same of a degree of parallelism.
  [[nodiscard]] std::int64_t degree(const char* name, std::int64_t otherwise) const;
  [[nodiscard]] std::int64_t needed(const char* name) const;
  [[nodiscard]] SourcePos where(const char* name) const;

 private:
  [[nodiscard]] std::optional<std::size_t> place(const char* name) const;

  const CsvTable& table_;
  const ColumnPlaces& columns_;
  std::size_t row_;
};

}  // namespace sextant::llm
