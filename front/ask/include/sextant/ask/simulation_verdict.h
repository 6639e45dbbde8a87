// Which policy is best, by how much, how sure that is, and who pays for it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sextant/simulate/sweep.h"
#include "sextant/stats/interval.h"

namespace sextant::ask {

// A time that is longer under the best policy than under another.
struct PolicyLoss {
  std::string what;       // "p99 JCT", "jobs on one GPU"
  double best_s = 0;      // under the best policy
  double other_s = 0;     // under the policy that has the shortest
  std::size_t other = 0;  // in the plan
};

// A policy that stops and starts jobs so often that much of the GPU time which they hold is lost.
struct RestartLoss {
  std::size_t policy = 0;  // in the plan
  double restarts = 0;     // mean over seeds
  double share = 0;        // of the GPU time that jobs held
};

// What an interval comes from.
enum class DifferenceBasis {
  seeds,   // pairs of runs with the same seed
  batches  // of consecutive arrivals in one run: other jobs may say otherwise
};

// Of the policies on one cluster under one load.
struct PolicyVerdict {
  std::size_t cluster = 0;  // in the plan, as all places below
  std::size_t load = 0;
  double offered_load = 0;                 // see simulate::JobGroups; means over seeds
  std::optional<std::size_t> best = {};    // policy; none: no job completed under any
  std::optional<std::size_t> second = {};  // none: there is one policy
  double completed = 0;                    // jobs, all seeds together
  double second_completed = 0;
  double mean_jct_s = 0;
  double second_jct_s = 0;
  // How much longer the mean JCT of the second is. The level is 95 % for the comparisons of the best with all
  // other policies together (Bonferroni). None: the two completed different jobs, or there are too few.
  std::optional<stats::Interval> difference_s = {};
  DifferenceBasis basis = DifferenceBasis::seeds;
  std::size_t samples = 0;  // seeds or batches
  std::vector<PolicyLoss> losses = {};
  std::vector<RestartLoss> restart_losses = {};  // worst first

  [[nodiscard]] bool same_jobs() const { return completed == second_completed; }
  [[nodiscard]] bool sure() const { return difference_s && difference_s->low > 0; }
};

// One for each cluster and load that has a run.
std::vector<PolicyVerdict> verdicts(const simulate::SweepPlan& plan,
                                    const std::vector<simulate::SweepRun>& runs);

}  // namespace sextant::ask
