// The sum of speeds per price, while every job runs fast enough to meet its deadline; where that is too much
// to ask for, deadlines do not count, as in Gavel.
#include "share_gain.h"

namespace sextant::schedule::policy_slo {
namespace {

class ServiceLevels final : public SharePolicy {
 public:
  void allocate(const ShareProblem& problem, Shares& out) override {
    load_share_program(problem, RateView::by_type, program_);
    set_speed_per_price(problem, program_);
    program_.floor.assign(program_.jobs(), 0);
    for (std::size_t i = 0; i < problem.jobs.size(); ++i) {
      const double left_s = problem.jobs[i].deadline_s - problem.now_s;  // a deadline that is missed is gone
      if (left_s > 0) program_.floor[i] = counted(problem.jobs[i].remaining / left_s);
    }
    simplex_.solve(program_, optimum_);
    if (!optimum_.feasible) {
      program_.floor.clear();
      simplex_.solve(program_, optimum_);
    }
    treat_equals_equally(program_, optimum_);
    store_shares(optimum_, problem, out);
  }

 private:
  ShareProgram program_;
  ShareOptimum optimum_;
  ShareSimplex simplex_;
};

}  // namespace

std::vector<PolicyInfo> plugin() {
  return {share_policy_info(
      {"slo", "meets every deadline if all can be met, then as much speed for the money as possible",
       "max_sum_throughput_normalized_by_cost_perf_SLOs", true, always_sees},
      [](const PolicySetup&) -> std::unique_ptr<SharePolicy> { return std::make_unique<ServiceLevels>(); })};
}

}  // namespace sextant::schedule::policy_slo
