// Workloads that are drawn, after the settings of the seed study of joint capacity planning (Jahani et al.,
// ICCCS 2019; slides of Gianniti et al.): Azure machines with K80 and M60 and three machines in house,
// Poisson arrivals every 30 or 45 s, ten jobs for each node. What the slides do not say (lengths of jobs,
// scaling, due dates, weights) is filled in, and workload_draws.cpp says how.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sextant/capacity/workload.h"
#include "sextant/core/error.h"

namespace sextant::capacity {

// As people write it: "study:nodes=10:gap=30s:instances=5". InputError for what is not known.
struct WorkloadDraws {
  std::int64_t nodes = 10;
  std::int64_t jobs = 0;  // 0: ten for each node
  Seconds gap{30};        // mean time between two arrivals
  std::int64_t instances = 5;
  bool inhouse = true;  // the three machines in house may be taken, too
};
WorkloadDraws parse_workload_draws(std::string_view text, const SourcePos& at = {});

std::vector<Workload> draw_workloads(const WorkloadDraws& draws, std::uint64_t seed);

}  // namespace sextant::capacity
