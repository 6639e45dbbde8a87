// What an analysis of runs says once: its model, the checks of it, the scatter of a run.
#pragma once

#include <vector>

#include "sextant/analysis/analysis.h"
#include "sextant/report/result.h"

namespace sextant::report {

Table analysis_facts(const analysis::Analysis& analysis);
// What the answers rest on, for files: factors, tests of equal variances, aliases.
std::vector<Section> background_sections(const analysis::Analysis& analysis);

}  // namespace sextant::report
