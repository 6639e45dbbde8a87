// Refusing what cannot be kept, for any method: on machines that are owned by a plan of all deadlines
// (elastic_plan.h); where machines are rented, a job is refused that is late even on the fastest of them.
#pragma once

#include <functional>

#include "sextant/capacity/decision.h"

namespace sextant::capacity {

using Planner = std::function<Decision(const Snapshot&)>;

// The planner's own decision where nobody wishes that jobs be refused.
Decision decide_with_admission(const Snapshot& snapshot, const Planner& planner);

}  // namespace sextant::capacity
