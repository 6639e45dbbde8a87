// Rounds of a federation without training: how long they take, and who answers in time, from the clients'
// speeds and bandwidths, the choice of clients, when they are there, and the policy towards the slow. The
// same draws as in a real run, so the same clients are chosen, away and late; besides, clients may share the
// server's link, the processes that they live in, and the cores of a machine.
#pragma once

#include <cstdint>
#include <vector>

#include "sextant/federated/federation.h"

namespace sextant::federated {

struct RoundCosts {
  std::vector<std::int64_t> samples;  // of each client
  double model_bytes = 0;             // one way
  double server_bytes_per_s = 0;      // each way, which transfers share fairly; 0: without limit
  double server_s = 0;                // rule and test after the last update
  // Processes that clients live in, as those of a real run: the model comes once to each, its clients train
  // one after the other, and all use the link that its first client would have. 0: one for each client.
  std::int64_t hosts = 0;
  double cores = 0;  // that clients which compute at once share, one each at most; 0: without limit
};

struct SimulatedRound {
  double seconds = 0;
  std::int64_t chosen = 0;
  std::int64_t answered = 0;
  std::int64_t late = 0;
  std::int64_t dropped = 0;
  std::int64_t samples = 0;  // that the updates in time were trained on
};

std::vector<SimulatedRound> simulate_rounds(const Federation& federation, const RoundCosts& costs);

}  // namespace sextant::federated
