// Completion times of a run by groups of jobs: who gains and who loses under a policy, and how much the mean
// varies along the run. All policies of a seed see the same jobs, so groups are the same jobs under each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sextant/simulate/metrics.h"

namespace sextant::simulate {

struct GroupTime {
  std::string jobs;            // "jobs on one GPU"
  std::int64_t completed = 0;  // of them
  Seconds mean_jct{};          // over those; NaN: none
};

struct JobGroups {
  std::vector<GroupTime> groups = {};
  // Mean completion times of batches of consecutive arrivals, of equal size but for one job; empty where
  // there are too few jobs for them, or where some job did not complete.
  std::vector<double> batch_jct_s = {};
  // GPU time that the jobs would use from the first arrival to the last if each started at once on its
  // fastest type, over the GPU time that there is until then. Above 1, jobs pile up as long as they arrive.
  // What long jobs do after the last arrival does not count. 0: too few jobs to tell.
  double offered_load = 0;
};

JobGroups group_jobs(const RunResult& run, const JobSet& jobs, const clusters::Cluster& cluster,
                     const JobWindow& window = {});

}  // namespace sextant::simulate
