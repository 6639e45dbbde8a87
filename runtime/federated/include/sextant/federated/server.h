// The server of a federation: it chooses clients, has them train, puts their updates together by a rule,
// tests the model, and writes down both after every round, so that a server that is killed goes on from its
// last one.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sextant/federated/federated_data.h"
#include "sextant/federated/round.h"
#include "sextant/measure/run_folder.h"
#include "sextant/measure/span_recorder.h"
#include "sextant/measure/transport.h"

namespace sextant::federated {

struct ServerSetup {
  const Federation& federation;
  const FederatedData& data;
  const Samples& test;
  measure::Transport& transport;
  LocalModel& model;         // with the first values
  measure::RunFolder state;  // for what is written after a round
  measure::SpanRecorder* spans = nullptr;
  std::function<void()> beat = [] {};
  std::function<void(std::int64_t round)> finished = [](std::int64_t) {};
};

// All rounds; those of before, if this server goes on from a checkpoint.
std::vector<RoundNote> run_server(const ServerSetup& setup);

// All rounds are there, or the last one diverged.
bool is_over(const std::vector<RoundNote>& rounds, const Federation& federation);

// Where a server writes after a round: a folder that attempts have in common.
measure::RunFolder state_of(const measure::RunFolder& folder);
// Beside the checkpoint: the rounds up to it, or one more.
std::filesystem::path rounds_file(const measure::RunFolder& folder);
std::filesystem::path federation_file(const measure::RunFolder& folder);
// Those up to this one; empty where there is no file.
std::vector<RoundNote> read_rounds(const measure::RunFolder& folder, std::int64_t last);

}  // namespace sextant::federated
