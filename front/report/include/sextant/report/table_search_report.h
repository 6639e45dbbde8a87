// Comparison of search strategies on recorded runs, as a table and as JSON.
#pragma once

#include "sextant/report/table.h"
#include "sextant/study/table_search.h"

namespace sextant::report {

// A row per strategy over all groups, at a third, two thirds and all of the trials, and at its own stop.
Table table_search_table(const study::TableSearchReport& report);
// A list with an object per group and strategy.
Json table_search_json(const study::TableSearchReport& report);

}  // namespace sextant::report
