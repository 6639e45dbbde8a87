#include "feasibility.h"

#include <algorithm>

#include "gp_ensemble.h"
#include "value_scale.h"

namespace sextant {
namespace {

constexpr std::size_t kDraws = 48;
constexpr double kCompletionSd = 0.5;  // of 0 and 1 in equal parts

bool failed(const SearchTrial& trial) {
  return (trial.state == TrialState::failed || trial.state == TrialState::timed_out) && !trial.bound;
}

std::vector<Configuration> running_now(const SearchView& view) {
  std::vector<Configuration> running;
  for (const SearchTrial& trial : view.trials) {
    if (trial.state == TrialState::running) running.push_back(trial.configuration);
  }
  return running;
}

// A quantity that was seen at some configurations, and how much it differs between them.
struct Seen {
  std::vector<Configuration> at = {};
  std::vector<double> values = {};
  double typical_sd = 1;
};

Eigen::VectorXd chances_below(const FeasibilityInput& input, const Seen& seen, double limit,
                              std::string_view name) {
  const auto count = std::ssize(seen.values);
  const GpEnsemble ensemble(
      {.features = input.features,
       .data = {input.features.points(seen.at), Eigen::Map<const Eigen::VectorXd>(seen.values.data(), count),
                Eigen::VectorXd::Zero(count)},
       .pending = input.features.points(running_now(input.view)),
       .scale = {1, seen.typical_sd * seen.typical_sd},
       .draws = kDraws,
       .stream = Rng(input.view.seed).stream(name)},
      input.candidates);
  return ensemble.chances_below(limit);
}

Eigen::VectorXd chance_of(const FeasibilityInput& input, const MetricLimit& limit) {
  Seen seen;
  for (const SearchTrial& trial : input.view.trials) {
    const auto found = trial.metrics.find(limit.metric);
    if (trial.state != TrialState::completed || found == trial.metrics.end()) continue;
    seen.at.push_back(trial.configuration);
    seen.values.push_back(found->second);
  }
  if (seen.values.empty()) return Eigen::VectorXd::Constant(input.candidates.cols(), 0.5);
  const ValueScale scale = scale_of_values(seen.values, !limit.at_most);
  if (scale.log && !(limit.limit > 0)) {
    // All values are positive: none is below, all are above.
    return Eigen::VectorXd::Constant(input.candidates.cols(), limit.at_most ? 0 : 1);
  }
  for (double& value : seen.values) value = scale.to_model(value);
  seen.typical_sd = scale.typical_sd();
  return chances_below(input, seen, scale.to_model(limit.limit), "limit:" + limit.metric);
}

}  // namespace

Eigen::VectorXd chance_of_limits(const FeasibilityInput& input) {
  Eigen::VectorXd chance;
  for (const MetricLimit& limit : input.view.problem.limits) {
    const Eigen::VectorXd one = chance_of(input, limit);
    chance = chance.size() == 0 ? one : Eigen::VectorXd(chance.cwiseProduct(one));
  }
  return chance;
}

// Whether a run completes is a quantity of 0 or 1 that is to be below a half.
Eigen::VectorXd chance_of_completion(const FeasibilityInput& input) {
  if (std::ranges::none_of(input.view.trials, failed)) return {};
  Seen seen{.typical_sd = kCompletionSd};
  for (const SearchTrial& trial : input.view.trials) {
    if (trial.state == TrialState::running) continue;
    seen.at.push_back(trial.configuration);
    seen.values.push_back(failed(trial) ? 1 : 0);
  }
  return chances_below(input, seen, 0.5, "completion");
}

}  // namespace sextant
