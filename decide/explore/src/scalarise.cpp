#include "scalarise.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sextant::explore {
namespace {

constexpr double kAugmentation = 0.05;
constexpr double kFarthest = 100;  // ranges of the front behind it: how far no longer matters
const char* const kMetric = "augmented Chebyshev function";

// Of every objective; empty for what did not complete or lacks one.
std::vector<double> all_losses(const Trial& trial, std::span<const Objective> objectives) {
  std::vector<double> all;
  for (const Objective& objective : objectives) {
    const std::optional<double> value = loss(trial, objective);
    if (!value || !std::isfinite(*value)) return {};
    all.push_back(*value);
  }
  return all;
}

struct LossRanges {
  std::vector<double> low;
  std::vector<double> high;
  double base = 0;  // added to the function

  // 0..1 within, by halves: the difference of huge values need not be finite.
  [[nodiscard]] std::vector<double> scaled(std::vector<double> losses) const {
    for (std::size_t j = 0; j < losses.size(); ++j) {
      const double half = high[j] / 2 - low[j] / 2;
      losses[j] = half > 0 ? std::clamp((losses[j] / 2 - low[j] / 2) / half, 0.0, kFarthest) : 0;
    }
    return losses;
  }
};

LossRanges ranges_of(std::span<const Trial> trials, std::span<const Objective> objectives) {
  LossRanges ranges;
  for (const Trial& trial : trials) {
    const std::vector<double> each = all_losses(trial, objectives);
    if (each.empty()) continue;
    if (ranges.low.empty()) ranges = {.low = each, .high = each};
    for (std::size_t j = 0; j < each.size(); ++j) {
      ranges.low[j] = std::min(ranges.low[j], each[j]);
      ranges.high[j] = std::max(ranges.high[j], each[j]);
    }
  }
  return ranges;
}

// The best of a front of one is at 0, of which there is no share.
LossRanges ranges_of(const SearchView& view, ScaledOver over) {
  std::vector<Trial> front;
  for (const std::size_t i : pareto_trials(view.problem, view.trials)) front.push_back(view.trials[i]);
  const bool inside = over == ScaledOver::front;
  LossRanges ranges =
      ranges_of(inside ? std::span<const Trial>(front) : view.trials, view.problem.objectives);
  ranges.base = inside || front.size() == 1 ? 1 : 0;
  return ranges;
}

std::vector<Trial> scalarised(std::span<const Trial> trials, std::span<const Objective> objectives,
                              std::span<const double> weights, const LossRanges& ranges) {
  std::vector<Trial> results(trials.begin(), trials.end());
  for (Trial& result : results) {
    result.outcome.bound.reset();  // of the first objective alone
    if (result.outcome.state != TrialState::completed) continue;
    const std::vector<double> losses = all_losses(result, objectives);
    if (losses.empty()) {
      result.outcome.state = TrialState::failed;
    } else {
      result.outcome.metrics[kMetric] = ranges.base + augmented_chebyshev(weights, ranges.scaled(losses));
    }
  }
  return results;
}

}  // namespace

std::vector<double> objective_weights(std::size_t objectives, std::uint64_t seed, std::uint64_t trials) {
  Rng rng = Rng(seed).stream("objective-weights", trials);
  std::vector<double> weights(objectives);
  double sum = 0;
  for (double& weight : weights) {
    weight = rng.exponential(1);
    sum += weight;
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

// One part for each of k objectives, and two more for any: k + 2 parts in all.
std::vector<std::vector<double>> weight_lattice(std::size_t objectives) {
  const double part = 1 / static_cast<double>(objectives + 2);
  std::vector<std::vector<double>> lattice;
  for (std::size_t i = 0; i < objectives; ++i) {
    for (std::size_t j = i; j < objectives; ++j) {
      std::vector<double>& weights = lattice.emplace_back(objectives, part);
      weights[i] += part;
      weights[j] += part;
    }
  }
  return lattice;
}

double augmented_chebyshev(std::span<const double> weights, std::span<const double> scaled) {
  double largest = 0;
  double sum = 0;
  for (std::size_t j = 0; j < scaled.size(); ++j) {
    largest = std::max(largest, weights[j] * scaled[j]);
    sum += weights[j] * scaled[j];
  }
  return largest + kAugmentation * sum;
}

OneObjective one_objective(const SearchView& view, std::span<const double> weights, ScaledOver over) {
  const std::vector<Objective>& objectives = view.problem.objectives;
  OneObjective one{{.space = view.problem.space,
                    .objectives = {{.metric = kMetric}},
                    .limits = view.problem.limits,
                    .past = view.problem.past},
                   scalarised(view.trials, objectives, weights, ranges_of(view, over))};
  for (PastStudy& past : one.problem.past) {
    past.trials = scalarised(past.trials, objectives, weights, ranges_of(past.trials, objectives));
  }
  return one;
}

OneObjective objective_alone(const SearchView& view, std::size_t index) {
  OneObjective one{view.problem, {view.trials.begin(), view.trials.end()}};
  one.problem.objectives = {view.problem.objectives[index]};
  if (index == 0) return one;
  one.problem.prior = {};  // it and the bounds are of the first
  for (Trial& trial : one.trials) trial.outcome.bound.reset();
  return one;
}

}  // namespace sextant::explore
