// The larger tables of an analysis of runs.
#pragma once

#include "sextant/analysis/analysis.h"
#include "sextant/report/table.h"

namespace sextant::report {

Table interaction_table(const analysis::InteractionMeans& means);
Table pairs_table(const analysis::Analysis& analysis, bool all);
Table transfer_table_of(const analysis::Analysis& analysis, bool all);
Table scaling_table(const analysis::Analysis& analysis, bool all);

}  // namespace sextant::report
