// The sum of speeds per price, while every job runs fast enough to meet its deadline; where that is too much
// to ask for, deadlines do not count, as in Gavel.
#include "share_gain.h"

namespace sextant::schedule::policy_slo {
namespace {

void set_gains(const ShareProblem& problem, ShareProgram& program) {
  set_speed_per_price(problem, program);
  program.floor.assign(program.jobs(), 0);
  for (std::size_t i = 0; i < problem.jobs.size(); ++i) {
    const double left_s = problem.jobs[i].deadline_s - problem.now_s;  // a deadline that is missed is gone
    if (left_s > 0) program.floor[i] = counted(problem.jobs[i].remaining / left_s);
  }
}

}  // namespace

std::vector<PolicyInfo> plugin() {
  return {share_policy_info(
      {"slo", "meets every deadline if all can be met, then as much speed for the money as possible",
       "max_sum_throughput_normalized_by_cost_perf_SLOs", true, always_sees},
      [](const PolicySetup&) { return make_gain_policy(set_gains); })};
}

}  // namespace sextant::schedule::policy_slo
