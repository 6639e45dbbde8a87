// Sentences about online runs.
#pragma once

#include <string>

#include "sextant/ask/plan_summary.h"

namespace sextant::report {

// Which method is best, by how much, and how sure that is; empty with one method.
std::string plan_verdict_text(const ask::PlanSimulation& simulation, const ask::PlanSummary& summary);
// "edf against fifo: cost -12 % (-14 to -9 %), deadlines kept +3 points".
std::string plan_contrast_text(const ask::PlanSimulation& simulation, const ask::MethodContrast& contrast);

}  // namespace sextant::report
