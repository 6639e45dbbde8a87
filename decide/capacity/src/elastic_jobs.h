// Jobs as plans of deadlines see them: for each machine type, numbers of GPUs that are worth having.
#pragma once

#include <cstdint>
#include <vector>

#include "cost_model.h"
#include "elastic_profile.h"

namespace sextant::capacity {

struct ElasticJob {
  std::int32_t job = kNone;   // in the snapshot
  double due = 0;             // s from now
  double restart = 0;         // s
  std::int32_t type = kNone;  // that it runs on now
  std::int32_t current = 0;   // GPUs that it has now
  double fastest = 0;         // s, on free GPUs
  double demand = 0;          // GPU s: the least that ends in time; infinite: none does
  bool promised = false;
  std::vector<std::vector<ElasticLevel>> levels = {};  // by type

  [[nodiscard]] ElasticDemand demand_on(std::size_t type_index) const {
    const bool here = static_cast<std::size_t>(type) == type_index;
    return {.levels = levels[type_index], .due = due, .restart = restart, .current = here ? current : 0};
  }
  [[nodiscard]] bool hopeless() const { return fastest > due; }
};

// Levels that no smaller one of the type is as fast as, and that the nodes which are up have.
std::vector<ElasticJob> elastic_jobs(const CostModel& model, const std::vector<std::int32_t>& gpus_by_type);

// GPUs by type of the nodes that are up.
std::vector<std::int32_t> owned_gpus(const Snapshot& snapshot);

}  // namespace sextant::capacity
