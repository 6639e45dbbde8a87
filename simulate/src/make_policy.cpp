#include "make_policy.h"

#include <stdexcept>

namespace sextant {

std::unique_ptr<QueuePolicy> make_queue_policy(const RunOptions& options, const JobSet& jobs) {
  static_cast<void>(jobs);  // speeds of pairs are for rounds
  const PolicyInfo* policy = options.policy.policy;
  if (policy == nullptr) throw std::invalid_argument("a run without a policy");
  const PolicySetup setup{.values = options.policy.values, .seed = options.seed};
  if (options.mechanism == Mechanism::rounds) {
    throw InputError({}, "policy '" + policy->id + "' cannot run in rounds", "use --mechanism event");
  }
  if (policy->queue == nullptr) {
    throw InputError({}, "policy '" + policy->id + "' gives shares of time, which need rounds",
                     "use --mechanism rounds");
  }
  return policy->queue(setup);
}

}  // namespace sextant
