// Many simulations: clusters x loads x seeds x policies, on all cores. All policies of a seed see the same
// jobs and the same faults (common random numbers), so that they are compared in pairs. Results stand in the
// order of the product, whatever the number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "sextant/core/run_list.h"
#include "sextant/simulate/gavel.h"
#include "sextant/simulate/job_groups.h"
#include "sextant/simulate/metrics.h"
#include "sextant/simulate/run.h"

namespace sextant::simulate {

struct SweepPlan {
  std::function<std::shared_ptr<const jobs::Trace>(std::uint64_t seed)> trace;  // called from several threads
  // None: durations, and the pools' speed. Called once for each cluster.
  std::function<std::unique_ptr<SpeedSource>(const clusters::Cluster&)> speeds = {};
  bool estimates = false;  // see JobSetOptions, as the next
  bool plan_by_limits = false;
  std::vector<clusters::Cluster> clusters = {};
  std::vector<double> loads = {1};
  std::vector<schedule::PolicyChoice> policies = {};
  std::uint64_t first_seed = 0;
  std::int64_t seeds = 1;
  std::vector<std::string> mechanisms = {};  // by policy; empty: that of `run` for all
  RunOptions run = {};                       // policy, seed, window and what gives it up come from here
  JobWindow window = {};
  bool warm_up =
      false;  // instead of a window: each run counts from the end of its warm-up on, found by MSER-5
  bool keep_jobs = false;   // outcomes of every job
  std::size_t threads = 0;  // 0: all cores
  RunStop stop = {};

  [[nodiscard]] const std::string& mechanism(std::size_t policy) const {
    return mechanisms.empty() ? run.mechanism : mechanisms[policy];
  }
};

struct SweepRun {
  std::size_t cluster = 0;  // in the plan, as the two below
  std::size_t load = 0;
  std::size_t policy = 0;
  std::uint64_t seed = 0;
  bool done = false;  // false: the sweep was stopped before
  RunMetrics metrics = {};
  JobGroups groups = {};                      // of the same jobs as the metrics
  JobWindow window = {};                      // that the metrics are of
  std::vector<RefusedJob> refused = {};       // jobs that can never run there
  std::vector<std::int32_t> unfinished = {};  // in JobSet::jobs: what came and did not end
  RunResult result = {};                      // without its jobs, unless they are kept
  std::shared_ptr<const jobs::Trace> trace =
      {};                                   // where outcomes are kept, or jobs were refused or did not end
  std::shared_ptr<const JobSet> jobs = {};  // where outcomes are kept, or jobs did not end
};

// The first error in the order of the product is thrown when all runs have ended.
std::vector<SweepRun> sweep(const SweepPlan& plan, Progress& progress);

}  // namespace sextant::simulate
