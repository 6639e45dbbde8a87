// A synchronous parameter server under attack: which rule makes one gradient of all that workers push, who
// attacks and how, as the strategy's parameters say it; and one round of it.
#pragma once

#include <optional>
#include <vector>

#include "sextant/measure/training_strategy.h"
#include "sextant/robust/aggregator.h"
#include "sextant/robust/attack.h"
#include "sextant/robust/worker_momentum.h"

namespace sextant::measure {

struct PsDefence {
  std::optional<robust::RuleChoice> rule = {};
  std::optional<robust::AttackChoice> attack = {};
  std::int64_t attackers = 0;  // the last workers
  double worker_momentum = 0;  // 0: gradients are sent as they are

  // Whether a server needs all gradients beside each other.
  [[nodiscard]] bool gathers() const { return rule || (attack && attack->attack->forges); }
  [[nodiscard]] bool attacks(std::int64_t worker, std::int64_t workers) const {
    return attack && worker >= workers - attackers;
  }
};

// Of the strategy that declares them.
std::vector<ParameterInfo> defence_parameters();
// InputError at the strategy where they do not go together, or not with the number of workers.
PsDefence ps_defence(const Trial& trial, const Parameters& parameters);

// What one server makes of the gradients of an iteration. Attackers compute as the others do; what they would
// send is replaced here, where all gradients are, so that attacks can know what honest workers send.
class PsRound {
 public:
  PsRound(const StrategySetup& setup, const PsDefence& defence);
  // Rows by worker.
  const std::vector<float>& aggregate(const std::vector<std::vector<float>>& rows, std::int64_t iteration);

 private:
  std::int64_t workers_;
  std::int64_t attackers_;
  Rng rng_;
  std::unique_ptr<robust::Attack> attack_;
  robust::Aggregator aggregator_;
  std::vector<float> last_;
};

// The samples of an attacker that poisons them.
class PoisonedBatches {
 public:
  PoisonedBatches(const StrategySetup& setup, const PsDefence& defence);
  // The batch itself where this worker does not poison.
  const input::Batch& next(std::int64_t iteration, const input::Batch& batch);

 private:
  SampleKind kind_;
  Rng rng_;
  std::unique_ptr<robust::Attack> attack_;  // none: nothing is poisoned
  input::Batch poisoned_;
};

}  // namespace sextant::measure
