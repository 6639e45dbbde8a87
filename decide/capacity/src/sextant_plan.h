// How `sextant` decides. Online (nodes are paid until the next event) every job has what is cheapest for it
// until the next event and after it, if all can be decided again then; nodes are shared accordingly, and GPUs
// that would idle are given where they help most. For a plan that is made once (nodes are paid until their
// last job ends, or for a period) jobs that end together share nodes, and the layout is improved by search.
#pragma once

#include <cstdint>

#include "outlook.h"

namespace sextant::capacity {

Decision plan_until_next_event(const CostModel& model, const Caution& caution);

struct PlanSearch {
  int rounds = 3000;
  std::uint64_t seed = 0;
};
Decision plan_at_once(const CostModel& model, const PlanSearch& search);

}  // namespace sextant::capacity
