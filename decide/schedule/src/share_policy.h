// What Gavel's share policies have in common: the share program of a problem, equal shares, and what a policy
// says of itself.
#pragma once

#include <string>
#include <vector>

#include "sextant/schedule/policy.h"
#include "share_level.h"
#include "share_program.h"

namespace sextant::schedule {

// Which speeds a policy sees. Those that ignore types see one speed on all of them, as in Gavel: 1, or the
// speed on the reference type (v100 where there is one and the job runs on it, else the first on which it
// runs).
enum class RateView { by_type, one, reference };

// A job runs on a type that has GPUs enough for all of it and a speed.
bool can_run(const ShareProblem& problem, std::size_t job, std::size_t type);

// Capacities, GPUs and speeds; demands are 0, and a job that can run nowhere has no speed.
void load_share_program(const ShareProblem& problem, RateView view, ShareProgram& program);

// A weight or an amount of work that counts: positive and finite, or else 0.
double counted(double value);

// Largest speed in the program; 0: the job can run nowhere.
double fastest_rate(const ShareProgram& program, std::size_t job);
// Speed when the job has each type in proportion to its number of GPUs: what max-min divides by.
double proportional_rate(const ShareProblem& problem, const ShareProgram& program, std::size_t job);
// Speed when each of the jobs has an equal part of every type and never more than all of its time.
double isolated_rate(const ShareProblem& problem, const ShareProgram& program, std::size_t job);

// Weights of the jobs, where they count.
std::vector<double> weights_of(const ShareProblem& problem);

// Demand of max-min fairness: weight times proportional speed, per GPU.
double max_min_demand(const ShareProblem& problem, const ShareProgram& program, std::size_t job);

// Shares of jobs, moved away from types on which they cannot run, which policies that ignore types do not
// see: each job's time goes to the other types, in proportion, as far as they have room (proportional
// fitting; Deming, Stephan, 1940).
void store_shares(const ShareOptimum& optimum, const ShareProblem& problem, Shares& out);

// Work that is left, of a job that can run: what makespan divides by.
double remaining_demand(const ShareProblem& problem, const ShareProgram& program, std::size_t job);

// Policies that bring all jobs to a common level, in proportion to their demands, differ in these alone.
struct LevelRule {
  RateView view = RateView::by_type;
  double (*demand)(const ShareProblem&, const ShareProgram&, std::size_t job) = nullptr;
  void (LevelSolver::*solve)(const ShareProgram&, const std::vector<double>& weight,
                             ShareOptimum&) = &LevelSolver::solve;
};
std::unique_ptr<SharePolicy> make_level_policy(const LevelRule& rule);

struct SharePolicyText {
  std::string id;
  std::string summary;
  std::string gavel;
  bool aware = true;
  bool (*sees_run_times)(const Parameters&) = nullptr;  // as in PolicyInfo
};
// Info of one of Gavel's policies; its name there is an alias.
PolicyInfo share_policy_info(const SharePolicyText& text,
                             std::unique_ptr<SharePolicy> (*share)(const PolicySetup&));

}  // namespace sextant::schedule
