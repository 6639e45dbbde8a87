// Max-min fairness made efficient: jobs whose level cannot rise stay where they are, the others go on rising,
// until nobody can. The shares are max-min in the lexicographic sense.
#include "share_policy.h"

namespace sextant {
namespace {

class WaterFilling final : public SharePolicy {
 public:
  explicit WaterFilling(RateView view) : view_(view) {}

  void allocate(const ShareProblem& problem, Shares& out) override {
    load_share_program(problem, view_, program_);
    for (std::size_t i = 0; i < problem.jobs.size(); ++i)
      program_.demand[i] = max_min_demand(problem, program_, i);
    solver_.fill(program_, weights_of(problem), optimum_);
    store_shares(optimum_, problem, out);
  }

 private:
  RateView view_;
  ShareProgram program_;
  ShareOptimum optimum_;
  LevelSolver solver_;
};

}  // namespace

std::vector<PolicyInfo> policy_water_filling() {
  return {
      share_policy_info({"water-filling", "max-min, and again for those who can still rise, types considered",
                         "max_min_fairness_water_filling_perf", true},
                        [](const PolicySetup&) -> std::unique_ptr<SharePolicy> {
                          return std::make_unique<WaterFilling>(RateView::by_type);
                        }),
      share_policy_info({"water-filling-agnostic", "max-min of time, and again for those who can still rise",
                         "max_min_fairness_water_filling", false},
                        [](const PolicySetup&) -> std::unique_ptr<SharePolicy> {
                          return std::make_unique<WaterFilling>(RateView::one);
                        })};
}

}  // namespace sextant
