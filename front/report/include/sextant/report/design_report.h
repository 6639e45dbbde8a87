// Designs of experiments as people and scripts take them: a run sheet in the order to run, and the alias
// table.
#pragma once

#include "sextant/explore/design.h"
#include "sextant/report/result.h"

namespace sextant::report {

enum class DesignAnswer { runs, aliases };  // which of the two was asked for

// A line per run: its number, block, replicate, and a column per factor, empty where the factor does not
// exist; a line per effect and what it cannot be told from.
Result design_result(const explore::SearchSpace& space, const explore::PlannedDesign& design,
                     DesignAnswer answer);

}  // namespace sextant::report
