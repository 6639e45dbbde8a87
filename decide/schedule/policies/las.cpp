// Least attained service: the job that has had least runs first, in turns of a quantum. Service counts in
// whole quanta, so jobs with as many take turns in order of arrival and nobody is stopped within a quantum,
// except by a job that has had a whole quantum less.
#include <cmath>
#include <limits>

#include "sextant/schedule/ranked.h"

namespace sextant::schedule::policy_las {
namespace {

constexpr double kRounding = 1e-6;  // seconds

class LeastService final : public RankRule {
 public:
  LeastService(double quantum, bool by_gpu_time) : quantum_(quantum), by_gpu_time_(by_gpu_time) {}

  Rank rank(const JobView& job, const ClusterView& view) override {
    const double pace = by_gpu_time_ ? job.gpus : 1;  // service per second
    const double quantum_s = quantum_ / pace;
    const double executed_s = job.executed_at(view.now_s);
    const double quanta = std::floor((executed_s + kRounding) / quantum_s);
    Rank rank{.level = static_cast<std::int32_t>(std::min(quanta, 1e9))};
    if (!job.runs()) return rank;
    rank.until_s = view.now_s + (quanta + 1) * quantum_s - executed_s;
    // At the end of its quantum it gives way to those that have had as much.
    const bool at_end = view.now_s > job.since_s + kRounding && executed_s - quanta * quantum_s < kRounding;
    rank.at_zero = at_end ? 1 : 0;
    return rank;
  }

 private:
  double quantum_;
  bool by_gpu_time_;
};

}  // namespace

std::vector<PolicyInfo> plugin() {
  return {{{.id = "las",
            .summary = "the job that has used the least GPU time so far goes first, in turns of a quantum",
            .reference = "Nuyens, Wierman, Performance Evaluation 65 (2008); 2D-LAS: Tiresias (NSDI'19)",
            .parameters = {seconds_parameter("quantum", "service of one turn, in seconds or GPU-seconds",
                                             {360, 1e-3, std::numeric_limits<double>::max()}),
                           flag_parameter("gpu-time", "1: service is GPU-seconds; 0: seconds", false),
                           move_parameter()}},
           {"least-attained-service"},
           [](const PolicySetup& setup) {
             return make_ranked(std::make_unique<LeastService>(setup.parameters.seconds("quantum").value,
                                                               setup.parameters.flag("gpu-time")),
                                {.preempts = true, .move_s = setup.parameters.seconds("move").value});
           }}};
}

}  // namespace sextant::schedule::policy_las
