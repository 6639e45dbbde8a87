#include "sextant/federated/federation.h"

#include <cmath>
#include <numeric>

#include "sextant/core/plugin_text.h"
#include "sextant/federated/availability_trace.h"
#include "sextant/federated/population.h"
#include "sextant/federated/sampler.h"
#include "sextant/federated/strategy.h"
#include "sextant/robust/rule.h"

namespace sextant::federated {
namespace {

void require(bool holds, const char* field, const std::string& what, const std::string& hint = {}) {
  if (!holds) throw InputError(at_field(field), what, hint);
}

bool is_share(double value) {
  return value >= 0 && value <= 1;
}

// Clients that the federation does not have are a mistake, or a longer trace than was meant.
void check_trace(const Federation& f) {
  const AvailabilityTrace trace = AvailabilityTrace::read(f.availability_trace);
  require(trace.clients() <= f.clients, "availability_trace",
          f.availability_trace + " has client " + std::to_string(trace.clients() - 1) +
              ", and the federation has " + std::to_string(f.clients) + " clients",
          "clients are counted from 0: raise `clients`, or leave lines out of the trace");
}

void check_clients(const Federation& f) {
  require(f.clients >= 1 && f.clients <= kMostClients, "clients",
          "a federation has between 1 and " + std::to_string(kMostClients) + " clients");
  require(f.hosts >= 1 && f.hosts <= f.clients, "hosts",
          std::to_string(f.hosts) + " processes for " + std::to_string(f.clients) + " clients",
          "at least one process, and no more than clients");
  require(f.per_round >= 0 && f.per_round <= f.clients, "per_round",
          std::to_string(f.per_round) + " clients cannot be chosen among " + std::to_string(f.clients));
  require(is_share(f.available) && f.available > 0, "available", "the probability is not between 0 and 1");
  require(is_share(f.drop_out) && f.drop_out < 1, "drop_out", "the probability is not between 0 and 1");
  require(std::isfinite(f.deadline_s) && f.deadline_s >= 0, "deadline", "the deadline is negative");
  require(std::isfinite(f.over_select) && f.over_select >= 0, "over_select", "the share is negative");
  require(f.over_select == 0 || f.per_round > 0, "over_select", "more than all clients cannot be chosen",
          "say with `per_round` how many updates a round needs");
  for (const BrokenClient& broken : f.broken) {
    require(broken.client < f.clients, "broken",
            "there is no client " + std::to_string(broken.client) + " among " + std::to_string(f.clients),
            "clients are counted from 0");
  }
  drawn_traits(f);  // refuses what is no distribution
  if (!f.availability_trace.empty()) check_trace(f);
}

void check_training(const Federation& f) {
  require(nets::find_network(f.net, at_field("net")).input == nets::InputKind::image, "net",
          "network '" + f.net + "' does not read images", "take flanders-mlp or lenet5");
  require(f.rounds >= 1, "rounds", "nothing would be trained");
  require(f.local_steps >= 0, "local_steps", "the number of steps is negative");
  require(std::isfinite(f.epochs) && f.epochs > 0, "epochs", "nothing would be trained");
  require(std::isfinite(f.learning_rate) && f.learning_rate >= 0, "learning_rate",
          "the learning rate is negative or no number");
  require(f.momentum >= 0 && f.momentum < 1, "momentum", "the momentum is not between 0 and 1");
  require(f.worker_momentum >= 0 && f.worker_momentum < 1, "worker_momentum",
          "the momentum is not between 0 and 1");
  const SourcePos sampler = at_field("sampler");
  const PluginText text = split_plugin_text(f.sampler, sampler);
  parameters_of(samplers().get(text.id, sampler), text, sampler);
  make_strategy(f, 0);
}

}  // namespace

std::optional<robust::AttackChoice> attack_of(const Federation& federation) {
  if (federation.attack == "none") return {};
  return robust::parse_attack(federation.attack, at_field("attack"));
}

void check_federation(const Federation& federation) {
  check_clients(federation);
  check_training(federation);
  require(is_share(federation.attackers) && federation.attackers < 1, "attackers",
          "the share of attackers is not between 0 and 1");
  require(attack_of(federation).has_value() || federation.attackers == 0, "attack",
          "there are attackers, and no attack", "`attack` says what they do: alie, sign-flip");
  require(federation.attackers_hold == "share" || federation.attackers_hold == "iid", "attackers_hold",
          "attackers cannot hold '" + federation.attackers_hold + "'",
          "share: their part, as everybody; iid: a sample of all data");
  require(federation.test_samples >= 0, "test_samples", "the number of samples is negative");
  const robust::RuleChoice rule = robust::parse_rule(federation.rule, at_field("rule"));
  const std::int64_t updates = federation.per_round > 0 ? federation.per_round : federation.clients;
  robust::check_enough(rule, static_cast<std::size_t>(updates), at_field("rule"));
}

bool is_one_process(const Federation& federation) {
  return federation.transport == "none";
}

measure::Trial processes_of(const Federation& federation) {
  measure::Trial trial;
  trial.job.net = federation.net;
  trial.job.sizes = federation.sizes;
  trial.job.optimizer = jobs::Optimizer::sgd;
  trial.learning_rate = federation.learning_rate;
  const bool one = is_one_process(federation);
  trial.strategy = one ? "single" : "ps-sync";  // its layout: workers, then a server
  trial.workers = one ? 1 : federation.hosts;
  trial.servers = one ? 0 : 1;
  trial.transport = federation.transport;
  trial.threads = federation.threads;
  trial.data = federation.data;
  trial.seed = federation.seed;
  trial.timeout_s = federation.timeout_s;
  trial.spans = federation.spans;
  trial.traceparent = federation.traceparent;
  return trial;
}

std::vector<bool> drawn_attackers(const Federation& federation) {
  std::vector<bool> attacks(static_cast<std::size_t>(federation.clients));
  if (!attack_of(federation)) return attacks;
  std::vector<std::int64_t> all(attacks.size());
  std::iota(all.begin(), all.end(), 0);
  const auto wanted = std::llround(federation.attackers * static_cast<double>(federation.clients));
  Rng rng = Rng(federation.seed).stream("attackers");
  for (const std::int64_t client : drawn_clients(all, wanted, rng))
    attacks[static_cast<std::size_t>(client)] = true;
  return attacks;
}

}  // namespace sextant::federated
