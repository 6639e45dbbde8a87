// A federation: a network that many clients train together, each on its own samples, with a server that puts
// their updates together; and who among them attacks or breaks. The driver writes it to a file, the processes
// read it; a study varies its fields.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sextant/core/json.h"
#include "sextant/measure/trial.h"
#include "sextant/nets/network.h"
#include "sextant/robust/attack.h"

namespace sextant::federated {

inline constexpr std::int64_t kMostClients = 100'000;

// What a broken client sends instead of its update, from some round on.
enum class Breakage { nan, wrong_shape, too_large, silent, foreign_id, wrong_steps };
struct BrokenClient {
  Breakage how = Breakage::silent;
  std::int64_t client = 0;
  std::int64_t from_round = 1;
};

struct Federation {
  std::string net = "flanders-mlp";
  nets::Binding sizes = {.batch = 32};
  std::string data = "fashion-mnist";

  std::int64_t clients = 100;
  std::int64_t rounds = 50;
  std::int64_t per_round = 0;  // clients that are chosen in a round; 0: all that are there
  std::string sampler = "iid";
  std::string strategy = "fedavg";
  double epochs = 1;             // of a client's samples in a round
  std::int64_t local_steps = 0;  // instead of epochs, if not 0
  double learning_rate = 0.1;
  double momentum = 0;  // of the clients' SGD, which begins anew in every round

  std::string rule = "mean";
  std::string attack = "none";
  double attackers = 0;  // share of the clients
  // What attackers hold: "share", their part of the data as everybody, or "iid", a sample of all of it, while
  // the others have the whole data set among them.
  std::string attackers_hold = "share";
  double worker_momentum = 0;  // updates are smoothed over rounds before the rule sees them
  std::vector<BrokenClient> broken = {};

  std::string speed = "constant:value=1000";     // samples per second of a client, a distribution
  std::string bandwidth = "constant:value=1e7";  // bytes per second of a client, each way
  double available = 1;                          // probability that a client is there in a round
  double drop_out = 0;                           // that a chosen client does not answer
  double deadline_s = 0;                         // of a round, at the clients' speeds; 0: none
  // So many more are chosen than `per_round`, as a share of it; the round ends when `per_round` have
  // answered.
  double over_select = 0;
  std::string availability_trace =
      {};  // a CSV of when clients are there, on the federation's clock; empty: none

  std::int64_t test_samples = 0;  // that the model is tested with after each round; 0: all there are

  std::int64_t hosts = 2;  // processes that clients live in; threads where the transport is "none"
  std::int64_t threads = 1;
  std::string transport = "gloo-tcp";
  double timeout_s = 60;
  std::uint64_t seed = 0;
  bool spans = false;
  std::string traceparent = {};
};

Json to_json(const Federation& federation);
Federation federation_from_json(const std::string& text, const std::string& file_name);

std::string breakage_text(Breakage how);
// "nan:client=3:round=2"; InputError.
BrokenClient broken_client_from(const std::string& text, const SourcePos& at);

// InputError, with a hint, for what can be known before anything starts.
void check_federation(const Federation& federation);

// The transport "none": clients and server are threads of one process.
bool is_one_process(const Federation& federation);
// Its processes as a trial's, for runners and transports: ranks [0, hosts) hold clients, the last one serves;
// or one that does both.
measure::Trial processes_of(const Federation& federation);

// Which clients attack: drawn from the seed. Nobody where there is no attack.
std::vector<bool> drawn_attackers(const Federation& federation);

// "none": nothing.
std::optional<robust::AttackChoice> attack_of(const Federation& federation);

}  // namespace sextant::federated
