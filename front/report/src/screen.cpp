// Tables on a terminal: columns as wide as their texts where there is room, and what gives way where there is
// none.
#include <algorithm>
#include <ostream>

#include "sextant/core/text.h"
#include "sextant/report/render.h"
#include "sextant/report/text_wrap.h"
#include "visible_table.h"

namespace sextant::report {
namespace {

constexpr const char* kBold = "\x1b[1m";
constexpr const char* kPlain = "\x1b[0m";
constexpr std::string_view kColumnGap = "  ";
constexpr std::string_view kCut = "…";
constexpr std::size_t kHanging = 2;      // blanks before the second line of a note
constexpr std::size_t kLeastProse = 24;  // columns below which sentences are hard to read
constexpr std::size_t kLeastName = 10;   // columns below which names are

struct ScreenColumn {
  std::size_t index = 0;
  std::size_t width = 0;
  std::size_t least = 0;  // that it may have before others are left out
  std::size_t last_resort = 0;
  bool right = false;
};
using ScreenColumns = std::vector<ScreenColumn>;

std::size_t longest_word(const std::string& text) {
  std::size_t longest = 0;
  for (const std::string& word : split(text, ' ')) longest = std::max(longest, display_width(word));
  return longest;
}

// Titles may always be folded; sentences where that leaves other columns in the table; names and lists when
// nothing else helps. Numbers are never folded.
ScreenColumn screen_column(const Table& table, std::size_t c) {
  const std::string& title = table.columns[c].title;
  std::size_t widest = 0;
  bool sentences = false;
  bool words = false;
  for (const auto& row : table.rows) {
    const std::string& text = row[c].shown;
    widest = std::max(widest, display_width(text));
    words |= !row[c].numeric();
    sentences |= !row[c].numeric() && std::ranges::count(text, ' ') > 2;
  }
  const std::size_t floor = longest_word(title);
  return {.index = c,
          .width = std::max(widest, display_width(title)),
          .least = std::max(floor, sentences ? std::min(widest, kLeastProse) : widest),
          .last_resort = std::max(floor, words ? std::min(widest, kLeastName) : widest),
          .right = right_aligned(table, c)};
}

std::size_t sum_of(const ScreenColumns& columns, std::size_t ScreenColumn::*width) {
  std::size_t sum = 0;
  for (const ScreenColumn& column : columns) sum += column.*width + (sum == 0 ? 0 : kColumnGap.size());
  return sum;
}

// Takes from the widest column that may give, one by one, until a line fits or none may.
void narrow(ScreenColumns& columns, std::size_t ScreenColumn::*least, std::size_t width) {
  while (sum_of(columns, &ScreenColumn::width) > width) {
    ScreenColumn* widest = nullptr;
    for (ScreenColumn& column : columns) {
      if (column.width > column.*least && (widest == nullptr || column.width > widest->width)) {
        widest = &column;
      }
    }
    if (widest == nullptr) return;
    --widest->width;
  }
}

// Leaves out what is not essential, the last first, until a line can cut_to; gives the titles of those.
std::vector<std::string> leave_out(const Table& table, ScreenColumns& columns, std::size_t width) {
  std::vector<std::string> left_out;
  while (sum_of(columns, &ScreenColumn::least) > width) {
    const auto last = std::find_if(columns.rbegin(), columns.rend(), [&](const ScreenColumn& column) {
      return table.columns[column.index].importance != Importance::essential;
    });
    if (last == columns.rend()) break;
    left_out.insert(left_out.begin(), table.columns[last->index].title);
    columns.erase(std::next(last).base());
  }
  return left_out;
}

// What folding made narrower than was asked for gives the rest back.
void tighten(const Table& table, ScreenColumns& columns) {
  for (ScreenColumn& column : columns) {
    std::size_t widest = 0;
    const auto see = [&](const std::string& text) {
      for (const auto& line : wrapped(text, {.width = column.width, .break_words = true})) {
        widest = std::max(widest, display_width(line));
      }
    };
    see(table.columns[column.index].title);
    for (const auto& row : table.rows) see(row[column.index].shown);
    column.width = std::min(column.width, widest);
  }
}

// Columns that have no room beside each other, even with folded names, follow in tables of their own, each
// with the first column.
std::vector<ScreenColumns> bands(const ScreenColumns& columns, std::size_t width) {
  ScreenColumns folded = columns;
  narrow(folded, &ScreenColumn::last_resort, width);
  if (sum_of(folded, &ScreenColumn::width) <= width) return {folded};
  std::vector<ScreenColumns> all = {{}};
  for (const ScreenColumn& column : columns) {
    ScreenColumns& band = all.back();
    band.push_back(column);
    if (band.size() < 3 || sum_of(band, &ScreenColumn::width) <= width) continue;
    band.pop_back();
    all.push_back({columns.front(), column});
  }
  for (ScreenColumns& band : all) narrow(band, &ScreenColumn::last_resort, width);
  return all;
}

// Cuts at a code point, so that a terminal never gets half a character.
std::string cut_to(const std::string& line, std::size_t width) {
  if (width == 0 || display_width(line) <= width) return line;
  std::size_t shown = 0;
  std::size_t at = 0;
  for (; at < line.size(); ++at) {
    const bool starts = (static_cast<unsigned char>(line[at]) & 0xC0U) != 0x80U;
    if (starts && ++shown == width) break;
  }
  return line.substr(0, at) + std::string(kCut);
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
    cells.push_back(wrapped(text_of(column.index), {.width = column.width, .break_words = true}));
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
  for (const auto& head : lines_of(columns, width, [&](std::size_t c) { return table.columns[c].title; })) {
    out << (style.color ? kBold + head + kPlain : head) << '\n';
  }
  for (const auto& row : table.rows) {
    for (const auto& line : lines_of(columns, width, [&](std::size_t c) { return row[c].shown; })) {
      out << line << '\n';
    }
  }
}

}  // namespace

void render_screen(std::ostream& out, const Table& given, const ScreenStyle& style) {
  const Table table = visible_table(given);
  const auto width = static_cast<std::size_t>(std::max(style.width, 0));
  ScreenColumns columns;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (for_people(table, c)) columns.push_back(screen_column(table, c));
  }
  std::vector<std::string> left_out;
  std::vector<ScreenColumns> all = {columns};
  if (width > 0 && !columns.empty()) {
    left_out = leave_out(table, columns, width);
    narrow(columns, &ScreenColumn::least, width);
    all = bands(columns, width);
    for (ScreenColumns& band : all) tighten(table, band);
  }
  for (const ScreenColumns& band : all) {
    if (&band != &all.front()) out << '\n';
    if (!band.empty()) render_band(out, table, band, style);
  }
  std::vector<std::string> lines = table.notes;
  std::vector<std::size_t> shown;
  for (const ScreenColumn& column : columns) shown.push_back(column.index);
  std::ranges::move(legend_lines(table, shown), std::back_inserter(lines));
  if (!left_out.empty()) {
    const std::string how = style.how_to_see_all.empty() ? "" : "; " + style.how_to_see_all;
    lines.push_back("Not shown at this width: " + join(left_out, ", ") + how + ".");
  }
  for (const std::string& line : lines) {
    for (const auto& part : wrapped(line, {.width = width, .hanging = kHanging})) {
      out << part << '\n';
    }
  }
}

}  // namespace sextant::report
