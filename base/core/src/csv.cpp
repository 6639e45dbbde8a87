#include "sextant/core/csv.h"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <set>

#include "sextant/core/text.h"

namespace sextant {

// Cuts the text into cells; throws at the first thing that is not CSV.
class CsvScanner {
 public:
  CsvScanner(const std::string& text, const std::string& file) : text_(text), file_(file) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  }

  [[nodiscard]] bool done() const { return at_ >= text_.size(); }
  [[nodiscard]] std::size_t at() const { return at_; }

  // Appends the cells of one line and steps over its end.
  std::size_t line(std::vector<CsvTable::Cell>& cells) {
    std::size_t count = 0;
    do {
      cells.push_back(field());
      ++count;
    } while (!done() && text_[at_] == ',' && ++at_ > 0);
    if (!done() && text_[at_] == '\r') ++at_;
    if (!done() && text_[at_] == '\n') ++at_;
    return count;
  }

  bool skip_blank_line() {
    const std::size_t begin = at_;
    while (!done() && (text_[at_] == '\r' || text_[at_] == '\n')) ++at_;
    return at_ > begin;
  }

 private:
  CsvTable::Cell field() {
    if (!done() && text_[at_] == '"') return quoted();
    const std::size_t begin = at_;
    while (!done() && !ends_field(at_)) {
      if (text_[at_] == '\0') fail(at_, "there is a NUL byte here, so this is not a text file");
      if (text_[at_] == '"')
        fail(at_, "there is a quote inside a field that is not quoted",
             "quote the whole field and double the quote");
      ++at_;
    }
    return {begin, at_, false};
  }

  CsvTable::Cell quoted() {
    const std::size_t open = at_++;
    while (true) {
      if (done()) fail(open, "this quote is never closed");
      if (text_[at_] == '\0') fail(at_, "there is a NUL byte here, so this is not a text file");
      if (text_[at_] != '"') {
        ++at_;
      } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
        at_ += 2;
      } else {
        break;
      }
    }
    const std::size_t close = at_++;
    if (!done() && !ends_field(at_)) fail(at_, "text follows the closing quote");
    return {open + 1, close, true};
  }

  [[nodiscard]] bool ends_field(std::size_t i) const {
    const char c = text_[i];
    return c == ',' || c == '\n' || (c == '\r' && (i + 1 == text_.size() || text_[i + 1] == '\n'));
  }

  [[noreturn]] void fail(std::size_t offset, const std::string& what, const std::string& hint = {}) const {
    throw InputError(position_in(text_, offset, file_), what, hint);
  }

  const std::string& text_;
  const std::string& file_;
  std::size_t at_ = 0;
};

CsvTable CsvTable::parse(std::string text, std::string file_name) {
  CsvTable table;
  table.file_ = std::move(file_name);
  table.text_ = std::move(text);
  for (std::size_t at = table.text_.find('\n'); at != std::string::npos;
       at = table.text_.find('\n', at + 1)) {
    table.line_begins_.push_back(at + 1);
  }
  CsvScanner scan(table.text_, table.file_);
  if (trim(table.text_).empty())
    throw InputError({table.file_}, "the file is empty", "its first line names the columns");
  scan.skip_blank_line();
  const std::size_t columns = scan.line(table.cells_);
  std::set<std::string> seen;
  for (std::size_t c = 0; c < columns; ++c) {
    table.header_.emplace_back(trim(table.cell_text(table.cells_[c])));
    const auto& name = table.header_.back();
    if (name.empty()) throw InputError(table.where_header(c), "this column has no name");
    if (!seen.insert(name).second)
      throw InputError(table.where_header(c), "column '" + name + "' stands twice");
  }
  while (!scan.done()) {
    if (scan.skip_blank_line()) continue;
    const std::size_t start = scan.at();
    const std::size_t count = scan.line(table.cells_);
    if (count != columns) {
      throw InputError(table.position(start),
                       "this row has " + std::to_string(count) + (count == 1 ? " field" : " fields") +
                           ", and the header has " + std::to_string(columns),
                       table.separator_hint());
    }
    ++table.rows_;
  }
  return table;
}

std::string CsvTable::separator_hint() const {
  if (header_.size() != 1) return {};
  for (const auto& [mark, name] : {std::pair{';', "';'"}, std::pair{'\t', "tabs"}, std::pair{'|', "'|'"}}) {
    if (header_.front().find(mark) == std::string::npos) continue;
    return std::string("are the fields separated by ") + name +
           "? Sextant reads commas, and '.' before decimals";
  }
  return {};
}

