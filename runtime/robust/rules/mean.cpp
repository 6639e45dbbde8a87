// The mean, by the weights that updates come with: what federated averaging does, and what attacks are
// measured against. One attacker moves it wherever it wants.
#include <cmath>
#include <numeric>

#include "flat_math.h"
#include "rule_parts.h"

namespace sextant::robust::rule_mean {
namespace {

class Mean final : public AggregationRule {
 public:
  explicit Mean(const RuleSetup& setup)
      : by_weight_(setup.parameters.flag("weigh")), threads_(setup.threads) {}

  void aggregate(const RuleRound& round, Aggregation& out) override {
    const std::size_t n = round.updates.size();
    std::vector<double> weights(n, 1);
    if (by_weight_) {
      for (std::size_t i = 0; i < n; ++i) weights[i] = round.updates.rows[i].weight;
    }
    double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    if (!(total > 0)) {
      weights.assign(n, 1);
      total = static_cast<double>(n);
    }
    for (double& weight : weights) weight /= total;
    weighted_sum(round.updates, weights, threads_, out.values);
    const std::vector<double> far = squared_distances(round.updates, out.values, threads_);
    out.verdicts.resize(n);
    for (std::size_t i = 0; i < n; ++i) out.verdicts[i] = {.weight = weights[i], .score = std::sqrt(far[i])};
  }

 private:
  bool by_weight_;
  std::size_t threads_;
};

}  // namespace

std::vector<AggregationRuleInfo> plugin() {
  AggregationRuleInfo info;
  info.id = "mean";
  info.summary = "the mean, by the weights of the updates; one attacker moves it anywhere";
  info.reference = "McMahan et al., AISTATS 2017 (FedAvg)";
  info.parameters = {
      flag_parameter("weigh", "by samples, as FedAvg does; else all updates count alike", true),
      bucket_parameter()};
  info.aliases = {"average", "fedavg"};
  info.claims = {.weighs = true};
  info.most_attackers = none_of;
  info.cost = "n d";
  info.make = [](const RuleSetup& setup) -> std::unique_ptr<AggregationRule> {
    return std::make_unique<Mean>(setup);
  };
  return {info};
}

}  // namespace sextant::robust::rule_mean
