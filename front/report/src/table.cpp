#include "sextant/report/table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"

namespace sextant::report {
namespace {

// 25557032 -> "25,557,032": people compare lengths before digits.
std::string grouped(std::int64_t count) {
  std::string digits = std::to_string(count);
  const std::size_t first = digits.starts_with('-') ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::vector<std::string> legend_lines(const Table& table, const std::vector<std::size_t>& columns) {
  std::vector<std::string> titles;
  std::vector<std::string> legends;
  for (const std::size_t c : columns) {
    const Column& column = table.columns[c];
    if (column.legend.empty()) continue;
    const auto found = std::ranges::find(legends, column.legend);
    if (found == legends.end()) {
      titles.push_back(column.title);
      legends.push_back(column.legend);
    } else {
      titles[static_cast<std::size_t>(found - legends.begin())] += ", " + column.title;
    }
  }
  for (std::size_t i = 0; i < legends.size(); ++i) legends[i] = titles[i] + ": " + legends[i];
  return legends;
}

}  // namespace

Cell::Cell(std::string text) : value(text), shown(std::move(text)) {}
Cell::Cell(const char* text) : Cell(std::string(text)) {}
Cell::Cell(bool yes) : value(yes), shown(yes ? "yes" : "no") {}
Cell::Cell(std::int64_t count) : value(count), shown(grouped(count)) {}
Cell::Cell(double number) : value(number), shown(readable(number)) {}
Cell::Cell(Seconds time) : value(time.value), shown(human(time)) {}
Cell::Cell(Bytes bytes) : value(bytes.value), shown(human(bytes)) {}
Cell::Cell(Flops flops) : value(flops.value), shown(human(flops)) {}
Cell::Cell(FlopRate rate) : value(rate.value), shown(human(rate)) {}
Cell::Cell(Bandwidth rate) : value(rate.value), shown(human(rate)) {}
Cell::Cell(Dollars money) : value(money.value), shown(human(money)) {}
Cell::Cell(DollarRate rate) : value((rate * kHour).value), shown(human(rate)) {}
Cell::Cell(Hertz rate) : value(rate.value), shown(human(rate)) {}
Cell::Cell(Watts power) : value(power.value), shown(human(power)) {}

bool Cell::numeric() const {
  return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

Cell Cell::nested(Json value, std::string shown) {
  Cell cell;
  cell.value = std::make_shared<const Json>(std::move(value));
  cell.shown = std::move(shown);
  return cell;
}

Json Cell::json() const {
  return std::visit(
      [](const auto& known) -> Json {
        using Value = std::decay_t<decltype(known)>;
        if constexpr (std::is_same_v<Value, std::monostate>) {
          return nullptr;
        } else if constexpr (std::is_same_v<Value, std::shared_ptr<const Json>>) {
          return *known;
        } else if constexpr (std::is_same_v<Value, double>) {
          return number_or_null(known);
        } else {
          return known;
        }
      },
      value);
}

void set_path(Json& object, const std::string& key, Json value) {
  Json* at = &object;
  std::size_t from = 0;
  for (std::size_t dot = key.find('.'); dot != std::string::npos; dot = key.find('.', from)) {
    at = &(*at)[key.substr(from, dot - from)];
    from = dot + 1;
  }
  (*at)[key.substr(from)] = std::move(value);
}

Json row_json(const Table& table, std::size_t row) {
  Json object = Json::object();
  const auto& cells = table.rows.at(row);
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const Column& column = table.columns.at(c);
    if (column.object.empty()) {
      set_path(object, column.key, cells[c].json());
    } else {
      object[column.object][column.key] = cells[c].json();
    }
  }
  return object;
}

std::map<std::string, double> row_numbers(const Table& table, std::size_t row) {
  std::map<std::string, double> numbers;
  const Json flat = row_json(table, row).flatten();  // "/memory/weights_bytes"
  for (const auto& [path, value] : flat.items()) {
    if (!value.is_number()) continue;
    std::string dotted = path.substr(1);
    std::ranges::replace(dotted, '/', '.');
    numbers[dotted] = value.get<double>();
  }
  return numbers;
}

Json to_json(const Table& table) {
  Json rows = Json::array();
  for (std::size_t row = 0; row < table.rows.size(); ++row) rows.push_back(row_json(table, row));
  return rows;
}

bool for_people(const Table& table, std::size_t column) {
  if (table.columns[column].importance == Importance::detail) return false;
  const auto has_text = [column](const std::vector<Cell>& row) { return !row[column].shown.empty(); };
  return table.rows.empty() || std::ranges::any_of(table.rows, has_text);
}

bool right_aligned(const Table& table, std::size_t column) {
  bool numbers = false;
  for (const auto& row : table.rows) {
    const Cell& cell = row[column];
    if (!cell.numeric() && !std::holds_alternative<std::monostate>(cell.value)) return false;
    numbers |= cell.numeric();
  }
  return numbers;
}

bool has_mark(const Cell& cell, const Mark& mark) {
  return cell.shown.starts_with(mark.sign) || cell.shown.ends_with(" " + mark.sign);
}

std::vector<std::string> lines_below(const Table& table, const std::vector<std::size_t>& columns) {
  std::vector<std::string> lines;
  for (const Mark& mark : table.marks) {
    const auto marked = [&](const std::vector<Cell>& row) {
      return std::ranges::any_of(columns, [&](std::size_t c) { return has_mark(row[c], mark); });
    };
    if (std::ranges::any_of(table.rows, marked)) lines.push_back(mark.sign + " : " + mark.meaning);
  }
  lines.insert(lines.end(), table.notes.begin(), table.notes.end());
  std::ranges::move(legend_lines(table, columns), std::back_inserter(lines));
  return lines;
}

Table by_field(const Table& facts, std::vector<Column> columns) {
  Table table{.columns = std::move(columns), .rows = {}, .notes = {}};
  const auto& cells = facts.rows.at(0);
  std::vector<std::size_t> shown;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (!for_people(facts, c)) continue;
    shown.push_back(c);
    table.rows.push_back({facts.columns[c].title, cells[c]});
  }
  table.notes = lines_below(facts, shown);
  return table;
}

Cell percent_cell(double fraction) {
  std::ostringstream text;
  text.setf(std::ios::fixed);
  text.precision(1);
  text << 100 * fraction << " %";
  Cell cell(fraction);
  cell.shown = text.str();
  return cell;
}

std::string percent_words(double fraction) {
  return percent_cell(fraction).shown;
}

Cell digits_cell(double value) {
  Cell cell(value);
  if (std::isinf(value)) cell.shown = value > 0 ? "unbounded" : "-unbounded";
  return cell;
}

std::string readable(double value) {
  constexpr double kWhole = 100;     // from here on, digits behind the point say nothing
  constexpr double kLargest = 1e15;  // beyond, and below the smallest, powers of ten read better
  if (!std::isfinite(value)) return number_text(value);
  const double size = std::abs(value);
  if (size < kLargest && (size >= kWhole || value == std::round(value))) {
    return grouped(std::llround(value));
  }
  std::array<char, 40> text{};
  // 0.9996 is not 1: a queue at that load is another one.
  for (int digits = 3; digits < 7; ++digits) {
    std::snprintf(text.data(), text.size(), "%.*g", digits, value);
    if (to_number(text.data()) != std::round(value)) break;
  }
  return text.data();
}

Json number_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

}  // namespace sextant::report
