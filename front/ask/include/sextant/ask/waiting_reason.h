// Why a job waits and what would let it run, found by asking the method again with something changed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "sextant/capacity/method.h"

namespace sextant::ask {

// Makes the same method anew, as it was asked for.
using MethodMaker = std::function<std::unique_ptr<capacity::Method>()>;

struct WaitingReason {
  std::string reason;
  std::string remedy;  // what would let it run; empty: nothing has to change
};

// Of a job of the snapshot; `decision` is the method's. Asks it up to three times more.
WaitingReason waiting_reason(const capacity::Snapshot& snapshot, const capacity::Decision& decision,
                             const MethodMaker& make, std::int32_t job);

// What the model puts on the waiting of a job.
Dollars waiting_cost(const capacity::Snapshot& snapshot, std::int32_t job);

// What keeps every job from running, as a sentence; empty where nothing does.
std::string tightest_constraint(const capacity::Snapshot& snapshot);

}  // namespace sextant::ask