CsvTable CsvTable::read_file(const std::string& path) {
  return parse(read_text_file(path), path);
}

std::optional<std::size_t> CsvTable::find_column(std::string_view name) const {
  const auto it = std::ranges::find(header_, name);
  if (it == header_.end()) return std::nullopt;
  return static_cast<std::size_t>(it - header_.begin());
}

std::size_t CsvTable::column(std::string_view name) const {
  if (const auto found = find_column(name)) return *found;
  const std::string hint = separator_hint();
  throw InputError({file_, 1, 1}, "there is no column '" + std::string(name) + "'",
                   hint.empty() ? name_hint(name, header_) : hint);
}

const CsvTable::Cell& CsvTable::cell(std::size_t row, std::size_t column) const {
  return cells_.at((row + 1) * header_.size() + column);
}

std::string CsvTable::cell_text(const Cell& cell) const {
  std::string value = text_.substr(cell.begin, cell.end - cell.begin);
  if (!cell.quoted) return value;
  std::string unescaped;
  for (std::size_t i = 0; i < value.size(); ++i) {
    unescaped += value[i];
    if (value[i] == '"') ++i;  // a quote inside is always doubled
  }
  return unescaped;
}

std::string CsvTable::text(std::size_t row, std::size_t column) const {
  return cell_text(cell(row, column));
}

bool CsvTable::empty(std::size_t row, std::size_t column) const {
  const Cell& c = cell(row, column);
  return trim(std::string_view(text_).substr(c.begin, c.end - c.begin)).empty();
}

std::optional<double> CsvTable::maybe_number(std::size_t row, std::size_t column) const {
  if (empty(row, column)) return std::nullopt;
  const Cell& c = cell(row, column);
  const auto value = to_number(trim(std::string_view(text_).substr(c.begin, c.end - c.begin)));
  if (value && std::isfinite(*value)) return value;
  throw InputError(where(row, column),
                   "'" + text(row, column) + "' is not a finite number in column '" + header_[column] + "'");
}

double CsvTable::number(std::size_t row, std::size_t column) const {
  if (const auto value = maybe_number(row, column)) return *value;
  throw InputError(where(row, column), "column '" + header_[column] + "' is empty here");
}

std::int64_t CsvTable::integer(std::size_t row, std::size_t column) const {
  const auto value = to_integer(trim(text(row, column)));
  if (value) return *value;
  throw InputError(where(row, column),
                   "'" + text(row, column) + "' is not a whole number in column '" + header_[column] + "'");
}

std::vector<double> CsvTable::numbers(std::string_view column_name) const {
  const std::size_t c = column(column_name);
  std::vector<double> values(rows_);
  for (std::size_t r = 0; r < rows_; ++r) values[r] = number(r, c);
  return values;
}

std::vector<std::string> CsvTable::texts(std::string_view column_name) const {
  const std::size_t c = column(column_name);
  std::vector<std::string> values(rows_);
  for (std::size_t r = 0; r < rows_; ++r) values[r] = text(r, c);
  return values;
}

SourcePos CsvTable::position(std::size_t offset) const {
  const auto next = std::ranges::upper_bound(line_begins_, offset);
  const std::size_t begin = next == line_begins_.begin() ? 0 : *std::prev(next);
  return {file_, static_cast<int>(next - line_begins_.begin()) + 1, static_cast<int>(offset - begin) + 1};
}
SourcePos CsvTable::where(std::size_t row, std::size_t column) const {
  return position(cell(row, column).begin);
}
SourcePos CsvTable::where_header(std::size_t column) const {
  return position(cells_.at(column).begin);
}

std::vector<std::int64_t> CsvTable::row_lines() const {
  std::vector<std::int64_t> lines(rows_);
  for (std::size_t row = 0; row < rows_; ++row) lines[row] = where(row, 0).line;
  return lines;
}

void write_csv_row(std::ostream& out, std::span<const std::string> fields) {
  for (const auto& field : fields) {
    if (&field != fields.data()) out << ',';
    const bool blank_line = fields.size() == 1 && field.empty();  // would read back as no row at all
    if (!blank_line && field.find_first_of(",\"\r\n") == std::string::npos) {
      out << field;
      continue;
    }
    out << '"';
    for (const char c : field) out << (c == '"' ? "\"\"" : std::string(1, c));
    out << '"';
  }
  out << '\n';
}

}  // namespace sextant
