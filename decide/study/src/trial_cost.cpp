#include "trial_cost.h"

#include <algorithm>
#include <cmath>

#include "sextant/core/text.h"

namespace sextant::study {
namespace {

// "usd_per_h" is "vm.usd_per_h" where one factor alone has it.
std::string full_name(const explore::SearchSpace& space, const std::string& name) {
  std::string full = name;
  int found = 0;
  for (const explore::SearchFactor& factor : space.factors()) {
    if (factor.name == name) return name;
    if (std::ranges::find(factor.features.names, name) == factor.features.names.end()) continue;
    full = factor.name + "." + name;
    ++found;
  }
  return found == 1 ? full : name;
}

std::vector<std::string> space_names(const explore::SearchSpace& space) {
  std::vector<std::string> names;
  for (const explore::SearchFactor& factor : space.factors()) {
    names.push_back(factor.name);
    for (const std::string& feature : factor.features.names) names.push_back(factor.name + "." + feature);
  }
  return names;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

std::vector<std::string> metric_names(const StudySpec& study) {
  std::vector<std::string> names = {"seconds"};
  for (const explore::Objective& objective : study.problem.objectives) names.push_back(objective.metric);
  for (const explore::MetricLimit& limit : study.problem.limits) names.push_back(limit.metric);
  for (const auto& [key, value] : study.evaluator.settings) {
    for (const std::string prefix : {"pattern.", "json."}) {
      if (key.starts_with(prefix)) names.push_back(key.substr(prefix.size()));
    }
  }
  return names;
}

explore::ExpressionValue value_of(const StudySpec& study, const StoredTrial& trial, const std::string& name) {
  const explore::SearchSpace& space = study.problem.space;
  const std::string full = full_name(space, name);
  if (const auto value = space.named_value(trial.configuration, full)) return *value;
  if (contains(space_names(space), full)) return 0.0;  // of a factor that is absent
  if (const auto metric = trial.outcome.metrics.find(name); metric != trial.outcome.metrics.end())
    return metric->second;
  if (name == "seconds") return trial.seconds;
  std::vector<std::string> known = space_names(space);
  for (const auto& [metric, value] : trial.outcome.metrics) known.push_back(metric);
  throw InputError(study.cost->where(),
                   "the cost of a trial names '" + name + "', which the run did not give",
                   name_hint(name, known));
}

}  // namespace

void check_cost_names(const StudySpec& study) {
  if (!study.cost || study.evaluator.kind != "command") return;
  std::vector<std::string> known = space_names(study.problem.space);
  for (const std::string& metric : metric_names(study)) known.push_back(metric);
  for (const std::string& name : study.cost->names()) {
    if (contains(known, full_name(study.problem.space, name))) continue;
    throw InputError(study.cost->where(), "the cost of a trial names '" + name + "'", name_hint(name, known));
  }
}

void add_cost(const StudySpec& study, StoredTrial& trial) {
  constexpr const char* kMetric = "cost_usd";
  if (!study.cost) {
    // Of real runs; what a prediction or a simulation says that something costs is not what asking cost.
    const std::string& kind = study.evaluator.kind;
    const auto given = trial.outcome.metrics.find(kMetric);
    const bool real = kind.empty() || kind == "command" || kind == "table";
    if (real && given != trial.outcome.metrics.end() && given->second >= 0) trial.cost = given->second;
    return;
  }
  const bool completed = trial.outcome.state == explore::TrialState::completed;
  double cost = 0;
  try {
    const explore::ExpressionValue value =
        study.cost->value([&](const std::string& name) { return value_of(study, trial, name); });
    const double* number = std::get_if<double>(&value);
    cost = number != nullptr ? *number : std::nan("");
  } catch (const InputError&) {
    if (completed) throw;
    return;  // a run that failed need not have given what its cost is made of
  }
  if (!std::isfinite(cost) || cost < 0) {
    if (!completed) return;
    throw InputError(study.cost->where(),
                     "the cost of trial " + std::to_string(trial.number) + " is " + number_text(cost));
  }
  trial.cost = cost;
  const explore::Objective& first = study.problem.objectives.front();
  if (completed) trial.outcome.metrics.try_emplace(kMetric, cost);
  if (trial.outcome.state == explore::TrialState::timed_out && first.metric == kMetric && !first.maximise &&
      !trial.outcome.bound) {
    trial.outcome.bound = cost;
  }
}

}  // namespace sextant::study
