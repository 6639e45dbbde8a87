// Which policy is best, in sentences and as fields.
#pragma once

#include <string>
#include <vector>

#include "sextant/ask/simulation_verdict.h"
#include "sextant/report/table.h"

namespace sextant::report {

// Sentences with their full stops, a line each; nothing where there is nothing to choose and nothing to warn
// of.
std::vector<std::string> verdict_lines(const simulate::SweepPlan& plan, const ask::PolicyVerdict& verdict);

// Which policies were told how long jobs run; empty where none looks at it.
std::string told_line(const simulate::SweepPlan& plan);

Table verdicts_table(const simulate::SweepPlan& plan, const std::vector<ask::PolicyVerdict>& verdicts);

}  // namespace sextant::report
