#include "search_data.h"

#include <algorithm>
#include <cmath>

namespace sextant::explore {
namespace {

constexpr double kFailureNoise = 9;    // three times as much as configurations differ: hardly a value
constexpr double kTimeoutNoise = 0.1;  // a bound beyond all that completed is no accident

struct BadNews {
  Configuration configuration;
  double value = 0;
  double noise = kFailureNoise;
};

bool failed(const Trial& trial) {
  return trial.outcome.state == TrialState::failed || trial.outcome.state == TrialState::timed_out;
}

BadNews bad_news(const Trial& trial, const ValueScale& scale, double worst) {
  BadNews news{trial.configuration, worst};
  const std::optional<double> least = trial.outcome.bound;
  if (!least || !std::isfinite(*least) || (scale.log && *least <= 0)) return news;
  const double bound = scale.to_model(*least);
  if (bound >= worst) {
    news.value = bound;
    news.noise = kTimeoutNoise;
  }
  return news;
}

std::vector<std::size_t> best_first(const SearchView& view, std::span<const std::optional<double>> losses) {
  std::vector<std::size_t> good;
  for (std::size_t i = 0; i < view.trials.size(); ++i) {
    if (losses[i] && feasible(view.trials[i], view.problem.limits)) good.push_back(i);
  }
  std::ranges::stable_sort(good, {}, [&](std::size_t i) { return *losses[i]; });
  return good;
}

}  // namespace

ModelLosses model_losses(std::span<const Trial> trials, const Objective& objective) {
  const double sign = objective.maximise ? -1 : 1;
  std::vector<double> metrics;
  for (const Trial& trial : trials) {
    if (const std::optional<double> value = loss(trial, objective)) metrics.push_back(sign * *value);
  }
  ModelLosses losses;
  if (!metrics.empty()) losses.scale = scale_of_values(metrics, objective.maximise);
  for (const Trial& trial : trials) {
    std::optional<double> value = loss(trial, objective);
    if (value) value = losses.scale.to_model(sign * *value);
    losses.of_trials.push_back(value);
  }
  return losses;
}

SearchData search_data(const SearchView& view, const ModelLosses& model) {
  const std::vector<std::optional<double>>& losses = model.of_trials;
  SearchData data;
  data.scale = model.scale;
  std::vector<double> values;
  double worst = 0;
  for (std::size_t i = 0; i < view.trials.size(); ++i) {
    const Trial& trial = view.trials[i];
    if (trial.outcome.state == TrialState::running) data.running.push_back(trial.configuration);
    if (!losses[i]) continue;
    worst = values.empty() ? *losses[i] : std::max(worst, *losses[i]);
    data.seen.push_back(trial.configuration);
    values.push_back(*losses[i]);
  }
  data.completed = values.size();
  std::vector<double> noise(values.size(), 0.0);
  for (const Trial& trial : view.trials) {
    if (!failed(trial)) continue;
    BadNews news = bad_news(trial, model.scale, worst);
    data.seen.push_back(std::move(news.configuration));
    values.push_back(news.value);
    noise.push_back(news.noise);
  }
  data.values = Eigen::Map<const Eigen::VectorXd>(values.data(), std::ssize(values));
  data.extra_noise = Eigen::Map<const Eigen::VectorXd>(noise.data(), std::ssize(noise));
  data.good = best_first(view, losses);
  if (!data.good.empty()) data.best = losses[data.good.front()];
  return data;
}

}  // namespace sextant::explore
