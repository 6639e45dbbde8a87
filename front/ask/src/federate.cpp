#include "sextant/ask/federate.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "sextant/core/plugin_text.h"
#include "sextant/core/run_list.h"
#include "sextant/core/unit_text.h"
#include "sextant/measure/shell_words.h"
#include "sextant/measure/transport.h"
#include "sextant/robust/rule.h"

namespace sextant::ask {
namespace {

using federated::Federation;
using federated::RoundNote;

double attackers_share(const std::string& text, const SourcePos& at) {
  const std::optional<double> share = to_number(text);
  if (!share || !(*share >= 0 && *share < 1)) {
    throw InputError(at, "'" + text + "' is no share of attackers", "a number from 0 up to 1, as in 0.2");
  }
  return *share;
}

// "alie:share=0.3:z=1" gives its own share.
void set_attack(Federation& federation, const std::string& text, const std::string& share) {
  const SourcePos at = at_field("attack");
  if (text == "none") {
    federation.attack = text;
    federation.attackers = 0;
    federation.attackers_hold = Federation{}.attackers_hold;
    return;
  }
  const PluginText parts = split_plugin_text(text, at);
  std::string rest = parts.id;
  federation.attackers = attackers_share(share, at_field("attackers"));
  for (const auto& [name, value] : parts.settings) {
    if (name == "share") {
      federation.attackers = attackers_share(value, at);
    } else {
      rest += ":" + name + "=" + value;
    }
  }
  federation.attack = to_string(robust::parse_attack(rest, at));
}

// The largest share of attackers that the rule withstands where all updates come; written briefly if
// possible.
double most_of_a_full_round(const Federation& federation, const robust::RuleChoice& choice) {
  const std::int64_t updates = federation.per_round > 0 ? federation.per_round : federation.clients;
  const auto n = static_cast<double>(std::max<std::int64_t>(updates, 1));
  const auto most = static_cast<double>(robust::most_attackers(choice, static_cast<std::size_t>(updates)));
  const double brief = std::ceil(1000 * most / n - 1e-9) / 1000;
  return std::floor(brief * n + 1e-9) > most ? most / n : brief;
}

// A share and no count, for not all that are chosen need answer.
void set_rule(Federation& federation, const std::string& text) {
  const SourcePos at = at_field("rule");
  robust::RuleChoice choice = robust::parse_rule(text, at);
  const auto& parameters = choice.rule->parameters;
  const bool counts = std::ranges::find(parameters, "f", &ParameterInfo::name) != parameters.end();
  const bool said = text.find(":f=") != std::string::npos || text.find("/f=") != std::string::npos;
  if (counts && !said && federation.attackers > 0) {
    const auto clients = static_cast<double>(std::max<std::int64_t>(federation.clients, 1));
    const double share = std::round(federation.attackers * clients) / clients;
    choice.parameters.set("f", std::min(share, most_of_a_full_round(federation, choice)));
  }
  federation.rule = to_string(choice);
}

Federation federation_in_common(const FederateQuestion& question) {
  Federation f;
  f.net = nets::find_network(question.net, at_field("net")).id;
  f.sizes = {.batch = question.batch, .image = question.image, .classes = question.classes};
  f.data = question.data;
  f.clients = question.clients;
  f.rounds = question.rounds;
  f.per_round = question.per_round;
  f.epochs = question.epochs;
  f.local_steps = question.local_steps;
  f.learning_rate = question.learning_rate;
  f.momentum = question.momentum;
  f.worker_momentum = question.worker_momentum;
  f.attackers_hold = question.attackers_hold;
  f.test_samples = question.test_samples;
  for (const std::string& text : question.broken) {
    f.broken.push_back(federated::broken_client_from(text, at_field("broken")));
  }
  f.speed = question.speed;
  f.bandwidth = question.bandwidth;
  f.available = question.available;
  f.drop_out = question.drop_out;
  if (question.deadline) f.deadline_s = parse_seconds(*question.deadline, at_field("deadline")).value;
  f.over_select = question.over_select;
  // Processes on other nodes read it too, from folders of their own.
  if (question.availability_trace)
    f.availability_trace = std::filesystem::absolute(*question.availability_trace).string();
  f.hosts = std::min(question.hosts, question.clients);
  f.threads = question.threads;
  f.transport = measure::transports().get(question.transport, at_field("transport")).id;
  f.timeout_s = parse_seconds(question.timeout, at_field("timeout")).value;
  f.spans = question.spans;
  return f;
}

std::string name_of(const Federation& f) {
  return f.rule + " under " + (f.attack == "none" ? "no attack" : f.attack) + ", seed " +
         std::to_string(f.seed);
}

std::string failure_text(const measure::Failure& failure, const Federation& f) {
  const std::string who = is_one_process(f)         ? "the process"
                          : failure.rank < 0        ? "the launcher"
                          : failure.rank == f.hosts ? "the server"
                                                    : "host " + std::to_string(failure.rank);
  return name_of(f) + ": " + who + " was lost after round " + std::to_string(failure.iteration) + " (" +
         failure.what + ")" +
         (failure.resumed_from < 0
              ? ", and the run stopped"
              : ", and the run went on from round " + std::to_string(failure.resumed_from));
}

class Sweep {
 public:
  Sweep(const FederateQuestion& question, Progress& progress, const FederateOptions& options)
      : question_(question), progress_(progress), options_(options), all_(federations(question)) {
    if (all_.size() > 1 && (question.folder || question.spans)) {
      throw InputError(at_field(question.folder ? "folder" : "spans"),
                       "this is for one federation, and there are " + std::to_string(all_.size()),
                       "give one value to each option");
    }
    for (const Federation& f : all_) check_federation(f);
  }

