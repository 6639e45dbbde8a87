#include "trial_loss.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace sextant::explore {
namespace {

// By halves, since the difference of huge values need not be finite. A limit of 0 has no unit: there the
// excess counts as it is.
double excess(const Trial& trial, const MetricLimit& limit) {
  const auto found = trial.outcome.metrics.find(limit.metric);
  if (found == trial.outcome.metrics.end()) return 1;  // not measured: as bad as twice the limit
  const double half = found->second / 2 - limit.limit / 2;
  const double over = limit.at_most ? half : -half;
  if (!(over > 0)) return 0;
  const double unit = limit.limit == 0 ? 1 : std::abs(limit.limit);
  return std::min(2 * (over / unit), 1e100);
}

TrialLoss completed_loss(const Trial& trial, const SearchProblem& problem, double value) {
  TrialLoss result{.kind = LossKind::feasible, .value = value};
  if (feasible(trial, problem.limits)) return result;
  result.kind = LossKind::beyond_limit;
  for (const MetricLimit& limit : problem.limits) result.beyond += excess(trial, limit);
  return result;
}

TrialLoss loss_of(const Trial& trial, const SearchProblem& problem) {
  const Objective& objective = problem.objectives.front();
  if (trial.outcome.state == TrialState::running) return {};
  const std::optional<double> value = loss(trial, objective);
  if (value && std::isfinite(*value)) return completed_loss(trial, problem, *value);
  if (trial.outcome.state != TrialState::timed_out) return {.kind = LossKind::failed};
  TrialLoss result{.kind = LossKind::timed_out};
  if (trial.outcome.bound && std::isfinite(*trial.outcome.bound)) {
    result.bounded = true;
    result.value = objective.maximise ? -*trial.outcome.bound : *trial.outcome.bound;
  }
  return result;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

struct LossRange {
  double least = 0;
  double middle = 0;
  double most = 0;
  double step = 0;  // behind the worst
};

LossRange range_of(const std::vector<double>& scaled) {
  const auto [least, most] = std::ranges::minmax(scaled);
  return {least, median(scaled), most, most > least ? (most - least) / 2 : 0.1};
}

}  // namespace

std::vector<TrialLoss> trial_losses(const SearchView& view) {
  std::vector<TrialLoss> losses;
  for (const Trial& trial : view.trials) losses.push_back(loss_of(trial, view.problem));
  return losses;
}

bool better(const TrialLoss& a, const TrialLoss& b) {
  return std::tie(a.kind, a.beyond, a.value) < std::tie(b.kind, b.beyond, b.value);
}

std::optional<ScaledLosses> scaled_losses(std::span<const TrialLoss> losses, bool maximise) {
  const double sign = maximise ? -1 : 1;
  std::vector<double> metrics;
  bool met = false;
  for (const TrialLoss& each : losses) {
    if (each.kind <= LossKind::beyond_limit) metrics.push_back(sign * each.value);
    met = met || each.kind == LossKind::feasible;
  }
  if (metrics.empty()) return std::nullopt;
  ScaledLosses result{scale_of_values(metrics, maximise), {}, 0};
  const auto scaled = [&](const TrialLoss& each) { return result.scale.to_model(sign * each.value); };
  std::vector<double> known;
  for (const TrialLoss& each : losses) {
    if (each.kind == LossKind::feasible || (!met && each.kind == LossKind::beyond_limit)) {
      known.push_back(scaled(each));
    }
  }
  const LossRange range = range_of(known);
  result.best = range.least;
  for (const TrialLoss& each : losses) {
    double value = range.most;
    if (each.kind == LossKind::feasible) value = scaled(each);
    if (each.kind == LossKind::running) value = range.middle;
    if (each.kind == LossKind::beyond_limit) value += range.step * (1 - 1 / (1 + each.beyond));
    if (each.bounded) {  // a bound of the other sign has no logarithm, and then says nothing
      const double bound = scaled(each);
      value = std::isfinite(bound) ? std::clamp(bound, range.middle, range.most + range.step) : range.most;
    }
    result.values.push_back(value);
  }
  return result;
}

}  // namespace sextant::explore
