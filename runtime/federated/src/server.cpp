#include "sextant/federated/server.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <thread>

#include "participation.h"
#include "round_collector.h"
#include "server_state.h"
#include "sextant/core/csv.h"
#include "sextant/core/error.h"
#include "sextant/federated/client_host.h"
#include "sextant/measure/checkpoint.h"
#include "sextant/measure/clock.h"
#include "sextant/robust/attack.h"

namespace sextant::federated {
namespace {

std::vector<std::int64_t> share_sizes(const Shares& shares) {
  std::vector<std::int64_t> sizes;
  for (const auto& share : shares) sizes.push_back(std::ssize(share));
  return sizes;
}

// Hosts wait while the rule is at work, so their cores are free for it. What it gives does not depend on
// this.
std::size_t server_threads(const Federation& federation) {
  const std::int64_t here = std::max<std::int64_t>(std::thread::hardware_concurrency(), 1);
  return static_cast<std::size_t>(std::clamp(federation.hosts * federation.threads, std::int64_t{1}, here));
}

double seconds_of(std::int64_t start, std::int64_t end) {
  return static_cast<double>(end - start) * 1e-9;
}

class Server {
 public:
  explicit Server(const ServerSetup& setup)
      : setup_(setup),
        federation_(setup.federation),
        sizes_(share_sizes(setup.data.shares)),
        attacks_(drawn_attackers(setup.federation)),
        attack_choice_(attack_of(federation_)),
        attack_(attack_choice_ ? robust::make_attack(*attack_choice_, federation_.seed) : nullptr),
        parameters_(setup.model.parameters().size()),
        model_(parameters_ + setup.model.statistics().size()),
        strategy_(make_strategy(federation_, parameters_)),
        participation_(federation_, sizes_, static_cast<double>(model_.size()) * sizeof(float)),
        aggregator_(robust::parse_rule(federation_.rule, at_field("rule")),
                    {.threads = server_threads(federation_), .seed = federation_.seed}),
        collector_({.federation = federation_,
                    .samples = sizes_,
                    .checksum = share_checksum(setup.data.shares),
                    .values = model_.size(),
                    .transport = setup.transport,
                    .beat = setup.beat}) {
    std::ranges::copy(setup_.model.parameters(), model_.begin());
    std::ranges::copy(setup_.model.statistics(), model_.begin() + static_cast<std::ptrdiff_t>(parameters_));
  }

  std::vector<RoundNote> run() {
    resume();
    collector_.greet();
    for (std::int64_t round = std::ssize(rounds_) + 1; !is_over(rounds_, federation_); ++round) {
      rounds_.push_back(one(round));
      save(round);
      setup_.finished(round);
    }
    collector_.say_goodbye();
    return std::move(rounds_);
  }

 private:
  void resume() {
    if (!std::filesystem::exists(setup_.state.checkpoint_file())) return;
    const measure::TrainingCheckpoint checkpoint = measure::read_checkpoint(setup_.state.checkpoint_file());
    ServerState state = this->state();
    unpack(checkpoint, federation_.worker_momentum, state);
    model_ = std::move(state.model);
    last_change_ = std::move(state.last_change);
    rounds_ = read_rounds(setup_.state, checkpoint.iteration);
    if (std::ssize(rounds_) != checkpoint.iteration) throw InputError("the checkpoint has lost its rounds");
    for (const RoundNote& note : rounds_) {
      for (const Exclusion& one : note.excluded) excluded_.insert(one.client);
    }
    setup_.finished(checkpoint.iteration);
  }

  // The rounds first: where only they were written, the last one is made again.
  void save(std::int64_t round) {
    measure::write_file_atomically(rounds_file(setup_.state), rounds_text(rounds_));
    measure::write_checkpoint(setup_.state.checkpoint_file(), pack(state(), round));
  }

  [[nodiscard]] ServerState state() {
    return {.model = model_,
            .last_change = last_change_,
            .strategy = *strategy_,
            .aggregator = aggregator_,
            .momenta = momenta_};
  }

