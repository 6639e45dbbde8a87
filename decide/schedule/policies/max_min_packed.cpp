// Max-min fairness where two jobs may share the same GPUs (space sharing).
#include "share_packing.h"
#include "share_policy.h"

namespace sextant::schedule::policy_max_min_packed {
namespace {

class MaxMinPacked final : public SharePolicy {
 public:
  void allocate(const ShareProblem& problem, Shares& out) override {
    load_share_program(problem, RateView::by_type, program_);
    for (std::size_t i = 0; i < problem.jobs.size(); ++i)
      program_.demand[i] = max_min_demand(problem, program_, i);
    packed_.solve(problem, program_, optimum_);
    ShareOptimum all;
    all.feasible = optimum_.feasible;
    all.share = optimum_.share;
    store_shares(all, problem, out);
  }

 private:
  ShareProgram program_;
  PackedLevel packed_;
  PackedOptimum optimum_;
};

}  // namespace

std::vector<PolicyInfo> plugin() {
  PolicyInfo info = share_policy_info(
      {"max-min-packed", "max-min, and two jobs may share the same GPUs where that helps",
       "max_min_fairness_packed", true},
      [](const PolicySetup&) -> std::unique_ptr<SharePolicy> { return std::make_unique<MaxMinPacked>(); });
  info.packs = true;
  return {info};
}

}  // namespace sextant::schedule::policy_max_min_packed
