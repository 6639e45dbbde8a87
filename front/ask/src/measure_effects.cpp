#include "measure_effects.h"

#include <algorithm>
#include <functional>

#include "sextant/core/text.h"

namespace sextant::ask {
namespace {

struct VariedList {
  std::string field;
  std::vector<std::string> values;
  std::function<std::string(const measure::Trial&)> of;
};

// As tables of effects call the factor: "bucket-mb".
std::string shown_name(std::string field) {
  std::ranges::replace(field, '_', '-');
  return field;
}

std::vector<std::string> count_texts(const std::vector<std::int64_t>& values) {
  std::vector<std::string> out;
  for (const std::int64_t value : values) out.push_back(std::to_string(value));
  return out;
}

std::vector<std::string> size_texts(const std::vector<std::string>& values) {
  std::vector<std::string> out;
  for (const std::string& value : values) out.push_back(number_text(to_number(value).value_or(0)));
  return out;
}

std::vector<VariedList> lists_of(const MeasureQuestion& question) {
  return {{"batch", count_texts(question.batch),
           [](const measure::Trial& t) { return std::to_string(t.job.sizes.batch); }},
          {"strategy", question.strategy, [](const measure::Trial& t) { return t.strategy; }},
          {"workers", count_texts(question.workers),
           [](const measure::Trial& t) { return std::to_string(t.workers); }},
          {"servers", count_texts(question.servers),
           [](const measure::Trial& t) { return std::to_string(t.servers); }},
          {"transport", question.transport, [](const measure::Trial& t) { return t.transport; }},
          {"bucket_mb", size_texts(question.bucket_mb),
           [](const measure::Trial& t) { return number_text(t.bucket_mb); }},
          {"threads", count_texts(question.threads),
           [](const measure::Trial& t) { return std::to_string(t.threads); }}};
}

std::vector<VariedList> varied_lists(const MeasureQuestion& question) {
  std::vector<VariedList> chosen;
  for (VariedList& list : lists_of(question)) {
    if (list.values.size() == 2)
      chosen.push_back(std::move(list));
    else if (list.values.size() > 2) {
      throw InputError(at_field(list.field),
                       "`effects` compares two values, and there are " + std::to_string(list.values.size()),
                       "give the lowest and the highest");
    }
  }
  return chosen;
}

int level_of(const VariedList& factor, const measure::Trial& trial) {
  const std::string value = factor.of(trial);
  if (value == factor.values[0]) return 0;
  if (value == factor.values[1]) return 1;
  throw InputError(at_field("effects"),
                   "strategy '" + trial.strategy + "' does not depend on `" + factor.field + "`",
                   "vary what every strategy of the design uses");
}

}  // namespace

std::vector<measure::TwoLevelFactor> two_level_design(const MeasureQuestion& question) {
  std::vector<measure::TwoLevelFactor> factors;
  for (const VariedList& list : varied_lists(question)) {
    factors.push_back({shown_name(list.field), list.values[0], list.values[1]});
  }
  if (factors.empty()) {
    throw InputError(at_field("effects"), "no option has two values",
                     "give two values to an option, as in `workers` 1,2 `transport` gloo-tcp,mpi-shm");
  }
  return factors;
}

std::vector<NetworkEffects> measured_effects(const MeasureQuestion& question,
                                             const std::vector<measure::TrialResult>& results) {
  const std::vector<VariedList> lists = varied_lists(question);
  const std::vector<measure::TwoLevelFactor> factors = two_level_design(question);
  std::vector<NetworkEffects> networks;
  for (const std::string& net : question.net) {
    std::vector<measure::DesignPoint> points;
    for (const measure::TrialResult& result : results) {
      if (result.trial.job.net != net) continue;
      measure::DesignPoint point;
      for (const VariedList& list : lists) point.levels.push_back(level_of(list, result.trial));
      for (const double seconds : result.round_medians) {
        const double samples = static_cast<double>(result.trial.job.sizes.batch * result.trial.workers);
        point.responses.push_back(question.response == "throughput" ? samples / seconds : seconds);
      }
      points.push_back(std::move(point));
    }
    networks.push_back({net, factor_effects(factors, points)});
  }
  return networks;
}

}  // namespace sextant::ask
