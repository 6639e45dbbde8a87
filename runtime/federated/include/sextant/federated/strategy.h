// Federated strategies, one file each in runtime/federated/strategies: who takes part in a round, how clients
// train, and what the server does with their updates. The rule that puts the updates together stands between
// scale() and apply(), so every strategy goes with every rule.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sextant/core/registry.h"
#include "sextant/core/rng.h"
#include "sextant/federated/federation.h"

namespace sextant::federated {

// What a client says of its update.
struct UpdateNote {
  std::int64_t client = 0;
  std::int64_t samples = 0;
  std::int64_t steps = 0;
  double loss = 0;     // mean over its steps
  double seconds = 0;  // that its training took here
};

// Who can be chosen for a round.
struct Candidates {
  std::int64_t round = 1;
  std::span<const std::int64_t> clients;  // rising
  std::span<const double> latency;        // of every client of the federation, s
  std::int64_t wanted = 0;
};

class FederatedStrategy {
 public:
  virtual ~FederatedStrategy() = default;
  // Weight mu of the term mu/2 |w - w0|^2 that clients add to their loss.
  [[nodiscard]] virtual double proximal() const { return 0; }
  // Without replacement, rising; the default is uniform.
  virtual std::vector<std::int64_t> choose(const Candidates& candidates, Rng rng);
  // The factor of each update before the rule; its weight is the number of its samples.
  [[nodiscard]] virtual std::vector<double> scale(std::span<const UpdateNote> updates) const;
  // The model after the aggregated update.
  virtual void apply(std::span<float> model, std::span<const float> aggregate);
  // What a resumed server needs besides the rounds that it has noted.
  virtual std::span<float> state() { return {}; }
};

struct FederatedStrategyInfo : PluginInfo {
  static constexpr PluginKind kKind = {"federated-strategy", "federated-strategies",
                                       "how clients and a server train together", "federated strategy"};

  std::vector<std::string> aliases = {};
  std::unique_ptr<FederatedStrategy> (*make)(const Parameters&, const Federation&,
                                             std::size_t values) = nullptr;
};
const Registry<FederatedStrategyInfo>& federated_strategies();

std::unique_ptr<FederatedStrategy> make_strategy(const Federation& federation, std::size_t values);

// Steps that count, FedNova's a: those of SGD, or with momentum the sum of what each gradient contributes.
double effective_steps(std::int64_t steps, double momentum);
// TiFL's, of `tiers` tiers with credit left, the fastest first.
std::vector<double> tier_probabilities(std::size_t tiers);
// So many of the clients, drawn without replacement, rising.
std::vector<std::int64_t> drawn_clients(std::span<const std::int64_t> clients, std::int64_t wanted, Rng& rng);

}  // namespace sextant::federated
