// The policy of a run, as a mechanism makes it.
#pragma once

#include <memory>
#include <stdexcept>

#include "sextant/schedule/rounds.h"
#include "sextant/simulate/run.h"

namespace sextant::simulate {

class RunPolicy {
 public:
  explicit RunPolicy(std::unique_ptr<schedule::QueuePolicy> policy) : policy_(std::move(policy)) {}
  // In rounds; `pairs` is what the policy asks for speeds of jobs that share GPUs.
  RunPolicy(std::unique_ptr<schedule::RoundedPolicy> policy, std::unique_ptr<schedule::PairSpeeds> pairs)
      : pairs_(std::move(pairs)), rounded_(policy.get()) {
    policy_ = std::move(policy);
  }

  void decide(const schedule::ClusterView& view, schedule::Decision& out) { policy_->decide(view, out); }
  [[nodiscard]] std::uint64_t rounds() const { return rounded_ == nullptr ? 0 : rounded_->rounds(); }

 private:
  std::unique_ptr<schedule::PairSpeeds> pairs_;
  std::unique_ptr<schedule::QueuePolicy> policy_;
  const schedule::RoundedPolicy* rounded_ = nullptr;  // the same, where it decides in rounds
};

inline const schedule::PolicyInfo& policy_of(const RunOptions& options) {
  if (options.policy.policy == nullptr) throw std::invalid_argument("a run without a policy");
  return *options.policy.policy;
}

inline schedule::PolicySetup policy_setup(const RunOptions& options) {
  return {.parameters = options.policy.parameters, .seed = options.seed};
}

}  // namespace sextant::simulate
