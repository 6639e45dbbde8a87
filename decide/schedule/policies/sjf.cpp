// Shortest job first, of known total time on the fastest type; never stops what runs. By powers of time and
// GPUs: time alone, size alone, or both, which is GPU time.
#include <cmath>

#include "sextant/schedule/ranked.h"

namespace sextant::schedule::policy_sjf {
namespace {

class ShortestJob final : public RankRule {
 public:
  ShortestJob(double time_power, double gpu_power) : time_power_(time_power), gpu_power_(gpu_power) {}

  Rank rank(const JobView& job, const ClusterView& view) override {
    const std::int32_t type = fastest_type(job, view.types);
    const double time_s = type < 0 ? 0 : job.work / job.rate[type];
    return {.at_zero = std::pow(time_s, time_power_) * std::pow(job.gpus, gpu_power_)};
  }

 private:
  double time_power_;
  double gpu_power_;
};

}  // namespace

std::vector<PolicyInfo> plugin() {
  return {
      {{.id = "sjf",
        .summary = "shortest job first, by its total time; what runs is not stopped",
        .reference = "Smith, Naval Research Logistics Quarterly 3 (1956)",
        .parameters = {number_parameter("time", "power of the time", {1, 0, 4}),
                       number_parameter("gpus", "power of the number of GPUs; 1: by GPU time", {0, 0, 4})}},
       {"shortest-job-first"},
       [](const PolicySetup& setup) {
         return make_ranked(
             std::make_unique<ShortestJob>(setup.parameters.number("time"), setup.parameters.number("gpus")),
             {});
       },
       nullptr,
       [](const Parameters& parameters) { return parameters.number("time") > 0; }}};
}

}  // namespace sextant::schedule::policy_sjf
