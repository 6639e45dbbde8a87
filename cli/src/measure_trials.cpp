#include <nlohmann/json.hpp>
#include <set>

#include "measure_args.h"
#include "sextant/core/plugin_text.h"
#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"
#include "sextant/measure/training_strategy.h"
#include "sextant/measure/transport.h"

namespace sextant {
namespace {

double bucket_size(const std::string& text) {
  const SourcePos at{"--bucket-mb"};
  const std::optional<double> size = to_number(text);
  if (!size || !(*size > 0) || *size > 1e6) {
    throw InputError(at, "'" + text + "' is no size of a bucket", "give MiB above 0, as in --bucket-mb 1,25");
  }
  return *size;
}

// Canonical text of a strategy, checked.
std::string strategy_text(const std::string& text) {
  const SourcePos at{"--strategy"};
  const PluginText parts = split_plugin_text(text, at);
  const TrainingStrategyInfo& info = training_strategies().get(parts.id, at);
  return plugin_text(info, parameter_values(info, parts, at));
}

const TrainingStrategyInfo& info_of(const std::string& text) {
  return training_strategies().get(split_plugin_text(text).id);
}

// One value for what makes no difference; false: this combination does not exist.
bool settle(Trial& trial) {
  if (trial.strategy == "auto") trial.strategy = trial.workers == 1 ? "single" : "all-reduce";
  const TrainingStrategyInfo& info = info_of(trial.strategy);
  if (!info.servers) trial.servers = 0;
  if (!info.distributed) {
    trial.transport = "none";
    trial.bucket_mb = Trial{}.bucket_mb;
    trial.overlap = false;
  }
  return info.id != "single" || trial.workers == 1;
}

Trial common_trial(const MeasureArgs& args, std::uint64_t seed) {
  Trial trial;
  trial.sizes = {1, args.image, args.seq, args.classes};
  trial.optimizer = parse_optimizer(args.optimizer, {"--optimizer"});
  trial.learning_rate = args.learning_rate;
  trial.momentum = args.momentum;
  trial.overlap = !args.no_overlap;
  trial.data = args.data;
  trial.prefetch = args.prefetch;
  trial.iterations = args.iterations;
  trial.warmup = args.warmup;
  trial.epochs = args.epochs;
  trial.seed = seed;
  trial.spans = args.spans_out.has_value();
  trial.operators = args.operators;
  trial.timeout_s = parse_seconds(args.timeout, {"--timeout"}).value;
  trial.on_failure = args.on_failure == "shrink" ? OnFailure::shrink : OnFailure::stop;
  trial.checkpoint_every = args.checkpoint_every;
  return trial;
}

using Trials = std::vector<Trial>;

// Every trial once with each value.
template <class Values, class Set>
Trials times(const Trials& trials, const Values& values, Set set) {
  Trials product;
  for (const Trial& trial : trials) {
    for (const auto& value : values) {
      product.push_back(trial);
      set(product.back(), value);
    }
  }
  return product;
}

}  // namespace

std::vector<Trial> trials_of(const MeasureArgs& args, std::uint64_t seed) {
  std::vector<std::string> strategies;
  for (const std::string& text : args.strategies) {
    strategies.push_back(text == "auto" ? text : strategy_text(text));
  }
  Trials all = {common_trial(args, seed)};
  all = times(all, args.nets, [](Trial& t, const std::string& net) { t.net = net; });
  all = times(all, args.batches, [](Trial& t, std::int64_t batch) { t.sizes.batch = batch; });
  all = times(all, strategies, [](Trial& t, const std::string& strategy) { t.strategy = strategy; });
  all = times(all, args.workers, [](Trial& t, std::int64_t workers) { t.workers = workers; });
  all = times(all, args.servers, [](Trial& t, std::int64_t servers) { t.servers = servers; });
  all = times(all, args.transports, [](Trial& t, const std::string& id) {
    t.transport = transports().get(id, {"--transport"}).id;
  });
  all = times(all, args.buckets, [](Trial& t, const std::string& mib) { t.bucket_mb = bucket_size(mib); });
  all = times(all, args.threads, [](Trial& t, std::int64_t threads) { t.threads = threads; });
  Trials possible;
  std::set<std::string> seen;
  for (Trial& trial : all) {
    if (settle(trial) && seen.insert(to_json(trial).dump()).second) possible.push_back(std::move(trial));
  }
  if (possible.empty()) {
    throw InputError({"--strategy"}, "'single' has one worker",
                     "for several, take mirrored, all-reduce or a parameter server");
  }
  return possible;
}

CampaignOptions campaign_options(const MeasureArgs& args, std::uint64_t seed) {
  CampaignOptions options;
  options.supervise.runner = args.runner;
  if (args.scratch) options.supervise.scratch = *args.scratch;
  options.supervise.keep = args.keep;
  options.precision = args.precision;
  options.budget_s = parse_seconds(args.budget, {"--budget"}).value;
  options.least_rounds = args.effects ? std::max<std::int64_t>(args.rounds, 3) : args.rounds;
  options.seed = seed;
  return options;
}

}  // namespace sextant