  RoundNote one(std::int64_t round) {
    const std::int64_t start = measure::monotonic_ns();
    RoundNote note{.round = round};
    const RoundTask task = choose(note);
    const double before = setup_.transport.bytes().payload;
    CollectedRound collected = collector_.collect(task, model_);
    const std::int64_t answered = measure::monotonic_ns();
    note.sent_bytes = setup_.transport.bytes().payload - before;
    note.received_bytes = collected.received_bytes;
    note.excluded = collected.excluded;
    note.diverged = collected.diverged;
    for (const Exclusion& one : collected.excluded) excluded_.insert(one.client);
    describe(collected, note);
    prepare(collected);
    const std::int64_t prepared = measure::monotonic_ns();
    forge(collected, round);
    const std::int64_t forged = measure::monotonic_ns();
    aggregate(collected, note);
    const std::int64_t decided = measure::monotonic_ns();
    test(note);
    const std::int64_t end = measure::monotonic_ns();
    note.seconds = {.clients = seconds_of(start, answered),
                    .rule = seconds_of(answered, prepared) + seconds_of(forged, decided),
                    .evaluation = seconds_of(decided, end),
                    .total = seconds_of(start, end) - seconds_of(prepared, forged)};
    if (setup_.spans != nullptr) {
      setup_.spans->add({.name = "iteration", .start = start, .end = end, .iteration = round});
      setup_.spans->add({.name = "clients", .start = start, .end = answered, .iteration = round});
      setup_.spans->add({.name = "rule", .start = forged, .end = decided, .iteration = round});
      setup_.spans->add({.name = "evaluation", .start = decided, .end = end, .iteration = round});
    }
    return note;
  }

  // Who drops out or would answer too late is known from the seed, so it need not train here.
  RoundTask choose(RoundNote& note) {
    double clock_s = 0;
    for (const RoundNote& before : rounds_) clock_s += before.client_seconds;
    const Participants participants = participation_.choose(*strategy_, excluded_, note.round, clock_s);
    ExpectedRound expected = participation_.expect(participants);
    note.chosen = participants.chosen;
    note.late = std::move(expected.late);
    note.dropped = std::move(expected.dropped);
    note.client_seconds = expected.seconds;
    return {.round = note.round, .clients = std::move(expected.answering), .proximal = strategy_->proximal()};
  }

  void describe(const CollectedRound& collected, RoundNote& note) const {
    double samples = 0;
    for (const auto& [client, update] : collected.updates) {
      note.answered.push_back(client);
      note.train_seconds += update.note.seconds;
      if (attacks_[static_cast<std::size_t>(client)]) {
        note.attacking.push_back(client);
        continue;
      }
      samples += static_cast<double>(update.note.samples);
      note.train_loss += update.note.loss * static_cast<double>(update.note.samples);
    }
    note.train_loss /= std::max(samples, 1.0);
    if (note.diverged) note.train_loss = std::numeric_limits<double>::quiet_NaN();
  }

  // Momentum over rounds, and what the strategy makes of a client's steps.
  void prepare(CollectedRound& collected) {
    std::vector<UpdateNote> notes;
    for (const auto& [client, update] : collected.updates) notes.push_back(update.note);
    if (notes.empty()) return;
    const std::vector<double> factors = strategy_->scale(notes);
    std::size_t place = 0;
    for (auto& [client, update] : collected.updates) {
      smooth(client, update.values);
      const auto factor = static_cast<float>(factors[place++]);
      if (factor == 1) continue;
      for (float& value : std::span(update.values).first(parameters_)) value *= factor;
    }
  }

  // Attackers know of each other and, where the attack says so, of what honest clients send: an assumption of
  // the attacks' authors that is made true here, where all updates are. What they forge is what the rule
  // sees.
  void forge(CollectedRound& collected, std::int64_t round) {
    if (!attack_choice_ || !attack_choice_->attack->forges) return;
    robust::Updates own{.dimension = model_.size()};
    robust::Updates honest{.dimension = model_.size()};
    std::vector<std::int64_t> forgers;
    for (const auto& [client, update] : collected.updates) {
      const robust::Update row{
          .values = update.values, .client = client, .weight = static_cast<double>(update.note.samples)};
      const bool attacks = attacks_[static_cast<std::size_t>(client)];
      if (attacks) forgers.push_back(client);
      if (attacks || attack_choice_->attack->omniscient) (attacks ? own : honest).rows.push_back(row);
    }
    if (forgers.empty()) return;
    std::vector<std::vector<float>> out;
    for (const std::int64_t client : forgers) out.push_back(collected.updates[client].values);
    attack_->forge({.own = own,
                    .honest = honest,
                    .last_change = last_change_,
                    .participants = collected.updates.size(),
                    .round = round,
                    .rng = Rng(federation_.seed).stream("attack", static_cast<std::uint64_t>(round))},
                   out);
    for (std::size_t i = 0; i < forgers.size(); ++i) collected.updates[forgers[i]].values = std::move(out[i]);
  }

