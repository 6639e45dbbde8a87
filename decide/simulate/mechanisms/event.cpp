// The policy is asked at every change, and what it says is done at once.
#include "engine.h"
#include "sextant/simulate/mechanism.h"

namespace sextant::simulate::mechanism_event {
namespace {

RunResult run(const JobSet& jobs, const clusters::Cluster& cluster, const RunOptions& options) {
  const schedule::PolicyInfo& policy = policy_of(options);
  if (policy.queue == nullptr) {
    throw InputError({}, "policy '" + policy.id + "' gives shares of time, which need rounds",
                     "use `mechanism` rounds");
  }
  return run_cluster(jobs, cluster, options, RunPolicy(policy.queue(policy_setup(options))));
}

}  // namespace

std::vector<MechanismInfo> plugin() {
  return {
      {{.id = "event", .summary = "decide at every event", .reference = "docs/models/cluster-simulation.md"},
       {},
       run}};
}

}  // namespace sextant::simulate::mechanism_event
