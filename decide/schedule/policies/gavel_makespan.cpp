// Gavel's makespan as it was released: the makespan is bisected to 5 %, and the shares are just enough for
// it, with the rest of the cluster given to nobody. For comparisons with Gavel; `makespan` is exact and
// wastes nothing.
#include "share_policy.h"

namespace sextant::schedule::policy_gavel_makespan {
namespace {

constexpr double kShortest = 100;  // s, where the bisection begins
constexpr double kLongest = 1e6;
constexpr double kCloseEnough = 1.05;
constexpr double kLonger = 10;  // the bracket moves up by this where nothing in it is feasible

// What Gavel's bisection ends with, where every makespan from `least` on is feasible.
double bisected(double least) {
  double low = kShortest;
  double high = kLongest;
  while (high < least) {
    low *= kLonger;
    high *= kLonger;
  }
  while (kCloseEnough * low < high) {
    const double middle = (low + high) / 2;
    (middle >= least ? high : low) = middle;
  }
  return high;
}

class GavelMakespan final : public SharePolicy {
 public:
  void allocate(const ShareProblem& problem, Shares& out) override {
    load_share_program(problem, RateView::by_type, program_);
    for (std::size_t i = 0; i < problem.jobs.size(); ++i) {
      program_.demand[i] = remaining_demand(problem, program_, i);
    }
    solver_.find_level(program_, optimum_);
    if (optimum_.value > 0) {
      const double least = 1 / optimum_.value;
      for (double& share : optimum_.share) share *= least / bisected(least);
    }
    store_shares(optimum_, problem, out);
  }

 private:
  ShareProgram program_;
  ShareOptimum optimum_;
  LevelSolver solver_;
};

}  // namespace

std::vector<PolicyInfo> plugin() {
  return {share_policy_info(
      {"gavel-makespan",
       "makespan as Gavel released it: within 5 % of the shortest, and no share of time beyond that",
       "min_total_duration_perf", true, always_sees},
      [](const PolicySetup&) -> std::unique_ptr<SharePolicy> { return std::make_unique<GavelMakespan>(); })};
}

}  // namespace sextant::schedule::policy_gavel_makespan
