// Rows and columns. A cell keeps the exact value for files and scripts, and the text that people read; the
// renderers choose.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sextant/core/json.h"
#include "sextant/core/units.h"

namespace sextant::report {

struct Cell {
  // The last: lists and objects.
  std::variant<std::monostate, bool, std::int64_t, double, std::string, std::shared_ptr<const Json>> value;
  std::string shown;

  Cell() = default;  // not known
  Cell(std::string text);
  Cell(const char* text);
  Cell(bool yes);
  Cell(std::int64_t count);
  Cell(double number);  // all digits in files, readable() on screen
  // Exact SI value in files, with unit and three digits on screen.
  Cell(Seconds);
  Cell(Bytes);
  Cell(Flops);
  Cell(FlopRate);
  Cell(Bandwidth);
  Cell(Dollars);
  Cell(DollarRate);  // dollars per hour in files too: that is how everybody quotes them
  Cell(Hertz);
  Cell(Watts);
  template <class Quantity>
  Cell(const std::optional<Quantity>& maybe) : Cell(maybe ? Cell(*maybe) : Cell()) {}

  // A list or an object. Its text, if it has one, is for people and for CSV.
  static Cell nested(Json value, std::string shown = {});

  [[nodiscard]] bool numeric() const;
  [[nodiscard]] Json json() const;  // null where nothing is known; infinite numbers are null too
};

// Per cent with one digit on screen, the fraction in files.
Cell percent_cell(double fraction);
std::string percent_words(double fraction);  // as on screen
// As other numbers; "unbounded" where it is infinite.
Cell digits_cell(double value);
// A number as people write it: three digits, or all those before the point in groups of three.
std::string readable(double value);
// Null where there is no number.
Json number_or_null(double value);

enum class Importance {
  identity,  // what the row is about, an input of the question: on every screen, once where all rows share it
  essential,  // a result: on every screen
  usual,      // on a screen that has room for it
  detail      // in CSV and JSON only
};

struct Column {
  // In CSV and JSON, with SI unit: "iteration_s". A dot makes an object in JSON: "memory.weights_bytes".
  std::string key;
  std::string title;  // on screen: "iteration"
  Importance importance = Importance::usual;
  // In JSON, the object that holds the value under the key as it is; CSV has the key alone. For names that
  // users gave: "configuration".
  std::string object = {};
  // What the title means, for who does not know it: "Jain's index of fairness; 1 is fair". It is said once,
  // below the table, where people see the column.
  std::string legend = {};
};

// A sign before the text of a cell, or behind it with a blank between. It is explained where people see it.
struct Mark {
  std::string sign;     // "*"
  std::string meaning;  // "outside what the model was fitted on"
};

struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
  std::vector<std::string> notes;  // lines under the table, on screen and in Markdown only
  std::vector<Mark> marks = {};
};

// Whether people see it: it is not for files alone, and some row has a text. A table without rows shows all
// its titles.
bool for_people(const Table& table, std::size_t column);
// Numbers stand to the right; a column that mixes them with words reads better from the left.
bool right_aligned(const Table& table, std::size_t column);
// What stands below a table with these columns: the marks that they have, the notes, and a line for each of
// their legends, with the titles that share it: "p50, p99: ...".
std::vector<std::string> lines_below(const Table& table, const std::vector<std::size_t>& columns);
bool has_mark(const Cell& cell, const Mark& mark);

// A row for each column that people see and that has a value: its title, and the value. Many facts about one
// thing read better downwards.
Table by_field(const Table& facts, std::vector<Column> columns = {{"field", "field", Importance::identity},
                                                                  {"value", "value", Importance::essential}});

Json to_json(const Table& table);                    // a list of objects
Json row_json(const Table& table, std::size_t row);  // one of them
// Its numbers by path, those within lists and objects too: "interval.0". None that is not finite.
std::map<std::string, double> row_numbers(const Table& table, std::size_t row);
void set_path(Json& object, const std::string& key, Json value);  // "a.b": in the object a

}  // namespace sextant::report