  void aggregate(const CollectedRound& collected, RoundNote& note) {
    if (collected.updates.empty()) return;
    robust::Updates updates{.dimension = model_.size()};
    for (const auto& [client, update] : collected.updates) {
      updates.rows.push_back(
          {.values = update.values, .client = client, .weight = static_cast<double>(update.note.samples)});
    }
    robust::RoundResult result = aggregator_.aggregate(updates, note.round);
    for (std::size_t i = 0; i < updates.size(); ++i) {
      if (result.verdicts[i].flagged) note.flagged.push_back(updates.rows[i].client);
    }
    last_change_ = model_;
    const std::span<const float> aggregate(result.values);
    strategy_->apply(std::span(model_).first(parameters_), aggregate.first(parameters_));
    for (std::size_t i = parameters_; i < model_.size(); ++i) model_[i] += aggregate[i];
    for (std::size_t i = 0; i < model_.size(); ++i) last_change_[i] = model_[i] - last_change_[i];
  }

  void smooth(std::int64_t client, std::span<float> update) {
    if (federation_.worker_momentum <= 0) return;
    const auto momentum = momenta_.try_emplace(client, federation_.worker_momentum).first;
    momentum->second.apply(update);
  }

  void test(RoundNote& note) {
    std::ranges::copy(std::span(model_).first(parameters_), setup_.model.parameters().begin());
    std::ranges::copy(std::span(model_).subspan(parameters_), setup_.model.statistics().begin());
    note.test = evaluate(setup_.model, setup_.test, setup_.data.classes);
    setup_.beat();
    if (note.round == federation_.rounds || note.diverged) note.attack_success = attack_success();
  }

  // The share of the posed samples that the model takes for what the attack wants; -1 where it wants nothing.
  double attack_success() {
    if (!attack_) return -1;
    Samples posed = setup_.test;
    const input::SampleShape shape = setup_.data.train->shape();
    attack_->pose({.values = posed.values,
                   .labels = posed.labels,
                   .channels = shape.channels,
                   .height = shape.height,
                   .width = shape.width,
                   .classes = setup_.data.classes});
    Samples wanted{.width = posed.width};
    for (std::int64_t i = 0; i < posed.count(); ++i) {
      if (posed.labels[static_cast<std::size_t>(i)] == robust::kNotAttacked) continue;
      const auto sample = posed.sample(i);
      wanted.values.insert(wanted.values.end(), sample.begin(), sample.end());
      wanted.labels.push_back(posed.labels[static_cast<std::size_t>(i)]);
    }
    if (wanted.labels.empty()) return -1;
    return evaluate(setup_.model, wanted, setup_.data.classes).accuracy();
  }

  const ServerSetup& setup_;
  const Federation& federation_;
  std::vector<std::int64_t> sizes_;
  std::vector<bool> attacks_;
  std::optional<robust::AttackChoice> attack_choice_;
  std::unique_ptr<robust::Attack> attack_;
  std::size_t parameters_;
  std::vector<float> model_;  // parameters, then statistics
  std::unique_ptr<FederatedStrategy> strategy_;
  Participation participation_;
  robust::Aggregator aggregator_;
  RoundCollector collector_;
  std::vector<float> last_change_;
  std::map<std::int64_t, robust::WorkerMomentum> momenta_;
  std::set<std::int64_t> excluded_;
  std::vector<RoundNote> rounds_;
};

}  // namespace

std::vector<RoundNote> run_server(const ServerSetup& setup) {
  return Server(setup).run();
}

bool is_over(const std::vector<RoundNote>& rounds, const Federation& federation) {
  return std::ssize(rounds) >= federation.rounds || (!rounds.empty() && rounds.back().diverged);
}

measure::RunFolder state_of(const measure::RunFolder& folder) {
  return measure::RunFolder(folder.path() / "state");
}

std::filesystem::path rounds_file(const measure::RunFolder& folder) {
  return folder.path() / "rounds.json";
}

std::filesystem::path federation_file(const measure::RunFolder& folder) {
  return folder.path() / "federation.json";
}

std::vector<RoundNote> read_rounds(const measure::RunFolder& folder, std::int64_t last) {
  const std::filesystem::path file = rounds_file(folder);
  if (!std::filesystem::exists(file)) return {};
  std::vector<RoundNote> rounds = rounds_from_json(read_text_file(file.string()), file.string());
  if (std::ssize(rounds) > last) rounds.resize(static_cast<std::size_t>(last));
  return rounds;
}

}  // namespace sextant::federated
