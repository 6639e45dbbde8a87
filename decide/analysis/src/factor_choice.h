// Which columns of a table are factors when the user names none: not those that others determine, and not
// those that look like measured values.
#pragma once

#include <string>
#include <vector>

#include "sextant/analysis/analysis_table.h"

namespace sextant::analysis {

// "vm_type", "vm_count and vm_type": the fewest of `taken`, with levels, whose combination leaves the column
// no choice in any row, where that says something (combinations are repeated); empty: none do.
std::string determined_by(const AnalysisFactor& column, const std::vector<AnalysisFactor>& taken);

// Numbers that hardly ever repeat, in a table that is large enough to tell.
bool looks_measured(const AnalysisFactor& column);

}  // namespace sextant::analysis
