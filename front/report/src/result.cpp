#include "sextant/report/result.h"

#include <nlohmann/json.hpp>

namespace sextant::report {

Json to_json(const Result& result) {
  Json json = {{"schema", result.schema}};
  if (!result.facts.rows.empty()) json.update(row_json(result.facts, 0));
  for (const Section& section : result.sections) {
    if (!section.key.empty()) json[section.key] = to_json(section.table);
  }
  return json;
}

}  // namespace sextant::report
