// The larger tables of an analysis of runs.
#pragma once

#include "sextant/explore/analysis/analysis.h"
#include "sextant/report/table.h"

namespace sextant {

Table interaction_table(const InteractionMeans& means);
Table pairs_table(const Analysis& analysis, bool all);
Table transfer_table_of(const Analysis& analysis, bool all);
Table scaling_table(const Analysis& analysis, bool all);

}  // namespace sextant
