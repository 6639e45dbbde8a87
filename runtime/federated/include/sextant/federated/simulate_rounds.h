// Rounds of a federation without training: how long they take, and who answers in time, from the clients'
// speeds and bandwidths, the choice of clients and the deadline. The same draws as in a real run, so the same
// clients are chosen, away and late; besides, clients share the server's link where it has an end.
#pragma once

#include <cstdint>
#include <vector>

#include "sextant/federated/federation.h"

namespace sextant::federated {

struct RoundCosts {
  std::vector<std::int64_t> samples;  // of each client
  double model_bytes = 0;             // one way
  double server_bytes_per_s = 0;      // each way, which all transfers share in turns; 0: without limit
  double server_s = 0;                // rule and test after the last update
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
