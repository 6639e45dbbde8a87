// Who should have how many GPUs, by the outlook, within the GPUs that there are.
#pragma once

#include <vector>

#include "fleet.h"

namespace sextant::capacity {

// Seconds until the next event, if each job has what is best for it: its first end, or the period.
double next_event(const CostModel& model, const Outlook& outlook);

// Gives every job its best plan; where nodes do not suffice, takes from those that lose least by it.
void choose_plans(const CostModel& model, const Outlook& outlook, Fleet& fleet);

}  // namespace sextant::capacity
