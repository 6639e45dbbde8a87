#include "sextant/explore/problem.h"

#include <algorithm>

namespace sextant::explore {
namespace {

bool meets(const Trial& trial, const MetricLimit& limit) {
  const auto found = trial.outcome.metrics.find(limit.metric);
  if (found == trial.outcome.metrics.end()) return false;
  return limit.at_most ? found->second <= limit.limit : found->second >= limit.limit;
}

bool dominates(const std::vector<double>& a, const std::vector<double>& b) {
  bool better = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i]) return false;
    better = better || a[i] < b[i];
  }
  return better;
}

}  // namespace

std::optional<double> loss(const Trial& trial, const Objective& objective) {
  if (trial.outcome.state != TrialState::completed) return std::nullopt;
  const auto found = trial.outcome.metrics.find(objective.metric);
  if (found == trial.outcome.metrics.end()) return std::nullopt;
  return objective.maximise ? -found->second : found->second;
}

bool feasible(const Trial& trial, std::span<const MetricLimit> limits) {
  return trial.outcome.state == TrialState::completed &&
         std::ranges::all_of(limits, [&](const MetricLimit& limit) { return meets(trial, limit); });
}

std::optional<std::size_t> best_trial(const SearchProblem& problem, std::span<const Trial> trials) {
  std::optional<std::size_t> best;
  double least = 0;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const std::optional<double> value = loss(trials[i], problem.objectives.front());
    if (!value || !feasible(trials[i], problem.limits) || (best && *value >= least)) continue;
    best = i;
    least = *value;
  }
  return best;
}

std::vector<std::size_t> pareto_trials(const SearchProblem& problem, std::span<const Trial> trials) {
  std::vector<std::size_t> kept;
  std::vector<std::vector<double>> losses;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (!feasible(trials[i], problem.limits)) continue;
    std::vector<double> all;
    for (const Objective& objective : problem.objectives) {
      if (const std::optional<double> value = loss(trials[i], objective)) all.push_back(*value);
    }
    if (all.size() != problem.objectives.size()) continue;
    kept.push_back(i);
    losses.push_back(std::move(all));
  }
  std::vector<std::size_t> front;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const bool beaten = std::ranges::any_of(
        losses, [&](const std::vector<double>& other) { return dominates(other, losses[i]); });
    if (!beaten) front.push_back(kept[i]);
  }
  return front;
}

}  // namespace sextant::explore
