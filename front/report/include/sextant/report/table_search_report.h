// Comparison of search strategies on recorded runs.
#pragma once

#include "sextant/report/result.h"
#include "sextant/study/table_search.h"

namespace sextant::report {

// A row per strategy over all groups, at a third, two thirds and all of the trials, and at its own stop; then
// a row per group and strategy.
Result table_search_result(const study::TableSearchReport& report);

}  // namespace sextant::report
