#include "sextant/report/render.h"

#include <nlohmann/json.hpp>
#include <ostream>

#include "sextant/core/csv.h"
#include "sextant/core/text.h"
#include "visible_table.h"

namespace sextant::report {
namespace {

bool nested(const Cell& cell) {
  return std::holds_alternative<std::shared_ptr<const Json>>(cell.value);
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

std::string markdown_escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

std::string csv_text(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell.value)) return *text;
  if (const auto* number = std::get_if<double>(&cell.value)) return number_text(*number);
  if (const auto* count = std::get_if<std::int64_t>(&cell.value)) return std::to_string(*count);
  if (const auto* yes = std::get_if<bool>(&cell.value)) return *yes ? "true" : "false";
  return nested(cell) ? cell.shown : std::string();
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
    for (const std::size_t c : columns) fields.push_back(csv_text(row[c]));
    write_csv_row(out, fields);
  }
}

void render_markdown(std::ostream& out, const Table& given) {
  const Table table = visible_table(given);
  std::vector<std::size_t> shown;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (for_people(table, c)) shown.push_back(c);
  }
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
  for (const auto& line : lines_below(table, shown)) {
    out << before << line << '\n';
    before = "\n";
  }
}

}  // namespace sextant::report
