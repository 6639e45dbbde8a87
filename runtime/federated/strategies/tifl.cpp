// Clients are sorted by their time for a round into tiers, and each round's clients come from one tier, the
// faster ones being more likely as long as they have credit: nobody waits for the slowest in most rounds.
#include <algorithm>

#include "sextant/federated/strategy.h"

namespace sextant::federated::federated_strategy_tifl {
namespace {

using Tiers = std::vector<std::vector<std::int64_t>>;  // the fastest first, none empty

class Tifl final : public FederatedStrategy {
 public:
  Tifl(const Parameters& parameters, const Federation& federation)
      : tiers_(std::min(parameters.count("tiers"), federation.clients)) {
    const std::int64_t asked = parameters.count("credits");
    credits_.assign(static_cast<std::size_t>(tiers_),
                    static_cast<float>(asked > 0 ? asked : federation.rounds));
  }

  std::vector<std::int64_t> choose(const Candidates& candidates, Rng rng) override {
    const Tiers tiers = tiers_of(candidates);
    std::vector<std::size_t> open;
    for (std::size_t t = 0; t < tiers.size(); ++t) {
      if (!tiers[t].empty() && credits_[t] > 0) open.push_back(t);
    }
    if (open.empty()) return drawn_clients(candidates.clients, candidates.wanted, rng);
    const std::vector<double> probabilities = tier_probabilities(open.size());
    double left = rng.uniform();
    std::size_t place = 0;
    while (place + 1 < open.size() && left >= probabilities[place]) left -= probabilities[place++];
    credits_[open[place]] -= 1;
    return drawn_clients(tiers[open[place]], candidates.wanted, rng);
  }
  std::span<float> state() override { return credits_; }

 private:
  // By the latency of all clients, so that a client's tier does not depend on who is there.
  [[nodiscard]] Tiers tiers_of(const Candidates& candidates) const {
    std::vector<std::int64_t> order(candidates.latency.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(i);
    std::ranges::stable_sort(order, {},
                             [&](std::int64_t c) { return candidates.latency[static_cast<std::size_t>(c)]; });
    Tiers tiers(static_cast<std::size_t>(tiers_));
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (!std::ranges::binary_search(candidates.clients, order[i])) continue;
      tiers[i * tiers.size() / order.size()].push_back(order[i]);
    }
    for (auto& tier : tiers) std::ranges::sort(tier);
    return tiers;
  }

  std::int64_t tiers_;
  std::vector<float> credits_;
};

}  // namespace

std::vector<FederatedStrategyInfo> plugin() {
  return {{{.id = "tifl",
            .summary = "the clients of a round are about equally fast, and the fast ones more likely",
            .reference = "Chai et al., TiFL: A Tier-based Federated Learning System, HPDC 2020",
            .parameters = {count_parameter("tiers", "groups of clients by speed", {5, 1, 1e6}),
                           count_parameter("credits", "rounds in which a tier can be chosen; 0: all",
                                           {0, 0, 1e9})}},
           {},
           [](const Parameters& parameters, const Federation& federation,
              std::size_t) -> std::unique_ptr<FederatedStrategy> {
             return std::make_unique<Tifl>(parameters, federation);
           }}};
}

}  // namespace sextant::federated::federated_strategy_tifl
