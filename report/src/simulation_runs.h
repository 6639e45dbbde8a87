// Names of runs and what they have in common, for all reports of a sweep.
#pragma once

#include <string>

#include "sextant/simulate/sweep.h"

namespace sextant {

inline std::string policy_name(const SweepPlan& plan, const SweepRun& run) {
  return to_string(plan.policies[run.policy]);
}

// Those that can never run, too.
inline std::int64_t all_jobs(const SweepRun& run) {
  return run.metrics.jobs + static_cast<std::int64_t>(run.refused.size());
}

// The policy, and whatever else differs between the runs.
inline std::string run_name(const SweepPlan& plan, const SweepRun& run) {
  std::string name = policy_name(plan, run);
  if (plan.clusters.size() > 1) name += ", " + plan.clusters[run.cluster].name;
  if (plan.loads.size() > 1) name += ", load " + number_text(plan.loads[run.load]);
  if (plan.seeds > 1) name += ", seed " + std::to_string(run.seed);
  return name;
}

}  // namespace sextant
