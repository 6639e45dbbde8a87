// Online planning as people and scripts read it: which method costs least or keeps most deadlines, a line for
// each run, and pictures of one run.
#pragma once

#include "sextant/ask/plan_summary.h"
#include "sextant/report/result.h"
#include "sextant/report/svg_lines.h"

namespace sextant::report {

// Wall times differ from machine to machine: `timed` says whether they are part of the result.
Result plan_simulation_result(const ask::PlanSimulation& simulation, bool timed);

// What was spent since the beginning, of the first workload and seed: a line for each method.
LinePlot spending_plot(const ask::PlanSimulation& simulation);

// Which jobs were on which nodes, and when nodes were on, of the first run that was done: an SVG picture.
// Empty where no run kept its history.
std::string node_chart(const ask::PlanSimulation& simulation);

}  // namespace sextant::report
