#include "sextant/report/result.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace sextant::report {

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
