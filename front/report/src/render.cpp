#include "sextant/report/render.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "sextant/core/csv.h"
#include "sextant/core/text.h"

namespace sextant::report {
namespace {

constexpr const char* kBold = "\x1b[1m";
constexpr const char* kPlain = "\x1b[0m";
constexpr std::string_view kGap = "  ";
constexpr std::string_view kCut = "…";

bool nested(const Cell& cell) {
  return std::holds_alternative<std::shared_ptr<const Json>>(cell.value);
}

std::string exact(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell.value)) return *text;
  if (const auto* number = std::get_if<double>(&cell.value)) return number_text(*number);
  if (const auto* count = std::get_if<std::int64_t>(&cell.value)) return std::to_string(*count);
  if (const auto* yes = std::get_if<bool>(&cell.value)) return *yes ? "true" : "false";
  return nested(cell) ? cell.shown : std::string();
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::size_t used = display_width(text);
  const std::string fill(width > used ? width - used : 0, ' ');
  return right ? fill + text : text + fill;
}

// Numbers align right; a column that mixes them with words reads better from the left.
bool right_aligned(const Table& table, std::size_t column) {
  bool numbers = false;
  for (const auto& row : table.rows) {
    const Cell& cell = row[column];
    if (!cell.numeric() && !std::holds_alternative<std::monostate>(cell.value)) return false;
    numbers |= cell.numeric();
  }
  return numbers;
}

// What has a text in some row and is not for files alone. A table without rows shows all its titles.
std::vector<std::size_t> shown_columns(const Table& table) {
  std::vector<std::size_t> shown;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].importance == Importance::detail) continue;
    const auto has_text = [c](const std::vector<Cell>& row) { return !row[c].shown.empty(); };
    if (table.rows.empty() || std::ranges::any_of(table.rows, has_text)) shown.push_back(c);
  }
  return shown;
}

// Lists and objects without a text.
bool for_json_alone(const Table& table, std::size_t column) {
  bool structured = false;
  for (const auto& row : table.rows) {
    const Cell& cell = row[column];
    if (nested(cell) ? !cell.shown.empty() : !std::holds_alternative<std::monostate>(cell.value))
      return false;
    structured |= nested(cell);
  }
  return structured;
}

// A column as a screen has it.
struct ScreenColumn {
  std::size_t index = 0;
  std::size_t width = 0;
  bool right = false;
};

std::vector<ScreenColumn> screen_columns(const Table& table) {
  std::vector<ScreenColumn> columns;
  for (const std::size_t c : shown_columns(table)) {
    std::size_t width = display_width(table.columns[c].title);
    for (const auto& row : table.rows) width = std::max(width, display_width(row[c].shown));
    columns.push_back({c, width, right_aligned(table, c)});
  }
  return columns;
}

// Drops columns that are not essential, the last first, until a line fits; gives the titles of what was
// dropped.
std::vector<std::string> drop_to_fit(const Table& table, std::vector<ScreenColumn>& columns, int width) {
  std::vector<std::string> dropped;
  const auto line_width = [&] {
    std::size_t sum = 0;
    for (const ScreenColumn& column : columns) sum += column.width + (sum == 0 ? 0 : kGap.size());
    return sum;
  };
  while (width > 0 && line_width() > static_cast<std::size_t>(width)) {
    const auto last = std::find_if(columns.rbegin(), columns.rend(), [&](const ScreenColumn& column) {
      return table.columns[column.index].importance != Importance::essential;
    });
    if (last == columns.rend()) break;
    dropped.insert(dropped.begin(), table.columns[last->index].title);
    columns.erase(std::next(last).base());
  }
  return dropped;
}

// Cuts at a code point, so that a terminal never gets half a character.
std::string fit(const std::string& line, int width) {
  if (width <= 0 || display_width(line) <= static_cast<std::size_t>(width)) return line;
  std::size_t shown = 0;
  std::size_t at = 0;
  for (; at < line.size(); ++at) {
    const bool starts = (static_cast<unsigned char>(line[at]) & 0xC0U) != 0x80U;
    if (starts && ++shown == static_cast<std::size_t>(width)) break;
  }
  return line.substr(0, at) + std::string(kCut);
}

std::string trimmed_right(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string markdown_escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

}  // namespace

std::size_t display_width(std::string_view utf8) {
  return static_cast<std::size_t>(
      std::ranges::count_if(utf8, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

void render_screen(std::ostream& out, const Table& table, const ScreenStyle& style) {
  std::vector<ScreenColumn> columns = screen_columns(table);
  const std::vector<std::string> dropped = drop_to_fit(table, columns, style.width);
  const auto line_of = [&](const auto& text_of) {
    std::string line;
    for (const ScreenColumn& column : columns) {
      if (&column != &columns.front()) line += kGap;
      line += padded(text_of(column.index), column.width, column.right);
    }
    return fit(trimmed_right(line), style.width);
  };
  if (!columns.empty()) {
    const std::string head = line_of([&](std::size_t c) { return table.columns[c].title; });
    out << (style.color ? kBold + head + kPlain : head) << '\n';
    for (const auto& row : table.rows) out << line_of([&](std::size_t c) { return row[c].shown; }) << '\n';
  }
  for (const auto& note : table.notes) out << note << '\n';
  if (dropped.empty()) return;
  const std::string how = style.how_to_see_all.empty() ? "" : "; " + style.how_to_see_all;
  out << "Not shown at this width: " << join(dropped, ", ") << how << ".\n";
}

void render_csv(std::ostream& out, const Table& table) {
  std::vector<std::size_t> columns;
  std::vector<std::string> fields;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (for_json_alone(table, c)) continue;
    columns.push_back(c);
    fields.push_back(table.columns[c].key);
  }
  write_csv_row(out, fields);
  for (const auto& row : table.rows) {
    fields.clear();
    for (const std::size_t c : columns) fields.push_back(exact(row[c]));
    write_csv_row(out, fields);
  }
}

void render_markdown(std::ostream& out, const Table& table) {
  const std::vector<std::size_t> shown = shown_columns(table);
  const auto write_line = [&](const auto& text_of) {
    for (const std::size_t c : shown) out << "| " << markdown_escaped(text_of(c)) << ' ';
    out << "|\n";
  };
  if (!shown.empty()) {
    write_line([&](std::size_t c) { return table.columns[c].title; });
    for (const std::size_t c : shown) out << (right_aligned(table, c) ? "|--:" : "|---");
    out << "|\n";
    for (const auto& row : table.rows) write_line([&](std::size_t c) { return row[c].shown; });
  }
  std::string_view before = shown.empty() ? "" : "\n";
  for (const auto& note : table.notes) {
    out << before << note << '\n';
    before = "\n";
  }
}

}  // namespace sextant::report
