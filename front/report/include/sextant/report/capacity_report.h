// A plan of what to rent and who runs on it, as a result.
#pragma once

#include "sextant/ask/capacity_plan.h"
#include "sextant/report/result.h"

namespace sextant::report {

// `timed`: with the wall times of the methods, which no two runs share.
Result capacity_result(const ask::CapacityAnswer& answer, bool timed);

// The cheapest plan as an SVG picture: jobs on their nodes, with their due dates.
std::string capacity_chart(const ask::CapacityAnswer& answer);

}  // namespace sextant::report
