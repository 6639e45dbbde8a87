#include "modelled_trials.h"

#include <algorithm>

#include "trial_loss.h"

namespace sextant::explore {

std::vector<Trial> modelled_trials(const SearchView& view, std::size_t most) {
  const std::vector<TrialLoss> losses = trial_losses(view);
  std::vector<std::size_t> ended;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    (losses[i].kind == LossKind::running ? kept : ended).push_back(i);
  }
  const auto best = static_cast<std::ptrdiff_t>(std::min(most / 2, ended.size()));
  const auto less = [&](std::size_t a, std::size_t b) {
    return better(losses[a], losses[b]) || (!better(losses[b], losses[a]) && a < b);
  };
  std::ranges::partial_sort(ended, ended.begin() + best, less);
  kept.insert(kept.end(), ended.begin(), ended.begin() + best);
  std::sort(ended.begin() + best, ended.end());
  const std::size_t rest = ended.size() - static_cast<std::size_t>(best);
  const std::size_t places = std::min(rest, most - static_cast<std::size_t>(best));
  for (std::size_t i = 0; i < places; ++i) {
    kept.push_back(ended[static_cast<std::size_t>(best) + i * rest / places]);
  }
  std::ranges::sort(kept);
  std::vector<Trial> trials;
  for (const std::size_t i : kept) trials.push_back(view.trials[i]);
  return trials;
}

}  // namespace sextant::explore
