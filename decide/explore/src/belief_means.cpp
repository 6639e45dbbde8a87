#include "belief_means.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "earlier_studies.h"
#include "sextant/core/infinity.h"

namespace sextant::explore {
namespace {

constexpr double kPriorChance = 0.5;  // that the prior is right but for its stated deviation
// How far a study is from an earlier one that it is like, on the scale of the model: 15 % of a cost.
constexpr double kAlikeSd = 0.15;

std::vector<double> prior_values(const SearchProblem& problem, std::span<const Configuration> at) {
  std::vector<double> values;
  for (const Configuration& each : at) {
    const std::optional<PriorBelief> belief = problem.prior(each);
    values.push_back(belief ? belief->value : kNan);
  }
  return values;
}

// On the scale of the model. What the prior has no answer for, such as a job that does not fit, is as bad as
// the worst that it knows.
Eigen::VectorXd prior_surface(std::span<const double> values, const ValueScale& scale) {
  Eigen::VectorXd surface(std::ssize(values));
  double worst = -std::numeric_limits<double>::infinity();
  for (Eigen::Index i = 0; i < surface.size(); ++i) {
    const double value = values[static_cast<std::size_t>(i)];
    const bool known = std::isfinite(value) && (!scale.log || value > 0);
    surface[i] = known ? scale.to_model(value) : kNan;
    if (known) worst = std::max(worst, surface[i]);
  }
  const double unknown = std::isfinite(worst) ? worst : 0;
  return surface.unaryExpr([&](double x) { return std::isnan(x) ? unknown : x; });
}

// A surface over what was seen, then over the candidates.
BeliefMean mean_of(const Eigen::VectorXd& surface, const BeliefRequest& request) {
  return {.at_data = surface.head(request.data.values.size()),
          .at_candidates = surface.tail(std::ssize(request.pool.untried))};
}

std::vector<Configuration> seen_and_untried(const BeliefRequest& request) {
  std::vector<Configuration> all = request.data.seen;
  all.insert(all.end(), request.pool.untried.begin(), request.pool.untried.end());
  return all;
}

BeliefMean mean_of_prior(const BeliefRequest& request, std::span<const Configuration> all) {
  const SearchProblem& problem = request.view.problem;
  const std::optional<PriorBelief> some = problem.prior(request.data.seen.front());
  const bool stated = some && some->log_sd > 0 && std::isfinite(some->log_sd);
  BeliefMean mean = mean_of(prior_surface(prior_values(problem, all), request.data.scale), request);
  mean.chance = kPriorChance;
  mean.typical_sd = stated ? some->log_sd : PriorBelief{}.log_sd;
  return mean;
}

std::vector<BeliefMean> means_of_earlier(const BeliefRequest& request, std::span<const Configuration> all) {
  const FeatureMap& features = request.pool.features;
  const Eigen::MatrixXd surfaces = earlier_losses(request.view.problem, features, features.points(all));
  std::vector<BeliefMean> means;
  for (Eigen::Index study = 0; study < surfaces.cols(); ++study) {
    BeliefMean mean = mean_of(surfaces.col(study), request);
    mean.chance = request.alike / static_cast<double>(surfaces.cols());
    mean.typical_sd = kAlikeSd;
    means.push_back(std::move(mean));
  }
  return means;
}

// A belief that is off by a factor is as good: what counts is how configurations differ.
void centre(BeliefMean& mean, const Eigen::VectorXd& values) {
  const double offset = (values - mean.at_data).mean();
  mean.at_data.array() += offset;
  mean.at_candidates.array() += offset;
}

}  // namespace

std::vector<BeliefMean> belief_means(const BeliefRequest& request) {
  const SearchProblem& problem = request.view.problem;
  const bool earlier = !problem.past.empty() && request.alike > 0;
  if (!earlier && !problem.prior) return {};
  const std::vector<Configuration> all = seen_and_untried(request);
  std::vector<BeliefMean> means;
  if (earlier) means = means_of_earlier(request, all);
  if (problem.prior) {
    for (BeliefMean& each : means) each.chance *= 1 - kPriorChance;
    means.push_back(mean_of_prior(request, all));
  }
  for (BeliefMean& each : means) centre(each, request.data.values);
  return means;
}

std::optional<std::size_t> best_by_prior(const SearchProblem& problem, std::span<const Configuration> among) {
  const std::vector<double> values = prior_values(problem, among);
  const double sign = problem.objectives.front().maximise ? -1 : 1;
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i]) && (!best || sign * values[i] < sign * values[*best])) best = i;
  }
  return best;
}

}  // namespace sextant::explore
