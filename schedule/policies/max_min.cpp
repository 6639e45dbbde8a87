// Max-min fairness (least attained service): the smallest weighted speed, relative to that under proportional
// shares, is as large as can be.
#include "share_policy.h"

namespace sextant {
namespace {

class MaxMin final : public SharePolicy {
 public:
  explicit MaxMin(RateView view) : view_(view) {}

  void allocate(const ShareProblem& problem, Shares& out) override {
    load_share_program(problem, view_, program_);
    for (std::size_t i = 0; i < problem.jobs.size(); ++i)
      program_.demand[i] = max_min_demand(problem, program_, i);
    solver_.solve(program_, weights_of(problem), optimum_);
    store_shares(optimum_, problem, out);
  }

 private:
  RateView view_;
  ShareProgram program_;
  ShareOptimum optimum_;
  LevelSolver solver_;
};

}  // namespace

std::vector<PolicyInfo> policy_max_min() {
  return {share_policy_info({"max-min", "the least favoured job gets as much as can be, types considered",
                             "max_min_fairness_perf", true},
                            [](const PolicySetup&) -> std::unique_ptr<SharePolicy> {
                              return std::make_unique<MaxMin>(RateView::by_type);
                            }),
          share_policy_info({"max-min-agnostic", "the least favoured job gets as much time as can be",
                             "max_min_fairness", false},
                            [](const PolicySetup&) -> std::unique_ptr<SharePolicy> {
                              return std::make_unique<MaxMin>(RateView::one);
                            })};
}

}  // namespace sextant
