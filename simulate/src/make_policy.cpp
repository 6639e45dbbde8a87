#include "make_policy.h"

#include <stdexcept>

namespace sextant {
namespace {

// A job's kind is its class.
class PairsOfClasses final : public PairSpeeds {
 public:
  explicit PairsOfClasses(const JobSet& jobs) : jobs_(jobs) {}

  [[nodiscard]] PairRates together(std::int32_t first_kind, std::int32_t second_kind) const override {
    const PairOfClasses* pair = jobs_.together(first_kind, second_kind);
    if (pair == nullptr) return {};
    return {.first = pair->first_rate.data(), .second = pair->second_rate.data()};
  }

 private:
  const JobSet& jobs_;
};

}  // namespace

RunPolicy::RunPolicy(const RunOptions& options, const JobSet& jobs)
    : pairs_(std::make_unique<PairsOfClasses>(jobs)) {
  const PolicyInfo* policy = options.policy.policy;
  if (policy == nullptr) throw std::invalid_argument("a run without a policy");
  const PolicySetup setup{.values = options.policy.values, .seed = options.seed};
  if (options.mechanism == Mechanism::rounds) {
    round_off(options, setup);
    return;
  }
  if (policy->queue == nullptr) {
    throw InputError({}, "policy '" + policy->id + "' gives shares of time, which need rounds",
                     "use --mechanism rounds");
  }
  policy_ = policy->queue(setup);
}

// A policy of both kinds gives shares in rounds: that is what rounds were made for.
void RunPolicy::round_off(const RunOptions& options, const PolicySetup& setup) {
  const PolicyInfo& info = *options.policy.policy;
  std::unique_ptr<RoundedPolicy> rounded;
  if (info.share != nullptr) {
    rounded = make_round_policy(info.share(setup), info,
                                {.round_s = options.round_s,
                                 .reset_s = options.reallocate_s,
                                 .pairs = pairs_.get(),
                                 .seed = options.seed});
  } else {
    rounded = make_boundary_policy(info.queue(setup), options.round_s);
  }
  rounded_ = rounded.get();
  policy_ = std::move(rounded);
}

}  // namespace sextant
