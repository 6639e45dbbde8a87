#include <nlohmann/json.hpp>
#include <set>

#include "known_text.h"
#include "sextant/ask/measure.h"
#include "sextant/core/plugin_text.h"
#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"
#include "sextant/measure/training_strategy.h"
#include "sextant/measure/transport.h"

namespace sextant::ask {
namespace {

double bucket_mib(const std::string& text) {
  const SourcePos at = at_field("bucket_mb");
  const std::optional<double> size = to_number(text);
  if (!size || !(*size > 0) || *size > 1e6) {
    throw InputError(at, "'" + text + "' is not the size of a bucket",
                     "give a number of MiB above 0, as in `bucket_mb` 1,25");
  }
  return *size;
}

// Canonical text of a strategy, checked.
std::string canonical_strategy(const std::string& text) {
  const SourcePos at = at_field("strategy");
  const PluginText parts = split_plugin_text(text, at);
  const measure::TrainingStrategyInfo& info = measure::training_strategies().get(parts.id, at);
  return plugin_text(info, parameters_of(info, parts, at));
}

const measure::TrainingStrategyInfo& strategy_info(const std::string& text) {
  return measure::training_strategies().get(split_plugin_text(text).id);
}

// One value for what makes no difference; false: this combination does not exist.
bool settle_trial(measure::Trial& trial) {
  if (trial.strategy == "auto") trial.strategy = trial.workers == 1 ? "single" : "all-reduce";
  const measure::TrainingStrategyInfo& info = strategy_info(trial.strategy);
  if (!info.servers) trial.servers = 0;
  if (!info.distributed) {
    trial.transport = "none";
    trial.bucket_mb = measure::Trial{}.bucket_mb;
    trial.overlap = false;
  }
  return info.id != "single" || trial.workers == 1;
}

measure::Trial trial_in_common(const MeasureQuestion& question) {
  measure::Trial trial;
  trial.job.sizes = {1, question.image, question.seq, question.classes};
  trial.job.optimizer = jobs::parse_optimizer(question.optimizer, at_field("optimizer"));
  trial.learning_rate = question.learning_rate;
  trial.momentum = question.momentum;
  trial.overlap = !question.no_overlap;
  trial.data = question.data;
  trial.prefetch = question.prefetch;
  trial.iterations = question.iterations;
  trial.warmup = question.warmup;
  trial.epochs = question.epochs;
  trial.seed = question.seed;
  trial.spans = question.spans;
  trial.operators = question.operators;
  trial.timeout_s = parse_seconds(question.timeout, at_field("timeout")).value;
  refuse_unknown(question.on_failure, {"stop", "shrink"}, at_field("on_failure"));
  trial.on_failure = question.on_failure == "shrink" ? measure::OnFailure::shrink : measure::OnFailure::stop;
  trial.checkpoint_every = question.checkpoint_every;
  return trial;
}

using Trials = std::vector<measure::Trial>;

// Every trial once with each value.
template <class Values, class Set>
Trials each_with(const Trials& trials, const Values& values, Set set) {
  Trials product;
  for (const measure::Trial& trial : trials) {
    for (const auto& value : values) {
      product.push_back(trial);
      set(product.back(), value);
    }
  }
  return product;
}

}  // namespace

std::vector<measure::Trial> measure_trials(const MeasureQuestion& question) {
  std::vector<std::string> strategies;
  for (const std::string& text : question.strategy) {
    strategies.push_back(text == "auto" ? text : canonical_strategy(text));
  }
  Trials all = {trial_in_common(question)};
  all = each_with(all, question.net, [](measure::Trial& t, const std::string& net) { t.job.net = net; });
  all = each_with(all, question.batch,
                  [](measure::Trial& t, std::int64_t batch) { t.job.sizes.batch = batch; });
  all = each_with(all, strategies,
                  [](measure::Trial& t, const std::string& strategy) { t.strategy = strategy; });
  all =
      each_with(all, question.workers, [](measure::Trial& t, std::int64_t workers) { t.workers = workers; });
  all =
      each_with(all, question.servers, [](measure::Trial& t, std::int64_t servers) { t.servers = servers; });
  all = each_with(all, question.transport, [](measure::Trial& t, const std::string& id) {
    t.transport = measure::transports().get(id, at_field("transport")).id;
  });
  all = each_with(all, question.bucket_mb,
                  [](measure::Trial& t, const std::string& mib) { t.bucket_mb = bucket_mib(mib); });
  all =
      each_with(all, question.threads, [](measure::Trial& t, std::int64_t threads) { t.threads = threads; });
  Trials possible;
  std::set<std::string> seen;
  for (measure::Trial& trial : all) {
    if (settle_trial(trial) && seen.insert(to_json(trial).dump()).second)
      possible.push_back(std::move(trial));
  }
  if (possible.empty()) {
    throw InputError(at_field("strategy"), "strategy single has one worker",
                     "take mirrored, all-reduce or a parameter server for several");
  }
  return possible;
}

}  // namespace sextant::ask
