// What one round of a federation was: who took part, what it took, how good the model is after it, and whom
// the rule sorted out. The server appends one after another; a resumed server reads them back.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sextant/core/json.h"
#include "sextant/federated/local_model.h"

namespace sextant::federated {

struct Exclusion {
  std::int64_t client = 0;
  std::string reason;  // "sent a value that is no number"
};

// Wall-clock seconds at the server.
struct RoundSeconds {
  double clients = 0;  // from the first task sent to the last update received
  double rule = 0;     // bucketing, momentum and rule
  double evaluation = 0;
  double total = 0;
};

struct RoundNote {
  std::int64_t round = 0;  // from 1
  std::vector<std::int64_t> chosen = {};
  std::vector<std::int64_t> answered = {};   // in time: their updates reached the rule
  std::vector<std::int64_t> late = {};       // after the deadline
  std::vector<std::int64_t> dropped = {};    // chosen, and did not answer
  std::vector<Exclusion> excluded = {};      // from now on
  std::vector<std::int64_t> attacking = {};  // of those that answered
  std::vector<std::int64_t> flagged = {};    // by the rule
  RoundSeconds seconds = {};
  double client_seconds = 0;  // of the round at the clients' speeds and bandwidths
  double train_seconds = 0;   // sum of what the clients' training took here
  double sent_bytes = 0;      // by the server
  double received_bytes = 0;
  double train_loss = 0;  // mean over the honest clients, by samples
  Evaluation test = {};
  double attack_success = -1;  // of a backdoor; -1: none
  bool diverged = false;       // what all clients sent were no numbers; there is no round after this one
};

Json to_json(const RoundNote& note);
std::string rounds_text(const std::vector<RoundNote>& rounds);
std::vector<RoundNote> rounds_from_json(const std::string& text, const std::string& file_name);

}  // namespace sextant::federated
