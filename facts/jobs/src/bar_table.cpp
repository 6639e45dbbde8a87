#include "bar_table.h"

#include <algorithm>

#include "sextant/core/text.h"

namespace sextant::jobs {

BarTable::BarTable(const std::string& text, std::string file) : file_(std::move(file)) {
  if (text.find('\0') != std::string::npos) {
    throw InputError({file_}, "the file has a NUL byte, so it is not a text file");
  }
  std::string_view rest = text;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  for (std::int64_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = trim(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty()) continue;
    if (header_.empty()) {
      header_ = cells_of({line, number});
      if (header_.back().empty()) header_.pop_back();
    } else {
      add_row({line, number});
    }
  }
}

std::vector<std::string_view> BarTable::cells_of(const Line& line) const {
  std::vector<std::string_view> cells;
  for (std::size_t begin = 0; begin <= line.text.size();) {
    const std::size_t end = std::min(line.text.find('|', begin), line.text.size());
    cells.push_back(trim(line.text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return cells;
}

void BarTable::add_row(const Line& line) {
  std::vector<std::string_view> cells = cells_of(line);
  if (cells.size() == header_.size() + 1 && cells.back().empty()) cells.pop_back();
  if (cells.size() != header_.size()) {
    throw InputError({file_, static_cast<int>(line.number), 1},
                     "this row has " + std::to_string(cells.size()) +
                         (cells.size() == 1 ? " field" : " fields") + ", and the header has " +
                         std::to_string(header_.size()),
                     "a job's name may hold a bar: leave JobName out of the fields that sacct is asked for");
  }
  cells_.insert(cells_.end(), cells.begin(), cells.end());
  lines_.push_back(line.number);
}

std::optional<std::size_t> BarTable::find_column(std::string_view name) const {
  const auto found = std::ranges::find(header_, name);
  if (found == header_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - header_.begin());
}

SourcePos BarTable::where(std::size_t row, std::size_t column) const {
  int offset = 0;  // cells are trimmed, so this is where the cell begins unless blanks stand around bars
  for (std::size_t c = 0; c < column; ++c) offset += static_cast<int>(cell(row, c).size()) + 1;
  return {file_, static_cast<int>(line(row)), offset + 1};
}

}  // namespace sextant::jobs
