// Finish-time fairness (Themis' measure as Gavel optimises it): the worst ratio of a job's end to its end
// with an equal part of the cluster is as small as can be.
#include "share_finish_time.h"
#include "share_policy.h"

namespace sextant::schedule::policy_finish_time_fairness {
namespace {

class FinishTimeFairness final : public SharePolicy {
 public:
  explicit FinishTimeFairness(RateView view) : view_(view) {}

  void allocate(const ShareProblem& problem, Shares& out) override {
    load_share_program(problem, view_, program_);
    history_.targets(problem, program_, targets_);
    solve_finish_time({targets_, weights_of(problem)}, program_, solver_, optimum_);
    store_shares(optimum_, problem, out);
  }

 private:
  RateView view_;
  ShareProgram program_;
  ShareOptimum optimum_;
  LevelSolver solver_;
  IsolatedHistory history_;
  std::vector<FinishTarget> targets_;
};

}  // namespace

// Gavel's name of the one that ignores types is, but for its separators, the id of the one that does not: no
// alias.
std::vector<PolicyInfo> plugin() {
  std::vector<PolicyInfo> both = {
      share_policy_info({"finish-time-fairness",
                         "no job ends much later than with an equal part of the cluster; takes into account "
                         "that GPU types differ in speed",
                         "finish_time_fairness_perf", true, always_sees},
                        [](const PolicySetup&) -> std::unique_ptr<SharePolicy> {
                          return std::make_unique<FinishTimeFairness>(RateView::by_type);
                        }),
      share_policy_info({"finish-time-fairness-agnostic",
                         "the same as finish-time-fairness, as if all GPU types were equally fast",
                         "finish_time_fairness", false, always_sees},
                        [](const PolicySetup&) -> std::unique_ptr<SharePolicy> {
                          return std::make_unique<FinishTimeFairness>(RateView::reference);
                        })};
  both[1].aliases.clear();
  return both;
}

}  // namespace sextant::schedule::policy_finish_time_fairness
