#include "ps_defence.h"

namespace sextant::measure {
namespace {

robust::RuleChoice rule_or_mean(const PsDefence& defence) {
  return defence.rule ? *defence.rule : robust::parse_rule("mean");
}

}  // namespace

std::vector<ParameterInfo> defence_parameters() {
  return {text_parameter("rule", "that makes one gradient of all: krum/f=0.2; without one the mean"),
          text_parameter("attack", "what attackers do: alie/z=1.5; without one nobody attacks"),
          count_parameter("attackers", "workers that attack, the last ones",
                          {.fallback = 1, .low = 1, .high = 1e6}),
          share_parameter("worker-momentum", "workers send m = beta m + (1 - beta) g; 0: g",
                          {.fallback = 0, .low = 0, .high = 0.9999})};
}

PsDefence ps_defence(const Trial& trial, const Parameters& parameters) {
  const SourcePos at = at_field("strategy");
  PsDefence defence{.worker_momentum = parameters.share("worker-momentum")};
  if (!parameters.text("rule").empty()) {
    defence.rule = robust::parse_rule(parameters.text("rule"), at);
    robust::check_enough(*defence.rule, static_cast<std::size_t>(trial.workers), at);
  }
  if (parameters.text("attack").empty()) return defence;
  defence.attack = robust::parse_attack(parameters.text("attack"), at);
  robust::make_attack(*defence.attack);  // what its parameters contradict is said here
  defence.attackers = parameters.count("attackers");
  if (defence.attackers >= trial.workers) {
    throw InputError(at,
                     std::to_string(defence.attackers) + " attackers among " + std::to_string(trial.workers) +
                         " workers leave nobody honest",
                     "have more workers, or fewer attackers");
  }
  return defence;
}

PsRound::PsRound(const StrategySetup& setup, const PsDefence& defence)
    : workers_(setup.trial.workers),
      attackers_(defence.attack ? defence.attackers : 0),
      rng_(Rng(setup.trial.seed).stream("attack on server", static_cast<std::uint64_t>(setup.rank))),
      attack_(defence.attack ? robust::make_attack(*defence.attack, setup.trial.seed) : nullptr),
      aggregator_(rule_or_mean(defence),
                  {.threads = static_cast<std::size_t>(setup.trial.threads), .seed = setup.trial.seed}) {}

const std::vector<float>& PsRound::aggregate(const std::vector<std::vector<float>>& rows,
                                             std::int64_t iteration) {
  const auto honest_count = static_cast<std::size_t>(workers_ - attackers_);
  robust::Updates all{.dimension = rows.front().size()};
  robust::Updates honest{.dimension = all.dimension};
  robust::Updates own{.dimension = all.dimension};
  std::vector<std::vector<float>> forged;
  for (std::size_t w = 0; w < rows.size(); ++w) {
    const robust::Update update{.values = rows[w], .client = static_cast<std::int64_t>(w)};
    if (w < honest_count) {
      honest.rows.push_back(update);
    } else {
      own.rows.push_back(update);
      forged.push_back(rows[w]);
    }
  }
  if (attack_ != nullptr) {
    attack_->forge({.own = own,
                    .honest = honest,
                    .last_change = last_,
                    .participants = rows.size(),
                    .round = iteration,
                    .rng = rng_.stream("round", static_cast<std::uint64_t>(iteration))},
                   forged);
  }
  all.rows = honest.rows;
  for (std::size_t i = 0; i < forged.size(); ++i) {
    all.rows.push_back({.values = forged[i], .client = own.rows[i].client});
  }
  last_ = aggregator_.aggregate(all, iteration).values;
  return last_;
}

PoisonedBatches::PoisonedBatches(const StrategySetup& setup, const PsDefence& defence)
    : kind_(setup.samples),
      rng_(Rng(setup.trial.seed).stream("poison", static_cast<std::uint64_t>(setup.rank))) {
  if (!defence.attacks(setup.rank, setup.trial.workers) || !defence.attack->attack->poisons) return;
  if (kind_.classes == 0) {
    throw InputError(at_field("strategy"),
                     "attack '" + defence.attack->attack->id +
                         "' poisons images and their labels, and this network reads drawn input",
                     "take an attack that forges what workers send, as sign-flip");
  }
  attack_ = robust::make_attack(*defence.attack, setup.trial.seed);
}

const input::Batch& PoisonedBatches::next(std::int64_t iteration, const input::Batch& batch) {
  if (attack_ == nullptr) return batch;
  poisoned_ = batch;
  Rng rng = rng_.stream("batch", static_cast<std::uint64_t>(iteration));
  attack_->poison({.values = poisoned_.values,
                   .labels = poisoned_.labels,
                   .channels = kind_.shape.channels,
                   .height = kind_.shape.height,
                   .width = kind_.shape.width,
                   .classes = kind_.classes},
                  rng);
  return poisoned_;
}

}  // namespace sextant::measure
