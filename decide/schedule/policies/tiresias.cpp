// Tiresias without knowledge of job sizes: discretised two-dimensional least attained service. Jobs enter the
// first queue and sink as their GPU-seconds reach its limit; inside a queue, the one that started first goes
// first. Gu et al., NSDI'19.
#include "service_queues.h"
#include "sextant/core/infinity.h"

namespace sextant::schedule::policy_tiresias {
namespace {

class TiresiasRule final : public RankRule {
 public:
  TiresiasRule(std::vector<double> limits, double promote) : queues_(std::move(limits), promote) {}

  Rank rank(const JobView& job, const ClusterView& view) override {
    const ServicePlace place = queues_.place(job, view.now_s);
    const bool started = job.first_start_s >= 0;
    // What never ran stands behind those of its queue that did.
    return {.level = 2 * place.queue + (started ? 0 : 1),
            .at_zero = started ? job.first_start_s : job.arrival_s,
            .slope = 0,
            .until_s = place.until_s};
  }

 private:
  ServiceQueues queues_;
};

std::unique_ptr<QueuePolicy> make_tiresias(const PolicySetup& setup) {
  const Parameters& parameters = setup.parameters;
  const std::vector<double> limits = {parameters.seconds("limit1").value, parameters.seconds("limit2").value};
  return make_ranked(std::make_unique<TiresiasRule>(limits, parameters.number("promote")),
                     {.preempts = true, .move_s = parameters.seconds("move").value});
}

}  // namespace

std::vector<PolicyInfo> plugin() {
  PolicyInfo info;
  info.id = "tiresias";
  info.summary = "three queues by GPU time received; in a queue, first started goes first";
  info.reference = "Gu et al., NSDI 2019 (discretised 2D-LAS)";
  info.parameters = {
      seconds_parameter("limit1", "GPU-seconds at which a job leaves the first queue", {3250, 0, kInfinity}),
      seconds_parameter("limit2", "GPU-seconds at which a job leaves the second queue", {7200, 0, kInfinity}),
      number_parameter("promote", "a job that waits this many times what it ran starts anew; 0: never",
                       {0, 0, 1e9}),
      move_parameter()};
  info.aliases = {"tiresias-l", "dlas", "2d-las"};
  info.queue = make_tiresias;
  return {info};
}

}  // namespace sextant::schedule::policy_tiresias
