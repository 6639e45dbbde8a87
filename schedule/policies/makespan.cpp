// Least makespan of the jobs that are there: all of them advance in proportion to what they have left.
#include "share_policy.h"

namespace sextant {
namespace {

class Makespan final : public SharePolicy {
 public:
  explicit Makespan(RateView view) : view_(view) {}

  void allocate(const ShareProblem& problem, Shares& out) override {
    load_share_program(problem, view_, program_);
    for (std::size_t i = 0; i < problem.jobs.size(); ++i) {
      program_.demand[i] = fastest_rate(program_, i) > 0 ? counted(problem.jobs[i].remaining) : 0;
    }
    solver_.solve(program_, weights_of(problem), optimum_);  // its level is 1 / makespan
    store_shares(optimum_, problem, out);
  }

 private:
  RateView view_;
  ShareProgram program_;
  ShareOptimum optimum_;
  LevelSolver solver_;
};

}  // namespace

std::vector<PolicyInfo> policy_makespan() {
  return {
      share_policy_info({"makespan", "the last of the jobs that are there ends as early as can be", "", true},
                        [](const PolicySetup&) -> std::unique_ptr<SharePolicy> {
                          return std::make_unique<Makespan>(RateView::by_type);
                        }),
      share_policy_info({"makespan-agnostic", "the same as makespan, as if all types were alike",
                         "min_total_duration", false},
                        [](const PolicySetup&) -> std::unique_ptr<SharePolicy> {
                          return std::make_unique<Makespan>(RateView::reference);
                        })};
}

}  // namespace sextant
