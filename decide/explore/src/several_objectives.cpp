#include "several_objectives.h"

#include <algorithm>
#include <cmath>

#include "scalarise.h"
#include "sextant/core/text.h"

namespace sextant::explore {
namespace {

std::string weights_text(std::span<const double> weights) {
  std::string text = "weights ";
  for (std::size_t j = 0; j < weights.size(); ++j) {
    text += (j == 0 ? "" : ", ") + number_text(std::round(weights[j] * 100) / 100);
  }
  return text;
}

class SeveralObjectives final : public SearchStrategy {
 public:
  explicit SeveralObjectives(std::unique_ptr<SearchStrategy> strategy) : strategy_(std::move(strategy)) {}

  [[nodiscard]] std::optional<Proposal> propose(const SearchView& view) const override {
    const std::size_t count = view.problem.objectives.size();
    if (count == 1) return strategy_->propose(view);
    const std::vector<double> weights = objective_weights(count, view.seed, view.trials.size());
    std::optional<Proposal> drawn =
        asked(one_objective(view, weights, ScaledOver::completed), view.seed, weights_text(weights));
    if (!drawn || !drawn->stop) return drawn;
    return where_more_is_expected(view, std::move(*drawn));
  }

 private:
  // What is expected of a weighted sum says nothing of an objective, and is left out.
  [[nodiscard]] std::optional<Proposal> asked(const OneObjective& one, std::uint64_t seed,
                                              const std::string& direction) const {
    std::optional<Proposal> proposal = strategy_->propose({one.problem, one.trials, seed});
    if (!proposal) return proposal;
    return Proposal{.configuration = std::move(proposal->configuration),
                    .reason = proposal->reason + " (" + direction + ")",
                    .chance_of_better = proposal->chance_of_better,
                    .stop = proposal->stop};
  }

  // That the drawn direction is done says nothing of the others. The first that is not done, or `drawn` with
  // the largest chance of all.
  [[nodiscard]] Proposal where_more_is_expected(const SearchView& view, Proposal drawn) const {
    const auto done = [&](const OneObjective& one, const std::string& direction) {
      std::optional<Proposal> other = asked(one, view.seed, direction);
      if (!other) return true;
      other->chance_of_better = std::max(other->chance_of_better, drawn.chance_of_better);
      if (!other->stop) {
        drawn = std::move(*other);
        return false;
      }
      drawn.chance_of_better = other->chance_of_better;
      return true;
    };
    const std::vector<Objective>& objectives = view.problem.objectives;
    for (std::size_t j = 0; j < objectives.size(); ++j) {
      if (!done(objective_alone(view, j), objectives[j].metric + " alone")) return drawn;
    }
    // A single trial that is best in everything is beaten only by what is better in one objective.
    if (pareto_trials(view.problem, view.trials).size() < 2) return drawn;
    for (const std::vector<double>& weights : weight_lattice(objectives.size())) {
      if (!done(one_objective(view, weights, ScaledOver::front), weights_text(weights))) return drawn;
    }
    return drawn;
  }

  std::unique_ptr<SearchStrategy> strategy_;
};

}  // namespace

std::unique_ptr<SearchStrategy> with_several_objectives(std::unique_ptr<SearchStrategy> strategy) {
  return std::make_unique<SeveralObjectives>(std::move(strategy));
}

}  // namespace sextant::explore
