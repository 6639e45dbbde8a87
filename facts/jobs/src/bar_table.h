// A table whose cells stand between bars, as `sacct --parsable2` prints it: a header, a row a line, nothing
// quoted. With --parsable a bar ends every line too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/core/error.h"

namespace sextant::jobs {

class BarTable {
 public:
  // The text must outlive the table. InputError for a row with another number of cells than the header.
  BarTable(const std::string& text, std::string file);

  [[nodiscard]] std::size_t rows() const { return lines_.size(); }
  [[nodiscard]] std::optional<std::size_t> find_column(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> header() const { return {header_.begin(), header_.end()}; }
  [[nodiscard]] std::string_view cell(std::size_t row, std::size_t column) const {
    return cells_[row * header_.size() + column];
  }
  [[nodiscard]] std::int64_t line(std::size_t row) const { return lines_[row]; }
  [[nodiscard]] SourcePos where(std::size_t row, std::size_t column) const;

 private:
  struct Line {
    std::string_view text;
    std::int64_t number = 0;
  };
  [[nodiscard]] std::vector<std::string_view> cells_of(const Line& line) const;
  void add_row(const Line& line);

  std::string file_;
  std::vector<std::string_view> header_;
  std::vector<std::string_view> cells_;  // row by row
  std::vector<std::int64_t> lines_;      // by row, from 1
};

}  // namespace sextant::jobs
