#include "sextant/federated/strategy.h"

#include <algorithm>
#include <cmath>

#include "sextant/core/plugin_text.h"

namespace sextant::federated {

std::vector<std::int64_t> FederatedStrategy::choose(const Candidates& candidates, Rng rng) {
  return drawn_clients(candidates.clients, candidates.wanted, rng);
}

std::vector<double> FederatedStrategy::scale(std::span<const UpdateNote> updates) const {
  return std::vector<double>(updates.size(), 1.0);
}

void FederatedStrategy::apply(std::span<float> model, std::span<const float> aggregate) {
  for (std::size_t i = 0; i < model.size(); ++i) model[i] += aggregate[i];
}

std::unique_ptr<FederatedStrategy> make_strategy(const Federation& federation, std::size_t values) {
  const SourcePos at = at_field("strategy");
  const PluginText text = split_plugin_text(federation.strategy, at);
  const FederatedStrategyInfo& info = federated_strategies().get(text.id, at);
  return info.make(parameters_of(info, text, at), federation, values);
}

double effective_steps(std::int64_t steps, double momentum) {
  const auto tau = static_cast<double>(steps);
  if (momentum == 0) return tau;
  return (tau - momentum * (1 - std::pow(momentum, tau)) / (1 - momentum)) / (1 - momentum);
}

std::vector<double> tier_probabilities(std::size_t tiers) {
  const auto n = static_cast<double>(tiers);
  std::vector<double> probabilities;
  for (std::size_t rank = 0; rank < tiers; ++rank) {
    probabilities.push_back((n - static_cast<double>(rank)) / (n * (n + 1) / 2));
  }
  return probabilities;
}

std::vector<std::int64_t> drawn_clients(std::span<const std::int64_t> clients, std::int64_t wanted,
                                        Rng& rng) {
  std::vector<std::int64_t> pool(clients.begin(), clients.end());
  const auto count = std::min(pool.size(), static_cast<std::size_t>(wanted));
  for (std::size_t i = 0; i < count; ++i) std::swap(pool[i], pool[i + rng.below(pool.size() - i)]);
  pool.resize(count);
  std::ranges::sort(pool);
  return pool;
}

}  // namespace sextant::federated
