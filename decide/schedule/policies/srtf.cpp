// Shortest remaining time first, with preemption. A job that waits counts its time on the fastest type, one
// that runs its time to the end where it is; a waiting job is compared with those of a type by its time
// there.
#include <cmath>
#include <limits>

#include "sextant/schedule/ranked.h"

namespace sextant::schedule::policy_srtf {
namespace {

class RemainingTime final : public RankRule {
 public:
  explicit RemainingTime(double gpu_power) : gpu_power_(gpu_power) {}

  Rank rank(const JobView& job, const ClusterView& view) override {
    const double factor = gpu_power_ == 0 ? 1 : std::pow(job.gpus, gpu_power_);
    if (!job.runs()) return {.at_zero = factor * best_remaining_s(job, view.types.size(), view.now_s)};
    // Its end does not move, so what remains falls by one second a second.
    const double from_s = job.productive_s > job.since_s ? job.productive_s : job.since_s;
    return {.at_zero = factor * (from_s + job.remaining / job.speed), .slope = -factor};
  }

 private:
  double gpu_power_;
};

}  // namespace

std::vector<PolicyInfo> plugin() {
  return {{{.id = "srtf",
            .summary = "shortest remaining time first; stops jobs that have longer to go",
            .reference = "Schrage, Operations Research 16 (1968); with gpus=1 as in Tiresias (NSDI'19), SRSF",
            .parameters = {number_parameter("gpus", "power of the number of GPUs; 1: by remaining GPU time",
                                            {0, 0, 4}),
                           move_parameter()}},
           {"srpt", "shortest-remaining-time"},
           [](const PolicySetup& setup) {
             return make_ranked(std::make_unique<RemainingTime>(setup.parameters.number("gpus")),
                                {.preempts = true, .move_s = setup.parameters.seconds("move").value});
           },
           nullptr,
           always_sees}};
}

}  // namespace sextant::schedule::policy_srtf
