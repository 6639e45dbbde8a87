// A process that many clients live in: it gets the model once in a round, trains each of its clients that was
// chosen, and sends their updates.
#pragma once

#include <cstdint>
#include <functional>

#include "sextant/federated/federated_data.h"
#include "sextant/measure/span_recorder.h"
#include "sextant/measure/transport.h"

namespace sextant::federated {

struct HostSetup {
  const Federation& federation;
  const FederatedData& data;
  std::int64_t rank = 0;
  measure::Transport& transport;
  LocalModel& model;
  measure::SpanRecorder* spans = nullptr;
  std::function<void()> beat = [] {};
  std::function<void(std::int64_t round)> finished = [](std::int64_t) {};
};

// Until the server has no more to do.
void run_host(const HostSetup& setup);

// What a client does in a round of so many samples; the strategy's pull towards the server's model is not
// known here.
LocalWork local_work(const Federation& federation, std::int64_t client, std::int64_t round,
                     std::int64_t samples);

}  // namespace sextant::federated
