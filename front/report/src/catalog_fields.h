// Cells and fields that things of the catalogue share.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sextant/core/text.h"
#include "sextant/report/fields.h"

namespace sextant::report {

// Zero, empty and missing all mean "not stated".
inline Cell stated(const std::string& text) {
  return text.empty() ? Cell() : Cell(text);
}
template <class Quantity>
Cell stated(const std::optional<Quantity>& value) {
  return value && value->value != 0 ? Cell(*value) : Cell();
}
inline Cell stated(const std::vector<std::string>& texts) {
  return texts.empty() ? Cell::nested(Json::array()) : Cell::nested(texts, join(texts, ", "));
}
// Years and the like, whose digits nobody groups.
inline Cell stated_number(int value) {
  if (value == 0) return {};
  Cell cell(static_cast<std::int64_t>(value));
  cell.shown = std::to_string(value);
  return cell;
}

template <class Entry>
Fields<Entry> name_fields(const std::string& kind) {
  return {
      {kind, "id", [](const Entry& e) { return Cell(e.id); }},
      {"name", "name", [](const Entry& e) { return stated(e.name); }},
      {"aliases", "aliases", [](const Entry& e) { return stated(e.aliases); }},
  };
}

template <class Entry>
Fields<Entry> source_fields() {
  return {
      {"source", "source", [](const Entry& e) { return stated(e.source); }},
      {"date", "date", [](const Entry& e) { return stated(e.date); }},
      {"notes", "notes", [](const Entry& e) { return stated(e.notes); }},
  };
}

// A column of a list: which field, and its title there.
struct Listed {
  std::string key;
  std::string title;
  Importance importance = Importance::usual;
};

// The fields of a description as those of a list: these for people, in this order; then the others.
template <class Row>
Fields<Row> as_list(Fields<Row> fields, const std::vector<Listed>& shown) {
  for (Field<Row>& field : fields) field.importance = Importance::detail;
  auto place = fields.begin();
  for (const Listed& listed : shown) {
    const auto found = std::find_if(place, fields.end(), [&](const auto& f) { return f.key == listed.key; });
    found->title = listed.title;
    found->importance = listed.importance;
    std::rotate(place, found, found + 1);
    ++place;
  }
  return fields;
}

}  // namespace sextant::report
