// The linear program behind Gavel's policies (Narayanan et al., OSDI 2020): shares x of time of jobs i on
// types j, with a level t that all jobs reach in proportion to their demands, or a gain to collect:
//   max t or sum gain_ij x_ij,   sum_j rate_ij x_ij >= demand_i t + floor_i,
//   sum_i gpus_i x_ij <= capacity_j,   sum_j x_ij <= 1,   x >= 0.
// With a level it is that of preemptive scheduling on unrelated machines (Lawler, Labetoulle, JACM 1978).
#pragma once

#include <cstddef>
#include <vector>

namespace sextant::schedule {

struct ShareProgram {
  std::size_t types = 0;
  std::vector<double> capacity = {};  // of each type, positive
  std::vector<double> gpus = {};      // of each job, positive
  std::vector<double> rate = {};      // [job][type]; 0: no share there
  std::vector<double> demand = {};    // of each job, not negative; read only where the level is the objective
  std::vector<double> floor = {};     // of each job; empty: none
  std::vector<double> gain = {};      // [job][type]; empty: the level is the objective

  [[nodiscard]] std::size_t jobs() const { return gpus.size(); }
  [[nodiscard]] bool seeks_level() const { return gain.empty(); }
  void reset(std::size_t job_count, std::size_t type_count);  // everything 0, no floors, no gain
};

struct ShareOptimum {
  bool feasible = false;
  double value = 0;                // level or gain
  std::vector<double> share = {};  // [job][type]
  std::vector<double> price = {};  // of a GPU of each type: dual of the capacity
  std::vector<double> worth = {};  // of a unit of rate of each job: dual of its demand
};

// What no feasible shares exceed, by weak duality, given any prices and worths that are not negative.
double share_bound(const ShareProgram& program, const std::vector<double>& price,
                   const std::vector<double>& worth);
// By how much the shares break a constraint, each scaled to 1; `value` counts as a level that must be
// reached.
double share_violation(const ShareProgram& program, const ShareOptimum& optimum);
// Primal feasible and within 1e-9 of its own dual bound, relative to the terms of that bound.
bool is_certified(const ShareProgram& program, const ShareOptimum& optimum);

// Jobs that are alike in everything get the mean of their shares, which is as good: no job is favoured for
// its place in the list.
void treat_equals_equally(const ShareProgram& program, ShareOptimum& optimum);

// By the general solver: the reference, and what is done where the fast way cannot certify its answer.
ShareOptimum solve_with_general_solver(const ShareProgram& program);

}  // namespace sextant::schedule
