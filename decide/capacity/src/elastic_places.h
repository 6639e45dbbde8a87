// Which nodes jobs get that have their GPUs already: jobs that go on as they are stay where they are, and
// others move only where GPUs are free but scattered. Powers of two on nodes of a power of two always fit.
#pragma once

#include <span>

#include "cost_model.h"

namespace sextant::capacity {

struct WantedPlace {
  std::int32_t job = kNone;
  std::int32_t option = kNone;
};

// Who does not fit waits.
Decision place_on_owned(const CostModel& model, std::span<const WantedPlace> wanted);

}  // namespace sextant::capacity
