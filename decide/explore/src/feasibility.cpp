#include "feasibility.h"

#include <algorithm>
#include <cmath>

#include "value_scale.h"

namespace sextant::explore {
namespace {

constexpr std::size_t kDraws = 48;
constexpr double kCompletionSd = 0.5;     // of 0 and 1 in equal parts
constexpr double kFarFromFailures = 0.5;  // that failures say nothing of what is far from all of them
// How far a failure counts by itself, as a length scale, times the root of the number of features.
constexpr double kFailureReach = 0.1;

bool failed_unbounded(const Trial& trial) {
  return (trial.outcome.state == TrialState::failed || trial.outcome.state == TrialState::timed_out) &&
         !trial.outcome.bound;
}

std::vector<Configuration> running_now(const SearchView& view) {
  std::vector<Configuration> running;
  for (const Trial& trial : view.trials) {
    if (trial.outcome.state == TrialState::running) running.push_back(trial.configuration);
  }
  return running;
}

// A quantity that was seen at some configurations, and how much it differs between them.
struct Seen {
  std::vector<Configuration> at = {};
  std::vector<double> values = {};
  double typical_sd = 1;
};

GpEnsemble ensemble_of(const FeasibilityInput& input, const Seen& seen, std::string_view name) {
  const auto count = std::ssize(seen.values);
  return {
      {.features = input.features,
       .data = {input.features.points(seen.at), Eigen::Map<const Eigen::VectorXd>(seen.values.data(), count),
                Eigen::VectorXd::Zero(count)},
       .pending = input.features.points(running_now(input.view)),
       .scale = {1, seen.typical_sd * seen.typical_sd},
       .draws = kDraws,
       .stream = Rng(input.view.seed).stream(name)},
      input.candidates};
}

// That no failure has to do with a candidate, times the share of runs that completed; less where most fail,
// since few of those are accidents.
Eigen::VectorXd chance_of_accidents(const FeasibilityInput& input, const Seen& completion) {
  std::vector<Configuration> failures;
  for (std::size_t i = 0; i < completion.at.size(); ++i) {
    if (completion.values[i] == 1) failures.push_back(completion.at[i]);
  }
  const auto runs = static_cast<double>(completion.at.size() + 1);
  const double completed = (runs - static_cast<double>(failures.size())) / runs;
  const double reach = kFailureReach * std::sqrt(static_cast<double>(input.features.groups()));
  const GpPoints at = input.features.points(failures);
  Eigen::VectorXd chances = Eigen::VectorXd::Constant(
      input.candidates.cols(), kFarFromFailures * completed * std::min(1.0, 2 * completed));
  for (Eigen::Index i = 0; i < chances.size(); ++i) {
    for (Eigen::Index f = 0; f < at.cols(); ++f) {
      chances[i] *= 1 - matern52((input.candidates.col(i) - at.col(f)).norm() / reach);
    }
  }
  return chances;
}

}  // namespace

Feasibility::Feasibility(const FeasibilityInput& input) {
  for (const MetricLimit& limit : input.view.problem.limits) ask_for_limit(input, limit);
}

void Feasibility::ask_for_limit(const FeasibilityInput& input, const MetricLimit& limit) {
  Seen seen;
  for (const Trial& trial : input.view.trials) {
    const auto found = trial.outcome.metrics.find(limit.metric);
    if (trial.outcome.state != TrialState::completed || found == trial.outcome.metrics.end()) continue;
    seen.at.push_back(trial.configuration);
    seen.values.push_back(found->second);
  }
  if (seen.values.empty()) {
    of_all_ *= 0.5;
    return;
  }
  const ValueScale scale = scale_of_values(seen.values, !limit.at_most);
  if (scale.log && !(limit.limit > 0)) {
    of_all_ *= limit.at_most ? 0 : 1;  // all values are positive: none is below, all are above
    return;
  }
  for (double& value : seen.values) value = scale.to_model(value);
  seen.typical_sd = scale.typical_sd();
  questions_.push_back({ensemble_of(input, seen, "limit:" + limit.metric), scale.to_model(limit.limit)});
}

// Whether a run completes is a quantity of 0 or 1 that is to be below a half.
void Feasibility::ask_for_completion(const FeasibilityInput& input) {
  if (std::ranges::none_of(input.view.trials, failed_unbounded)) return;
  Seen seen{.typical_sd = kCompletionSd};
  for (const Trial& trial : input.view.trials) {
    if (trial.outcome.state == TrialState::running) continue;
    seen.at.push_back(trial.configuration);
    seen.values.push_back(failed_unbounded(trial) ? 1 : 0);
  }
  questions_.push_back({ensemble_of(input, seen, "completion"), 0.5, chance_of_accidents(input, seen)});
}

Eigen::VectorXd Feasibility::chances(std::span<const Eigen::Index> candidates) const {
  Eigen::VectorXd chances = Eigen::VectorXd::Constant(std::ssize(candidates), of_all_);
  for (const Question& each : questions_) {
    Eigen::VectorXd chance = each.quantity.chances_below(each.below, candidates);
    for (std::size_t i = 0; i < candidates.size() && each.otherwise.size() > 0; ++i) {
      double& known = chance[static_cast<Eigen::Index>(i)];
      known += (1 - known) * each.otherwise[candidates[i]];
    }
    chances = chances.cwiseProduct(chance);
  }
  return chances;
}

}  // namespace sextant::explore
