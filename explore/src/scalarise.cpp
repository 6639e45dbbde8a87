#include "scalarise.h"

#include <algorithm>
#include <cmath>

#include "sextant/core/text.h"

namespace sextant {
namespace {

constexpr double kAugmentation = 0.05;
const char* const kMetric = "augmented Chebyshev function";

// Of every objective; empty for what did not complete or lacks one.
std::vector<double> all_losses(const SearchTrial& trial, std::span<const Objective> objectives) {
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

  // 0..1, by halves: the difference of huge values need not be finite.
  [[nodiscard]] std::vector<double> scaled(std::vector<double> losses) const {
    for (std::size_t j = 0; j < losses.size(); ++j) {
      const double half = high[j] / 2 - low[j] / 2;
      losses[j] = half > 0 ? (losses[j] / 2 - low[j] / 2) / half : 0;
    }
    return losses;
  }
};

LossRanges ranges_of(const std::vector<std::vector<double>>& losses) {
  LossRanges ranges;
  for (const std::vector<double>& each : losses) {
    if (each.empty()) continue;
    if (ranges.low.empty()) ranges = {each, each};
    for (std::size_t j = 0; j < each.size(); ++j) {
      ranges.low[j] = std::min(ranges.low[j], each[j]);
      ranges.high[j] = std::max(ranges.high[j], each[j]);
    }
  }
  return ranges;
}

std::vector<SearchTrial> scalarised(std::span<const SearchTrial> trials,
                                    std::span<const Objective> objectives, std::span<const double> weights) {
  std::vector<std::vector<double>> losses;
  for (const SearchTrial& trial : trials) losses.push_back(all_losses(trial, objectives));
  const LossRanges ranges = ranges_of(losses);
  std::vector<SearchTrial> results(trials.begin(), trials.end());
  for (std::size_t i = 0; i < results.size(); ++i) {
    results[i].bound.reset();  // of the first objective alone
    if (results[i].state != TrialState::completed) continue;
    if (losses[i].empty()) {
      results[i].state = TrialState::failed;
    } else {
      results[i].metrics[kMetric] = augmented_chebyshev(weights, ranges.scaled(losses[i]));
    }
  }
  return results;
}

std::string weights_text(std::span<const double> weights) {
  std::string text;
  for (const double weight : weights)
    text += (text.empty() ? "" : ", ") + number_text(std::round(weight * 100) / 100);
  return text;
}

class SeveralObjectives final : public SearchStrategy {
 public:
  explicit SeveralObjectives(std::unique_ptr<SearchStrategy> strategy) : strategy_(std::move(strategy)) {}

  [[nodiscard]] std::optional<Proposal> propose(const SearchView& view) const override {
    const std::size_t count = view.problem.objectives.size();
    if (count == 1) return strategy_->propose(view);
    const OneObjective one = one_objective(view);
    std::optional<Proposal> proposal = strategy_->propose({one.problem, one.trials, view.seed});
    if (!proposal) return proposal;
    // What is expected of a weighted sum says nothing of an objective, and that one direction is done
    // nothing of the others.
    return Proposal{.configuration = std::move(proposal->configuration),
                    .reason = proposal->reason + " (weights " +
                              weights_text(objective_weights(count, view.seed, view.trials.size())) + ")"};
  }

 private:
  std::unique_ptr<SearchStrategy> strategy_;
};

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

double augmented_chebyshev(std::span<const double> weights, std::span<const double> scaled) {
  double largest = 0;
  double sum = 0;
  for (std::size_t j = 0; j < scaled.size(); ++j) {
    largest = std::max(largest, weights[j] * scaled[j]);
    sum += weights[j] * scaled[j];
  }
  return largest + kAugmentation * sum;
}

OneObjective one_objective(const SearchView& view) {
  const std::vector<Objective>& objectives = view.problem.objectives;
  const std::vector<double> weights = objective_weights(objectives.size(), view.seed, view.trials.size());
  OneObjective one{{.space = view.problem.space,
                    .objectives = {{.metric = kMetric}},
                    .limits = view.problem.limits,
                    .past = view.problem.past},
                   scalarised(view.trials, objectives, weights)};
  for (PastStudy& past : one.problem.past) past.trials = scalarised(past.trials, objectives, weights);
  return one;
}

std::unique_ptr<SearchStrategy> with_several_objectives(std::unique_ptr<SearchStrategy> strategy) {
  return std::make_unique<SeveralObjectives>(std::move(strategy));
}

}  // namespace sextant
