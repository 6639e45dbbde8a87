// What the spans of a run say, for people and programs.
#pragma once

#include <vector>

#include "sextant/core/json.h"
#include "sextant/report/table.h"
#include "sextant/spans/analysis.h"

namespace sextant::report {

// Sections of the analysis that have something in them, each with a title.
struct TitledTable {
  std::string title;
  Table table;
};
std::vector<TitledTable> span_tables(const spans::SpanAnalysis& analysis);
Json span_json(const spans::SpanAnalysis& analysis);

}  // namespace sextant::report
