// Online planning as people and scripts read it: which method costs least or keeps most deadlines, a line for each
// run, and pictures of one run.
#pragma once

#include "sextant/ask/plan_summary.h"
#include "sextant/report/result.h"

namespace sextant::report {

// Wall times differ from machine to machine: `timed` says whether they are part of the result.
Result plan_simulation_result(const ask::PlanSimulation& simulation, bool timed);

}  // namespace sextant::report
