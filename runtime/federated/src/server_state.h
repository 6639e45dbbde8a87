// What a server needs to go on after a round, as one checkpoint: the model, and what strategy, rule and
// worker momentum remember, packed behind its statistics.
#pragma once

#include <map>
#include <vector>

#include "sextant/federated/strategy.h"
#include "sextant/measure/checkpoint.h"
#include "sextant/robust/aggregator.h"
#include "sextant/robust/worker_momentum.h"

namespace sextant::federated {

struct ServerState {
  std::vector<float> model;  // parameters, then statistics
  std::vector<float> last_change;
  FederatedStrategy& strategy;
  robust::Aggregator& aggregator;
  std::map<std::int64_t, robust::WorkerMomentum>& momenta;
};

measure::TrainingCheckpoint pack(const ServerState& state, std::int64_t round);
// InputError where the checkpoint is of another federation.
void unpack(const measure::TrainingCheckpoint& checkpoint, double worker_momentum, ServerState& state);

}  // namespace sextant::federated