  FederateAnswer run() {
    made_.resize(all_.size());
    rounds_.resize(all_.size());
    NoProgress unsaid;  // rounds are told, not runs
    work_through(
        {.runs = all_.size(),
         .threads = static_cast<std::size_t>(std::max<std::int64_t>(question_.at_once, 1)),
         .stop = {.abandon =
                      [this] { return interrupted_ || (options_.interrupted && options_.interrupted()); }},
         .run = [this](std::size_t index) { one(index); }},
        unsaid);
    FederateAnswer answer{.runs = {}, .warnings = {}, .target = question_.target};
    for (std::optional<Made>& made : made_) {
      if (!made) continue;
      answer.runs.push_back(std::move(made->run));
      answer.warnings.insert(answer.warnings.end(), made->warnings.begin(), made->warnings.end());
    }
    answer.interrupted = interrupted_ || answer.runs.size() < all_.size();
    return answer;
  }

 private:
  struct Made {
    FederatedRun run;
    std::vector<std::string> warnings = {};
  };

  void one(std::size_t index) {
    Made made{.run = {.federation = all_[index], .score = {}, .outcome = {}}};
    FederatedRun& run = made.run;
    if (recorded(run)) {
      made_[index] = std::move(made);
      return;
    }
    run.outcome = run_federation(run.federation, run_options(index, run.federation));
    run.score = score_of(run.outcome.rounds, question_.target);
    warn_of(run, made.warnings);
    if (run.outcome.interrupted) interrupted_ = true;
    if (options_.db && run.outcome.completed) {
      const std::lock_guard lock(mutex_);
      append_federated_run(*options_.db, run, provenance_now(options_.command_line, run.federation.seed));
    }
    made_[index] = std::move(made);
  }

  bool recorded(FederatedRun& run) {
    if (!options_.db) return false;
    const std::lock_guard lock(mutex_);
    const auto known = recorded_score(*options_.db, run.federation, question_.target);
    if (!known) return false;
    run.score = *known;
    run.recorded = run.outcome.completed = true;
    return true;
  }

  static void warn_of(const FederatedRun& run, std::vector<std::string>& warnings) {
    for (const measure::Failure& failure : run.outcome.failures) {
      warnings.push_back(failure_text(failure, run.federation));
    }
    for (const RoundNote& note : run.outcome.rounds) {
      if (note.diverged) {
        warnings.push_back(
            name_of(run.federation) + ": the model diverged in round " + std::to_string(note.round) +
            ", where no client had numbers left to send; the answer is of the model before it");
      }
      for (const federated::Exclusion& one : note.excluded) {
        warnings.push_back(name_of(run.federation) + ": client " + std::to_string(one.client) +
                           " was excluded from round " + std::to_string(note.round) + " on, because it " +
                           one.reason);
      }
    }
  }

  federated::RunOptions run_options(std::size_t index, const Federation& f) {
    federated::RunOptions options;
    options.runner = question_.runner;
    if (question_.scratch) options.scratch = *question_.scratch;
    if (question_.wrapper)
      options.wrapper = measure::split_shell_words(*question_.wrapper, at_field("wrapper"));
    if (question_.folder) options.folder = *question_.folder;
    if (options_.interrupted) options.interrupted = options_.interrupted;
    options.progress = [this, index, &f](const RoundNote& note) {
      const auto total = static_cast<std::int64_t>(all_.size()) * f.rounds;
      std::string text = all_.size() > 1 ? name_of(f) + ", " : "";
      text += "round " + std::to_string(note.round) + " of " + std::to_string(f.rounds) + ", accuracy " +
              number_text(std::round(1000 * note.test.accuracy()) / 10) + " %";
      const std::lock_guard lock(mutex_);
      rounds_[index] = note.round;
      progress_.step(std::accumulate(rounds_.begin(), rounds_.end(), std::int64_t{0}), total, text);
    };
    return options;
  }

  const FederateQuestion& question_;
  Progress& progress_;
  const FederateOptions& options_;
  std::vector<Federation> all_;
  std::vector<std::optional<Made>> made_;
  std::vector<std::int64_t> rounds_;  // of each federation, that were made here
  std::mutex mutex_;                  // of the file of records, and of what is told
  std::atomic<bool> interrupted_ = false;
};

}  // namespace

std::vector<Federation> federations(const FederateQuestion& question) {
  if (question.seeds < 1) throw InputError(at_field("seeds"), "nothing would be run");
  std::vector<Federation> all;
  std::set<std::string> seen;
  const auto add = [&](Federation f) {
    for (std::int64_t k = 0; k < question.seeds; ++k) {
      f.seed = question.seed + static_cast<std::uint64_t>(k);
      if (seen.insert(to_json(f).dump()).second) all.push_back(f);
    }
  };
  for (const std::string& sampler : question.sampler) {
    for (const std::string& strategy : question.strategy) {
      for (const std::string& attack : question.attack) {
        for (const std::string& share : question.attackers) {
          for (const std::string& rule : question.rule) {
            Federation f = federation_in_common(question);
            f.sampler = sampler;
            f.strategy = strategy;
            set_attack(f, attack, share);
            set_rule(f, rule);
            add(f);
          }
        }
      }
    }
  }
  return all;
}

FederateAnswer federate(const FederateQuestion& question, Progress& progress,
                        const FederateOptions& options) {
  return Sweep(question, progress, options).run();
}

}  // namespace sextant::ask
