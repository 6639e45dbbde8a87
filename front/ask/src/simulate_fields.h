// From the fields of a question about shared clusters to a plan of runs.
#pragma once

#include "sextant/ask/simulate.h"

namespace sextant::ask {

// Without the jobs and their speeds. InputError for what contradicts itself.
simulate::SweepPlan sweep_plan(const SimulateQuestion& question, const catalog::Catalog& catalog);

// "0.5", "2.25 h"; plain numbers are seconds.
Seconds waiting_seconds(const std::string& text, const SourcePos& at);

}  // namespace sextant::ask
