// Largest sum of speeds, whoever gets it.
#include "share_gain.h"

namespace sextant::schedule::policy_max_throughput {
namespace {

class MaxThroughput final : public SharePolicy {
 public:
  void allocate(const ShareProblem& problem, Shares& out) override {
    load_share_program(problem, RateView::by_type, program_);
    program_.gain = program_.rate;
    simplex_.solve(program_, optimum_);
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
      {"max-throughput", "the sum of the speeds of all jobs is as large as possible",
       "max_sum_throughput_perf", true},
      [](const PolicySetup&) -> std::unique_ptr<SharePolicy> { return std::make_unique<MaxThroughput>(); })};
}

}  // namespace sextant::schedule::policy_max_throughput
