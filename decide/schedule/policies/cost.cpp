// Work and dollars: Gavel's sum of speeds per price, and the ratio of all work to all dollars, which that sum
// is often taken for.
#include "share_gain.h"

namespace sextant::schedule::policy_cost {
namespace {

// Without a floor the best ratio is that of one job on one type, and all others would wait. So everybody
// keeps a part of what an equal part of the cluster would give, as cheaply as can be.
class WorkPerDollar final : public SharePolicy {
 public:
  explicit WorkPerDollar(double floor) : floor_(floor) {}

  void allocate(const ShareProblem& problem, Shares& out) override {
    ShareProgram& program = ratio_.program;
    load_share_program(problem, RateView::by_type, program);
    ratio_.cost = dollars_per_hour(problem, program);
    ratio_.gain = program.rate;
    program.floor.assign(program.jobs(), 0);
    for (std::size_t i = 0; i < program.jobs(); ++i) {
      const double alone = proportional_rate(problem, program, i);
      for (std::size_t j = 0; j < program.types && alone > 0; ++j)
        ratio_.gain[i * program.types + j] /= alone;
      program.floor[i] = floor_ * isolated_rate(problem, program, i);
    }
    maximise_ratio(ratio_, simplex_, optimum_);
    treat_equals_equally(program, optimum_);
    store_shares(optimum_, problem, out);
  }

 private:
  double floor_;
  RatioProgram ratio_;
  ShareOptimum optimum_;
  ShareSimplex simplex_;
};

PolicyInfo work_per_dollar() {
  PolicyInfo info = share_policy_info(
      {"work-per-dollar",
       "as much work for the money as possible, while every job keeps a part of an equal share", "", true},
      [](const PolicySetup& setup) -> std::unique_ptr<SharePolicy> {
        return std::make_unique<WorkPerDollar>(setup.parameters.share("floor"));
      });
  info.parameters = {share_parameter(
      "floor", "least speed of a job, as a part of that with an equal share of the cluster", {1, 0, 1})};
  return info;
}

}  // namespace

std::vector<PolicyInfo> plugin() {
  return {share_policy_info({"cost",
                             "as much speed for the money as possible: the speed of each job is divided by "
                             "the price of its GPUs",
                             "max_sum_throughput_normalized_by_cost_perf", true},
                            [](const PolicySetup&) { return make_gain_policy(set_speed_per_price); }),
          work_per_dollar()};
}

}  // namespace sextant::schedule::policy_cost
