// Why jobs wait, found by asking the method again with something changed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "sextant/ask/capacity_plan.h"
#include "sextant/capacity/method.h"

namespace sextant::ask {

// Makes the same method anew, as it was asked for.
using MethodMaker = std::function<std::unique_ptr<capacity::Method>()>;

void explain_waiting(const capacity::Snapshot& snapshot, const MethodMaker& make, std::int32_t job,
                     PostponedJob& waits);

// What keeps every job from running, as a sentence; empty where nothing does.
std::string tightest_constraint(const capacity::Snapshot& snapshot);

}  // namespace sextant::ask
