// What the runs of a simulation say together, as tables.
#pragma once

#include "sextant/ask/simulation_summary.h"
#include "sextant/report/table.h"

namespace sextant::report {

// A line for each cluster, load and policy: the run, or the mean over the seeds with its 95 % interval; the
// notes say how each policy compares with the first.
Table policies_table(const simulate::SweepPlan& plan, const ask::SimulationSummary& summary);
// What those notes say, as numbers.
Table comparisons_table(const simulate::SweepPlan& plan, const ask::SimulationSummary& summary);

}  // namespace sextant::report
