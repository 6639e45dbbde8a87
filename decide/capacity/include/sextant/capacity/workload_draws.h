// Workloads that are drawn, after the settings of the seed study of joint capacity planning (Jahani et al.,
// ICCCS 2019; slides of Gianniti et al.): Azure machines with K80 and M60 and three machines in house,
// Poisson arrivals every 30 or 45 s, ten jobs for each node. What the slides do not say (lengths of jobs,
// scaling, due dates, weights) is filled in, and workload_draws.cpp says how. And workloads of any kind, all
// of whose settings are drawn (workload_mixed.cpp): what a method is worth where nobody has looked.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sextant/capacity/workload.h"
#include "sextant/core/error.h"

namespace sextant::capacity {

enum class DrawnSettings { study, mixed };

// As people write it: "study:nodes=10:gap=30s:instances=5", "mixed:nodes=4:load=0.8". InputError for what is
// not known.
struct WorkloadDraws {
  DrawnSettings settings = DrawnSettings::study;
  std::int64_t nodes = 10;
  std::int64_t jobs = 0;  // 0: ten for each node
  Seconds gap{30};        // mean time between two arrivals; of the study
  std::int64_t instances = 5;
  bool inhouse = true;  // the three machines in house may be taken, too; of the study
  double load = 0.8;    // work of slow GPUs that comes, as a share of what all nodes could do; of the mixed
};
WorkloadDraws parse_workload_draws(std::string_view text, const SourcePos& at = {});

std::vector<Workload> draw_workloads(const WorkloadDraws& draws, std::uint64_t seed);

}  // namespace sextant::capacity
