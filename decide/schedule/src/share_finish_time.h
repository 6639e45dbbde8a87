// Finish-time fairness: min over shares of max_i (age_i + left_i / speed_i) / (spent_i + left_i /
// isolated_i). A ratio rho can be reached iff the level of a share program with demands left_i / (rho D_i -
// age_i) is at least 1. Its duals say which larger rho is needed at least: Newton's method from below on a
// convex function, a handful of programs where bisection takes dozens.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "share_policy.h"

namespace sextant::schedule {

struct FinishTarget {
  double age_s = 0;
  double left = 0;        // work; 0: the job does not count
  double isolated_s = 0;  // D: time that the job would have needed in all with its equal part
};

// What jobs would have had with their equal part of the cluster since they came: by job id, because the part
// changes with the number of jobs.
class IsolatedHistory {
 public:
  void targets(const ShareProblem& problem, const ShareProgram& program, std::vector<FinishTarget>& out);

 private:
  struct Past {
    double spent_s = 0;
    double remaining = 0;
    double rate = 0;  // isolated, since the last call
    std::uint64_t seen = 0;
  };
  std::unordered_map<std::int64_t, Past> past_;
  std::uint64_t calls_ = 0;
};

struct FinishTimes {
  std::vector<FinishTarget> targets = {};
  std::vector<double> weight = {};  // for what is left over
};

// Sets the demands of the program at the smallest ratio, which it returns, and the shares that reach it.
double solve_finish_time(const FinishTimes& jobs, ShareProgram& program, LevelSolver& solver,
                         ShareOptimum& out);

}  // namespace sextant::schedule
