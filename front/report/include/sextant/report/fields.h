// The fields of a result, declared once: key, title, how to read it, how important it is. Table, CSV,
// Markdown and JSON come from this one list.
#pragma once

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sextant/report/table.h"

namespace sextant::report {

template <class Row>
struct Field {
  std::string key;    // as in Column
  std::string title;  // on screen
  std::function<Cell(const Row&)> value;
  Importance importance = Importance::usual;
  std::string object = {};  // as in Column
  std::string legend = {};  // as in Column
};

template <class Row>
using Fields = std::vector<Field<Row>>;

template <class Row>
Fields<Row> joined(std::initializer_list<Fields<Row>> lists) {
  Fields<Row> all;
  for (const Fields<Row>& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

// The fields of a part as fields of the whole; unknown where `part` gives nullptr. A prefix "totals." makes
// an object of them.
template <class Row, class Part>
Fields<Row> of_part(const Fields<Part>& fields, std::function<const Part*(const Row&)> part,
                    const std::string& prefix = {}) {
  Fields<Row> all;
  for (const Field<Part>& field : fields) {
    const auto value = [part, read = field.value](const Row& row) {
      const Part* found = part(row);
      return found == nullptr ? Cell() : read(*found);
    };
    all.push_back({prefix + field.key, field.title, value, field.importance, field.object, field.legend});
  }
  return all;
}

// Those of these keys as important as that.
template <class Row>
Fields<Row> with_importance(Fields<Row> fields, Importance importance,
                            std::initializer_list<std::string_view> keys) {
  for (Field<Row>& field : fields) {
    if (std::ranges::find(keys, field.key) != keys.end()) field.importance = importance;
  }
  return fields;
}

// Those of these keys are for files alone.
template <class Row>
Fields<Row> in_files(Fields<Row> fields, std::initializer_list<std::string_view> keys) {
  return with_importance(std::move(fields), Importance::detail, keys);
}

// Texts for the fields of some keys. A key that no field has is a bug.
using KeyedTexts = std::initializer_list<std::pair<std::string_view, std::string_view>>;

template <class Row>
Fields<Row> with_texts(Fields<Row> fields, std::string Field<Row>::*member, KeyedTexts texts) {
  for (const auto& [key, text] : texts) {
    const auto found = std::ranges::find(fields, key, &Field<Row>::key);
    if (found == fields.end()) throw std::logic_error("no field has the key " + std::string(key));
    (*found).*member = text;
  }
  return fields;
}

// What the fields of these keys mean, as Column::legend.
template <class Row>
Fields<Row> explained(Fields<Row> fields, KeyedTexts legends) {
  return with_texts(std::move(fields), &Field<Row>::legend, legends);
}

// Other titles.
template <class Row>
Fields<Row> titled(Fields<Row> fields, KeyedTexts titles) {
  return with_texts(std::move(fields), &Field<Row>::title, titles);
}

template <class Row, class Rows>
Table table_of(const Fields<Row>& fields, const Rows& rows) {
  Table table;
  for (const Field<Row>& field : fields) {
    table.columns.push_back({field.key, field.title, field.importance, field.object, field.legend});
  }
  for (const Row& row : rows) {
    std::vector<Cell> cells;
    cells.reserve(fields.size());
    for (const Field<Row>& field : fields) cells.push_back(field.value(row));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

// What is said of one thing: the fields as the only row.
template <class Row>
Table facts_of(const Fields<Row>& fields, const Row& row) {
  return table_of(fields, std::vector<std::reference_wrapper<const Row>>{row});
}

}  // namespace sextant::report
