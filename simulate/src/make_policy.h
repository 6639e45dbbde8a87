// The policy of a run, made from its choice and the mechanism.
#pragma once

#include <memory>

#include "sextant/schedule/rounds.h"
#include "sextant/simulate/run.h"

namespace sextant {

class RunPolicy {
 public:
  // InputError for a policy of shares without rounds.
  RunPolicy(const RunOptions& options, const JobSet& jobs);
  explicit RunPolicy(std::unique_ptr<QueuePolicy> policy) : policy_(std::move(policy)) {}

  void decide(const ClusterView& view, Decision& out) { policy_->decide(view, out); }
  [[nodiscard]] std::uint64_t rounds() const { return rounded_ == nullptr ? 0 : rounded_->rounds(); }

 private:
  void round_off(const RunOptions& options, const PolicySetup& setup);

  std::unique_ptr<PairSpeeds> pairs_;
  std::unique_ptr<QueuePolicy> policy_;
  const RoundedPolicy* rounded_ = nullptr;  // the same, where it decides in rounds
};

}  // namespace sextant
