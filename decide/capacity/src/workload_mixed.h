// Workloads all of whose settings are drawn.
#pragma once

#include <cstdint>

#include "sextant/capacity/workload_draws.h"

namespace sextant::capacity {

Workload draw_mixed_workload(const WorkloadDraws& draws, std::uint64_t seed, std::int64_t instance);

// Seconds: half of the options are faster.
double median_time(const std::vector<JobOption>& options);

}  // namespace sextant::capacity
