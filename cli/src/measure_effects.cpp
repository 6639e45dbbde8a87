#include "measure_effects.h"

#include <functional>

#include "sextant/core/text.h"

namespace sextant {
namespace {

struct FactorOption {
  std::string name;
  std::vector<std::string> values;
  std::function<std::string(const Trial&)> of;
};

std::vector<std::string> texts(const std::vector<std::int64_t>& values) {
  std::vector<std::string> out;
  for (const std::int64_t value : values) out.push_back(std::to_string(value));
  return out;
}

std::vector<std::string> number_texts(const std::vector<std::string>& values) {
  std::vector<std::string> out;
  for (const std::string& value : values) out.push_back(number_text(to_number(value).value_or(0)));
  return out;
}

std::vector<FactorOption> factor_options_of(const MeasureArgs& args) {
  return {{"batch", texts(args.batches), [](const Trial& t) { return std::to_string(t.sizes.batch); }},
          {"strategy", args.strategies, [](const Trial& t) { return t.strategy; }},
          {"workers", texts(args.workers), [](const Trial& t) { return std::to_string(t.workers); }},
          {"servers", texts(args.servers), [](const Trial& t) { return std::to_string(t.servers); }},
          {"transport", args.transports, [](const Trial& t) { return t.transport; }},
          {"bucket-mb", number_texts(args.buckets), [](const Trial& t) { return number_text(t.bucket_mb); }},
          {"threads", texts(args.threads), [](const Trial& t) { return std::to_string(t.threads); }}};
}

std::vector<FactorOption> varied(const MeasureArgs& args) {
  std::vector<FactorOption> chosen;
  for (FactorOption& option : factor_options_of(args)) {
    if (option.values.size() == 2)
      chosen.push_back(std::move(option));
    else if (option.values.size() > 2) {
      throw InputError({"--" + option.name},
                       "--effects compares two values, here are " + std::to_string(option.values.size()),
                       "give the lowest and the highest");
    }
  }
  return chosen;
}

int level(const FactorOption& factor, const Trial& trial) {
  const std::string value = factor.of(trial);
  if (value == factor.values[0]) return 0;
  if (value == factor.values[1]) return 1;
  throw InputError({"--effects"}, "strategy '" + trial.strategy + "' does not depend on --" + factor.name,
                   "vary what every strategy of the design uses");
}

}  // namespace

std::vector<TwoLevelFactor> design_of(const MeasureArgs& args) {
  std::vector<TwoLevelFactor> factors;
  for (const FactorOption& option : varied(args)) {
    factors.push_back({option.name, option.values[0], option.values[1]});
  }
  if (factors.empty()) {
    throw InputError({"--effects"}, "no option has two values",
                     "as in --workers 1,2 --transport gloo-tcp,mpi-shm");
  }
  return factors;
}

std::vector<NetworkEffects> effects_of(const MeasureArgs& args, const std::vector<TrialResult>& results) {
  const std::vector<FactorOption> options = varied(args);
  const std::vector<TwoLevelFactor> factors = design_of(args);
  std::vector<NetworkEffects> networks;
  for (const std::string& net : args.nets) {
    std::vector<DesignPoint> points;
    for (const TrialResult& result : results) {
      if (result.trial.net != net) continue;
      DesignPoint point;
      for (const FactorOption& option : options) point.levels.push_back(level(option, result.trial));
      for (const double seconds : result.round_medians) {
        const double samples = static_cast<double>(result.trial.sizes.batch * result.trial.workers);
        point.responses.push_back(args.response == "throughput" ? samples / seconds : seconds);
      }
      points.push_back(std::move(point));
    }
    networks.push_back({net, factor_effects(factors, points)});
  }
  return networks;
}

}  // namespace sextant
