// Does training by many clients survive bad ones, and what does that cost? Lists are swept: every combination
// of them is a federation, and each is run with so many seeds.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sextant/ask/seed_mean.h"
#include "sextant/core/progress.h"
#include "sextant/core/provenance.h"
#include "sextant/federated/run_federation.h"

namespace sextant::ask {

struct FederateQuestion {
  std::string net = federated::Federation{}.net;
  std::optional<std::int64_t> image = {};
  std::optional<std::int64_t> classes = {};
  std::string data = federated::Federation{}.data;
  std::int64_t clients = federated::Federation{}.clients;
  std::int64_t rounds = federated::Federation{}.rounds;
  std::int64_t per_round = 0;  // 0: all
  std::vector<std::string> sampler = {"iid"};
  std::vector<std::string> strategy = {"fedavg"};
  std::int64_t batch = 32;
  double epochs = 1;
  std::int64_t local_steps = 0;
  double learning_rate = federated::Federation{}.learning_rate;
  double momentum = 0;

  std::vector<std::string> rule = {"mean"};
  std::vector<std::string> attack = {"none"};    // "alie", "alie:share=0.3"
  std::vector<std::string> attackers = {"0.2"};  // shares of the clients, for attacks that do not say theirs
  std::string attackers_hold = federated::Federation{}.attackers_hold;
  double worker_momentum = 0;
  std::vector<std::string> broken = {};

  std::string speed = federated::Federation{}.speed;
  std::string bandwidth = federated::Federation{}.bandwidth;
  double available = 1;
  double drop_out = 0;
  std::optional<std::string> deadline = {};
  double over_select = 0;
  std::optional<std::string> availability_trace = {};  // a CSV
  double target = 0.7;                                 // accuracy that rounds are counted to
  std::int64_t test_samples = 0;

  std::int64_t at_once = 1;  // federations that are run at the same time
  std::int64_t hosts = 2;
  std::int64_t threads = 1;
  std::string transport = "gloo-tcp";
  std::string runner = "auto";
  std::string timeout = "60s";
  std::optional<std::string> scratch = {};
  std::optional<std::string> wrapper = {};  // each process is started through it
  std::optional<std::string> folder = {};   // of one federation
  bool spans = false;                       // of one
  std::int64_t seeds = 1;
  std::uint64_t seed = 0;
};

// In the order of the members; without an attack there are no attackers. A rule that is to be told how many
// attackers there are and is not, is told the truth, as far as it can withstand them.
std::vector<federated::Federation> federations(const FederateQuestion& question);

// What a run came to.
struct FederatedScore {
  double accuracy = 0;  // after the last round
  double best_accuracy = 0;
  double least_recall = 0;  // of a class, after the last round
  double loss = 0;
  std::int64_t rounds = 0;
  double rounds_to_target = -1;  // -1: it was never reached
  double client_seconds_to_target = -1;
  double client_seconds = 0;  // of all rounds, at the clients' speeds
  double round_s = 0;         // medians of wall-clock time
  double rule_s = 0;
  double sent_bytes = 0;  // by the server, mean of a round
  double received_bytes = 0;
  double attack_success = -1;
  std::int64_t attacking = 0;  // updates of attackers that reached the rule
  std::int64_t honest = 0;     // and of the others
  std::int64_t flagged = 0;    // attackers' updates that the rule flagged
  std::int64_t falsely_flagged = 0;
  std::int64_t excluded = 0;                   // clients
  std::vector<double> accuracies = {};         // after each round
  std::vector<double> client_seconds_at = {};  // of each round
};
// What the rule made of a client.
struct ClientRecord {
  std::int64_t client = 0;
  bool attacks = false;
  std::int64_t answered = 0;  // rounds
  std::int64_t flagged = 0;
  [[nodiscard]] bool suspect() const { return flagged > 0 && 2 * flagged >= answered; }
};
// Of those that ever answered, rising.
std::vector<ClientRecord> client_records(const std::vector<federated::RoundNote>& rounds);

FederatedScore score_of(const std::vector<federated::RoundNote>& rounds, double target);

struct FederatedRun {
  federated::Federation federation;
  FederatedScore score;
  federated::FederationOutcome outcome;  // without rounds where the run was recorded before
  bool recorded = false;
};

struct FederateAnswer {
  std::vector<FederatedRun> runs;
  std::vector<std::string> warnings = {};
  double target = 0;
  bool interrupted = false;
};

struct FederateOptions {
  std::optional<std::string> db =
      {};  // runs that are recorded there are not made again; new ones are appended
  std::string command_line = {};
  std::function<bool()> interrupted = {};
};
FederateAnswer federate(const FederateQuestion& question, Progress& progress, const FederateOptions& options);

// Runs that differ in their seed alone.
struct FederatedCell {
  std::vector<const FederatedRun*> runs;
  SeedMean accuracy;
  std::optional<double> clean_accuracy = {};  // the mean rule without an attack, if that was run too
  std::optional<double> clean_rule_s = {};
};
std::vector<FederatedCell> cells_of(const std::vector<FederatedRun>& runs);

// A rule as people compare them: without the number of attackers that it was told.
std::string rule_name(const federated::Federation& federation);

// Where more and more clients attack: the first share at which the model is hardly better than guessing,
// which is an accuracy of at most 1.5 / classes.
struct BreakPoint {
  std::vector<const FederatedCell*> cells;  // of rising shares, two at least
  double chance = 0;                        // what counts as guessing
  std::optional<double> share = {};         // nothing: at none of them
};
std::vector<BreakPoint> break_points(const std::vector<FederatedCell>& cells);

// Records "federated-run" and "federated-round".
void append_federated_run(const std::string& db, const FederatedRun& run, const Provenance& from);
std::optional<FederatedScore> recorded_score(const std::string& db, const federated::Federation& federation,
                                             double target);
// The target as a number of rounds, and of seconds at the clients' speeds.
void reach_target(double target, FederatedScore& score);

}  // namespace sextant::ask
