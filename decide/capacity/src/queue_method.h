// Methods that serve jobs in an order and stop none that runs: each takes, of what there is room for, the
// cheapest configuration that keeps its due date, else the fastest.
#pragma once

#include <functional>
#include <memory>

#include "cost_model.h"
#include "sextant/capacity/method.h"

namespace sextant::capacity {

// Smaller first; ties in the order of submission.
using JobRank = std::function<double(const CostModel& model, std::int32_t job)>;

// Where there is no room for a job, may those behind it have what there is?
enum class Overtaking { allowed, never };

std::unique_ptr<Method> make_queue_method(JobRank rank, Overtaking overtaking = Overtaking::allowed);

}  // namespace sextant::capacity
