#include "sextant/report/result.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "sextant/core/error.h"
#include "sextant/core/text.h"

namespace sextant::report {
namespace {

std::optional<std::size_t> column_named(const Table& table, const std::string& name) {
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const Column& column = table.columns[c];
    if (fold_name(column.key) == fold_name(name) || fold_name(column.title) == fold_name(name)) return c;
  }
  return std::nullopt;
}

// Whoever names a column wants to see it, however narrow the screen is.
Table columns_of(const Table& table, const std::vector<std::string>& names, std::set<std::string>& found) {
  Table chosen;
  chosen.rows.resize(table.rows.size());
  chosen.notes = table.notes;
  chosen.marks = table.marks;
  for (const std::string& name : names) {
    const auto c = column_named(table, name);
    if (!c) continue;
    found.insert(name);
    chosen.columns.push_back(table.columns[*c]);
    Column& column = chosen.columns.back();
    column.importance = Importance::essential;
    if (column.title.empty()) column.title = column.key;
    for (std::size_t row = 0; row < table.rows.size(); ++row) chosen.rows[row].push_back(table.rows[row][*c]);
  }
  return chosen;
}

// Of the tables that are shown, or of the facts where there are none.
std::vector<std::string> keys_of(const Result& result) {
  std::vector<std::string> keys;
  const auto add = [&keys](const Table& table) {
    for (const Column& column : table.columns) keys.push_back(column.key);
  };
  for (const Section& section : result.sections) {
    if (section.shown) add(section.table);
  }
  if (keys.empty()) add(result.facts);
  return keys;
}

void refuse_unknown(const Result& result, const std::vector<std::string>& names,
                    const std::set<std::string>& found) {
  std::vector<std::string> keys;
  const auto add = [&keys](const Table& table) {
    for (const Column& column : table.columns) {
      keys.push_back(column.key);
      if (!column.title.empty()) keys.push_back(column.title);
    }
  };
  add(result.facts);
  for (const Section& section : result.sections) add(section.table);
  for (const std::string& name : names) {
    if (found.contains(name)) continue;
    const std::string near = name_hint(name, keys);
    throw InputError(at_field("columns"), "this result has no column '" + name + "'",
                     near.empty() ? "the columns are " + join(keys_of(result), ", ") : near);
  }
}

}  // namespace

Result with_columns(const Result& result, const std::vector<std::string>& names) {
  Result chosen{.schema = result.schema};
  std::set<std::string> found;
  for (const Section& section : result.sections) {
    Table table = columns_of(section.table, names, found);
    const bool sentences = section.table.columns.empty() && !section.table.notes.empty();
    if (table.columns.empty() && !sentences) continue;
    chosen.sections.push_back({section.key, std::move(table), section.shown, section.title});
  }
  // Of what is said once, where no table has any of them: a description reads downwards, and its fields have
  // names too.
  const auto has_columns = [](const Section& section) { return !section.table.columns.empty(); };
  if (std::ranges::none_of(chosen.sections, has_columns)) {
    chosen.sections.clear();
    chosen.facts = columns_of(result.facts, names, found);
  }
  refuse_unknown(result, names, found);
  // What only a hidden table has is asked for now.
  const auto shown = [&](const Section& section) { return section.shown && has_columns(section); };
  const auto first = std::ranges::find_if(chosen.sections, has_columns);
  if (first != chosen.sections.end() && std::ranges::none_of(chosen.sections, shown)) first->shown = true;
  return chosen;
}

std::vector<std::string> columns_there(const Result& result, const std::vector<std::string>& names) {
  std::vector<std::string> there;
  for (const std::string& name : names) {
    const auto has = [&name](const Section& section) {
      return column_named(section.table, name).has_value();
    };
    const bool known = result.sections.empty() ? column_named(result.facts, name).has_value()
                                               : std::ranges::any_of(result.sections, has);
    if (known) there.push_back(name);
  }
  return there;
}

Result only(Result result, std::size_t section) {
  for (Section& each : result.sections) each.shown = false;
  const auto first = result.sections.begin();
  const auto chosen = first + static_cast<std::ptrdiff_t>(section);
  chosen->shown = true;
  std::rotate(first, chosen, chosen + 1);
  return result;
}

Json to_json(const Result& result) {
  Json json = {{"schema", result.schema}};
  if (!result.facts.rows.empty()) json.update(row_json(result.facts, 0));
  for (const Section& section : result.sections) {
    if (!section.key.empty()) json[section.key] = to_json(section.table);
  }
  return json;
}

}  // namespace sextant::report
