// CSV (RFC 4180: quoted fields, doubled quotes, line breaks inside quotes, CRLF, byte-order mark)
// with typed access and errors that name file, line and column. Cells are slices of one buffer; lines are
// counted once, so that the position of a cell is found in logarithmic time.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/core/error.h"

namespace sextant {

class CsvTable {
 public:
  // The first line is the header. Throws InputError for an empty text, a duplicate or empty column
  // name, a row with the wrong number of fields, an unclosed quote, or a NUL byte.
  static CsvTable parse(std::string text, std::string file_name);
  static CsvTable read_file(const std::string& path);

  [[nodiscard]] const std::string& file_name() const { return file_; }
  [[nodiscard]] const std::vector<std::string>& header() const { return header_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }

  [[nodiscard]] std::optional<std::size_t> find_column(std::string_view name) const;
  [[nodiscard]] std::size_t column(std::string_view name) const;  // InputError with a hint

  [[nodiscard]] std::string text(std::size_t row, std::size_t column) const;
  [[nodiscard]] bool empty(std::size_t row, std::size_t column) const;
  // Finite numbers only; an empty cell is an error. The maybe_ form gives nothing for an empty cell.
  [[nodiscard]] double number(std::size_t row, std::size_t column) const;
  [[nodiscard]] std::optional<double> maybe_number(std::size_t row, std::size_t column) const;
  [[nodiscard]] std::int64_t integer(std::size_t row, std::size_t column) const;
  [[nodiscard]] std::vector<double> numbers(std::string_view column_name) const;
  [[nodiscard]] std::vector<std::string> texts(std::string_view column_name) const;

  // What to look at where the header is one column that holds other separators; empty: nothing.
  [[nodiscard]] std::string separator_hint() const;

  [[nodiscard]] SourcePos where(std::size_t row, std::size_t column) const;
  [[nodiscard]] SourcePos where_header(std::size_t column) const;
  // Line on which each row begins, from 1.
  [[nodiscard]] std::vector<std::int64_t> row_lines() const;

 private:
  friend class CsvScanner;
  struct Cell {
    std::size_t begin, end;  // without the quotes
    bool quoted;
  };
  [[nodiscard]] const Cell& cell(std::size_t row, std::size_t column) const;
  [[nodiscard]] std::string cell_text(const Cell&) const;
  [[nodiscard]] SourcePos position(std::size_t offset) const;

  std::string file_;
  std::string text_;
  std::vector<std::string> header_;
  std::vector<Cell> cells_;  // header first, then the rows
  std::size_t rows_ = 0;
  std::vector<std::size_t> line_begins_;  // offsets, of all lines but the first
};

// One line of CSV; a field is quoted only where it must be.
void write_csv_row(std::ostream& out, std::span<const std::string> fields);

// The whole file; SystemError or InputError that names the path and the reason.
std::string read_text_file(const std::string& path);
// Line and column of a byte offset.
SourcePos position_in(std::string_view text, std::size_t offset, std::string file);

}  // namespace sextant
