#include "trial_log.h"

namespace sextant::study {
namespace {

// Nothing where the space has changed since.
std::optional<explore::Trial> placed_trial(const explore::SearchSpace& space, const StoredTrial& stored) {
  explore::Trial trial = stored;
  try {
    trial.configuration = space.parse(stored.levels);
  } catch (const InputError&) {
    return std::nullopt;
  }
  return trial;
}

}  // namespace

std::vector<explore::Trial> search_trials(const explore::SearchSpace& space,
                                          const std::vector<StoredTrial>& stored) {
  std::vector<explore::Trial> trials;
  for (const StoredTrial& one : stored) {
    if (std::optional<explore::Trial> trial = placed_trial(space, one)) trials.push_back(std::move(*trial));
  }
  return trials;
}

void TrialLog::update(const std::vector<StoredTrial>& all) {
  for (auto each = running_.begin(); each != running_.end();) {
    const std::size_t at = *each++;
    if (at < all.size() && all[at].outcome.state != explore::TrialState::running) end(all[at]);
  }
  for (std::size_t i = count(); i < all.size(); ++i) add(all[i]);
}

void TrialLog::add(const StoredTrial& trial) {
  std::optional<std::size_t>& place = placed_at_.emplace_back();
  if (std::optional<explore::Trial> placed = placed_trial(study_.problem.space, trial)) {
    place = placed_.size();
    tried_.insert(placed->configuration);
    placed_.push_back(std::move(*placed));
  }
  if (trial.reason.starts_with(kDesignReason)) ++planned_;
  running_.insert(count() - 1);
  if (trial.outcome.state != explore::TrialState::running) end(trial);
}

// Of equal trials the first is the best, whichever ended first.
void TrialLog::end(const StoredTrial& trial) {
  const auto at = static_cast<std::size_t>(trial.number - 1);
  running_.erase(at);
  cost_usd_ += trial.cost;
  failed_ += trial.outcome.state == explore::TrialState::failed ? 1 : 0;
  any_completed_ = any_completed_ || trial.outcome.state == explore::TrialState::completed;
  if (!placed_at_[at]) return;
  explore::Trial& placed = placed_[*placed_at_[at]];
  placed.outcome = trial.outcome;
  placed.cost = trial.cost;
  const explore::SearchProblem& problem = study_.problem;
  const std::optional<double> value = loss(placed, problem.objectives.front());
  if (!value || !feasible(placed, problem.limits)) return;
  const std::optional<double> least = best_ ? loss(*best_, problem.objectives.front()) : std::nullopt;
  if (!least || *value < *least || (*value == *least && trial.number < best_->number)) best_ = trial;
}

}  // namespace sextant::study
