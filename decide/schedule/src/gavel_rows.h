// What Gavel's policies without a linear program share: types in the order of their names, equal splits, and
// first come, first served on the fastest type. (stanford-futuredata/gavel, OSDI'20.)
#pragma once

#include <cstddef>
#include <vector>

#include "sextant/schedule/policy.h"

namespace sextant::schedule {

// Gavel keeps types sorted by name: ties go to the first, and sums are taken in that order.
std::vector<std::size_t> types_by_name(const ShareProblem& problem);

// One of `units` equal parts of the cluster, for a gang.
struct EqualPart {
  double units = 1;
  std::int32_t gpus = 1;
};

// Its shares by type: at most 1 in all.
void equal_split(const ShareProblem& problem, const std::vector<std::size_t>& order, const EqualPart& part,
                 double* row);

struct FifoPlace {
  std::size_t job = 0;  // in ShareProblem::jobs
  std::size_t type = 0;
};

struct FifoOutcome {
  std::vector<FifoPlace> placed = {};  // by id
  std::size_t first_waiting = 0;       // in ShareProblem::jobs; Gavel forgets a head that fits nowhere
};

// In the order of ids, each on the fastest type that has the GPUs, until one fits nowhere. Who could run on
// none of those that have them is passed over.
FifoOutcome fifo_by_speed(const ShareProblem& problem);

}  // namespace sextant::schedule
