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

Table verdicts_table(const simulate::SweepPlan& plan, const std::vector<ask::PolicyVerdict>& verdicts);

}  // namespace sextant::report
