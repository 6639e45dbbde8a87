// Tables on a terminal, as their layout says.
#include <algorithm>
#include <ostream>

#include "screen_layout.h"
#include "sextant/core/text.h"
#include "sextant/report/render.h"
#include "sextant/report/text_wrap.h"
#include "visible_table.h"

namespace sextant::report {
namespace {

constexpr const char* kBold = "\x1b[1m";
constexpr const char* kPlain = "\x1b[0m";
constexpr std::string_view kCut = "…";
constexpr std::size_t kHanging = 2;  // blanks before the second line of a note

// Never within a letter, so that a terminal never gets half of one.
std::string cut_to(const std::string& line, std::size_t width) {
  if (width == 0 || display_width(line) <= width) return line;
  return std::string(within_columns(line, width - 1)) + std::string(kCut);
}

std::string padded_cell(const std::string& text, std::size_t width, bool right) {
  const std::size_t used = display_width(text);
  const std::string fill(width > used ? width - used : 0, ' ');
  return right ? fill + text : text + fill;
}

// A row of the table, on as many lines as its tallest cell takes.
template <class TextOf>
std::vector<std::string> lines_of(const ScreenColumns& columns, std::size_t width, const TextOf& text_of) {
  std::vector<std::vector<std::string>> cells;
  std::size_t height = 1;
  for (const ScreenColumn& column : columns) {
    const std::string& text = text_of(column.index);
    cells.push_back(wrapped(text, folded(text, column.width)));
    height = std::max(height, cells.back().size());
  }
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < height; ++i) {
    std::string line;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (c > 0) line += kColumnGap;
      line += padded_cell(i < cells[c].size() ? cells[c][i] : "", columns[c].width, columns[c].right);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(cut_to(line, width));
  }
  return lines;
}

void render_band(std::ostream& out, const Table& table, const ScreenColumns& columns,
                 const ScreenStyle& style) {
  const auto width = static_cast<std::size_t>(style.width);
  for (const auto& head : lines_of(
           columns, width, [&](std::size_t c) -> const std::string& { return table.columns[c].title; })) {
    out << (style.color ? kBold + head + kPlain : head) << '\n';
  }
  for (const auto& row : table.rows) {
    for (const auto& line :
         lines_of(columns, width, [&](std::size_t c) -> const std::string& { return row[c].shown; })) {
      out << line << '\n';
    }
  }
}

// Digits stand below each other where some of the values have a mark behind them.
void align_marks(Table& table) {
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (!right_aligned(table, c)) continue;
    for (const Mark& mark : table.marks) {
      const std::string behind = " " + mark.sign;
      const auto marked = [&](const std::vector<Cell>& row) { return row[c].shown.ends_with(behind); };
      if (std::ranges::none_of(table.rows, marked)) continue;
      for (auto& row : table.rows) {
        if (!marked(row) && !row[c].shown.empty()) row[c].shown.append(display_width(behind), ' ');
      }
    }
  }
}

std::string said_once_text(const Table& table, const std::vector<std::size_t>& columns) {
  std::vector<std::string> parts;
  for (const std::size_t c : columns) {
    const std::string& title = table.columns[c].title;
    const std::string& value = table.rows.front()[c].shown;
    parts.push_back(title == value ? title : title + " " + value);
  }
  return (table.rows.size() > 1 ? "All rows: " : "") + join(parts, ", ");
}

void write_lines(std::ostream& out, const std::string& text, std::size_t width) {
  for (const auto& line : wrapped(text, {.width = width, .hanging = kHanging})) out << line << '\n';
}

}  // namespace

void render_screen(std::ostream& out, const Table& given, const ScreenStyle& style) {
  Table table = visible_table(given);
  align_marks(table);
  const auto width = static_cast<std::size_t>(std::max(style.width, 0));
  const ScreenLayout layout = screen_layout(table, width);
  if (!layout.said_once.empty()) write_lines(out, said_once_text(table, layout.said_once), width);
  for (const ScreenColumns& band : layout.bands) {
    if (&band != &layout.bands.front()) out << '\n';
    if (!band.empty()) render_band(out, table, band, style);
  }
  for (const std::string& line : lines_below(table, layout.shown())) write_lines(out, line, width);
  if (layout.left_out.empty()) return;
  std::vector<std::string> titles;
  for (const std::size_t c : layout.left_out) titles.push_back(table.columns[c].title);
  const std::string how = style.how_to_see_all.empty() ? "" : "; " + style.how_to_see_all;
  write_lines(out, "Not shown at this width: " + join(titles, ", ") + how + ".", width);
}

}  // namespace sextant::report
