#include "sextant/report/render.h"

#include <algorithm>
#include <ostream>

#include "sextant/core/csv.h"
#include "sextant/core/text.h"

namespace sextant::report {
namespace {

constexpr const char* kBold = "\x1b[1m";
constexpr const char* kPlain = "\x1b[0m";
constexpr std::string_view kGap = "  ";
constexpr std::string_view kCut = "…";

std::string exact(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell.value)) return *text;
  if (const auto* number = std::get_if<double>(&cell.value)) return number_text(*number);
  if (const auto* count = std::get_if<std::int64_t>(&cell.value)) return std::to_string(*count);
  if (const auto* yes = std::get_if<bool>(&cell.value)) return *yes ? "true" : "false";
  return {};
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
  const std::size_t columns = table.columns.size();
  std::vector<std::size_t> width(columns);
  std::vector<bool> right(columns);
  for (std::size_t c = 0; c < columns; ++c) {
    width[c] = display_width(table.columns[c].title);
    right[c] = right_aligned(table, c);
    for (const auto& row : table.rows) width[c] = std::max(width[c], display_width(row[c].shown));
  }
  std::string head;
  for (std::size_t c = 0; c < columns; ++c) {
    head += (c == 0 ? "" : std::string(kGap)) + padded(table.columns[c].title, width[c], right[c]);
  }
  head = fit(trimmed_right(head), style.width);
  out << (style.color ? kBold + head + kPlain : head) << '\n';
  for (const auto& row : table.rows) {
    std::string line;
    for (std::size_t c = 0; c < columns; ++c) {
      line += (c == 0 ? "" : std::string(kGap)) + padded(row[c].shown, width[c], right[c]);
    }
    out << fit(trimmed_right(line), style.width) << '\n';
  }
  for (const auto& note : table.notes) out << note << '\n';
}

void render_csv(std::ostream& out, const Table& table) {
  std::vector<std::string> fields;
  for (const auto& column : table.columns) fields.push_back(column.key);
  write_csv_row(out, fields);
  for (const auto& row : table.rows) {
    fields.clear();
    for (const auto& cell : row) fields.push_back(exact(cell));
    write_csv_row(out, fields);
  }
}

void render_markdown(std::ostream& out, const Table& table) {
  for (const auto& column : table.columns) out << "| " << markdown_escaped(column.title) << ' ';
  out << "|\n";
  for (std::size_t c = 0; c < table.columns.size(); ++c) out << (right_aligned(table, c) ? "|--:" : "|---");
  out << "|\n";
  for (const auto& row : table.rows) {
    for (const auto& cell : row) out << "| " << markdown_escaped(cell.shown) << ' ';
    out << "|\n";
  }
  for (const auto& note : table.notes) out << '\n' << note << '\n';
}

}  // namespace sextant::report
