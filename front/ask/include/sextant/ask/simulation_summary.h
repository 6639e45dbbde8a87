// What the runs of a simulation say together: means over seeds with their intervals, how each policy compares
// with the first, and curves of single runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sextant/ask/recorded_times.h"
#include "sextant/ask/seed_mean.h"
#include "sextant/simulate/compare.h"
#include "sextant/simulate/sweep.h"

namespace sextant::ask {

std::string policy_name(const simulate::SweepPlan& plan, const simulate::SweepRun& run);
// The policy, and whatever else differs between the runs.
std::string run_name(const simulate::SweepPlan& plan, const simulate::SweepRun& run);
// Those that can never run, too.
std::int64_t all_jobs(const simulate::SweepRun& run);

// A policy on a cluster under a load.
struct PolicySummary {
  std::size_t cluster = 0;  // in the plan, as the two below
  std::size_t load = 0;
  std::size_t policy = 0;
  double jobs = 0;
  double completed = 0;
  SeedMean mean_jct_s = {};
  SeedMean p50_jct_s = {};
  SeedMean p99_jct_s = {};
  SeedMean makespan_s = {};
  SeedMean mean_wait_s = {};
  // Means, as the two counts above; not a number where a run has no value.
  double utilization = 0;
  double goodput = 0;
  double jain = 0;
  double ftf_max = 0;
  double restarts = 0;
  double cost_usd = 0;
  double energy_kwh = 0;
  double deadline_misses = 0;
};

// A policy against the first of its cluster and load, paired over the seeds.
struct PolicyContrast {
  std::size_t cluster = 0;
  std::size_t load = 0;
  simulate::PolicyComparison mean_jct_s = {};
  std::optional<simulate::DifferenceEstimate> p99_jct_s = {};  // tails are skewed: by bootstrap
};

struct SimulationSummary {
  std::vector<PolicySummary> policies = {};    // by cluster, load, policy; those with a run that was done
  std::vector<PolicyContrast> contrasts = {};  // with several seeds
  bool deadlines = false;                      // some job has one
  std::optional<RecordedTimes> recorded = {};  // what happened to the same jobs
};
SimulationSummary over_seeds(const simulate::SweepPlan& plan, const std::vector<simulate::SweepRun>& runs);

// Jobs of a cluster that can never run, for one reason.
struct RefusedGroup {
  std::size_t cluster = 0;  // in the plan
  std::string why;          // "they ask for more GPUs than any pool that they may use has"
  std::int64_t jobs = 0;
  std::vector<std::string> examples = {};  // of the first: "job 17 asks for 64 GPUs; ..."
};
// Of the first run that was done on each cluster: they are the same for every policy and, but for generated
// jobs, for every seed.
std::vector<RefusedGroup> refused_groups(const std::vector<simulate::SweepRun>& runs);

struct RunCurve {
  std::vector<double> x = {};
  std::vector<double> y = {};
};
// Share of the completed jobs (y) that took at most x seconds from arrival to completion.
RunCurve jct_distribution(const simulate::SweepRun& run);
// Share of the GPUs that is held (y), x seconds after the start: means over equal parts of the run.
RunCurve utilization_over_time(const simulate::SweepRun& run, double gpus);

}  // namespace sextant::ask
