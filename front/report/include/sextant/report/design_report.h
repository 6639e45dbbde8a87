// Designs of experiments as people and scripts take them: a run sheet in the order to run, and the alias
// table.
#pragma once

#include "sextant/explore/design.h"
#include "sextant/report/table.h"

namespace sextant::report {

// A line per run: its number, block, replicate, and a column per factor, empty where the factor does not
// exist.
Table run_sheet(const explore::SearchSpace& space, const explore::PlannedDesign& design);
// A line per effect; no lines for a design that tells all effects apart.
Table alias_table(const explore::PlannedDesign& design);
Json to_json(const explore::SearchSpace& space, const explore::PlannedDesign& design);

}  // namespace sextant::report
