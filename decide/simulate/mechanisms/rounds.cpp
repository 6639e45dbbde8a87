// Nothing starts or stops between the boundaries of rounds. Shares of time become starts and stops.
#include "engine.h"
#include "sextant/simulate/mechanism.h"

namespace sextant::simulate::mechanism_rounds {
namespace {

// A job's kind is its class.
class PairsOfClasses final : public schedule::PairSpeeds {
 public:
  explicit PairsOfClasses(const JobSet& jobs) : jobs_(jobs) {}

  [[nodiscard]] schedule::PairRates together(std::int32_t first_kind,
                                             std::int32_t second_kind) const override {
    const PairOfClasses* pair = jobs_.together(first_kind, second_kind);
    if (pair == nullptr) return {};
    return {.first = pair->first_rate.data(), .second = pair->second_rate.data()};
  }

 private:
  const JobSet& jobs_;
};

// A policy of both kinds gives shares in rounds: that is what rounds were made for.
std::unique_ptr<schedule::RoundedPolicy> rounded(const RunOptions& options,
                                                 const schedule::PairSpeeds& pairs) {
  const schedule::PolicyInfo& info = policy_of(options);
  const schedule::PolicySetup setup = policy_setup(options);
  if (info.share == nullptr) return make_boundary_policy(info.queue(setup), options.round);
  return make_round_policy(
      info.share(setup), info,
      {.round = options.round, .reset = options.reallocate, .pairs = &pairs, .seed = options.seed});
}

RunResult run(const JobSet& jobs, const clusters::Cluster& cluster, const RunOptions& options) {
  auto pairs = std::make_unique<PairsOfClasses>(jobs);
  auto policy = rounded(options, *pairs);
  return run_cluster(jobs, cluster, options, RunPolicy(std::move(policy), std::move(pairs)));
}

}  // namespace

std::vector<MechanismInfo> plugin() {
  return {{{.id = "rounds",
            .summary = "decide at the boundaries of rounds",
            .reference = "Gavel (OSDI'20), without its simulator's quirks"},
           {},
           run}};
}

}  // namespace sextant::simulate::mechanism_rounds
