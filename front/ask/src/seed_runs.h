// Runs of a sweep that differ in their seed only, and what they measured.
#pragma once

#include <vector>

#include "seed_values.h"
#include "sextant/simulate/sweep.h"

namespace sextant::ask {

using SeedRuns = std::vector<const simulate::SweepRun*>;  // in the order of the seeds

inline double mean_jct(const simulate::SweepRun& run) {
  return run.metrics.mean_jct.value;
}
inline double p99_jct(const simulate::SweepRun& run) {
  return run.metrics.p99_jct.value;
}

// For each cluster and load that has a run that was done: the runs of each policy that has one.
std::vector<std::vector<SeedRuns>> runs_by_policy(const simulate::SweepPlan& plan,
                                                  const std::vector<simulate::SweepRun>& runs);
// The same with the seeds that every policy has: a sweep that was stopped has more of some than of others.
std::vector<SeedRuns> with_common_seeds(const std::vector<SeedRuns>& policies);

}  // namespace sextant::ask
