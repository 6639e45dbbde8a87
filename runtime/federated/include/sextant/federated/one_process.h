// A federation in one process: the server and each host are threads, and messages stay in memory. Rounds are
// those of processes of their own, to the bit.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "sextant/federated/client_host.h"
#include "sextant/federated/server.h"

namespace sextant::federated {

struct OneProcessSetup {
  const Federation& federation;
  const FederatedData& data;
  const Samples& test;
  std::function<std::unique_ptr<LocalModel>()> make_model;  // with the first values; one for each thread
  measure::RunFolder state;
  // Of rank [0, hosts) and, last, the server; nothing where spans are not asked for.
  std::function<measure::SpanRecorder*(std::int64_t rank)> spans = [](std::int64_t) { return nullptr; };
  std::function<void()> beat = [] {};  // from any thread
  std::function<void(std::int64_t round)> finished = [](std::int64_t) {};
};

// Throws what the first thread threw; the others are released.
std::vector<RoundNote> run_in_one_process(const OneProcessSetup& setup);

}  // namespace sextant::federated
