// The plan of a sweep of online runs from the texts of a question, without the jobs.
#pragma once

#include "sextant/ask/plan_simulate.h"

namespace sextant::ask {

capacity::OnlineSweepPlan online_plan(const PlanSimulateQuestion& question);

}  // namespace sextant::ask
