#include "untried.h"

namespace sextant::explore {
namespace {

// A space this small is listed rather than drawn from again and again.
constexpr std::size_t kListed = 100000;

std::vector<Configuration> without(std::vector<Configuration> all, const TriedConfigurations& tried) {
  std::erase_if(all, [&](const Configuration& each) { return tried.contains(each); });
  return all;
}

}  // namespace

TriedConfigurations::TriedConfigurations(const SearchView& view) : given_(view.tried) {
  if (given_ == nullptr) made_ = ConfigurationSet(view.trials);
}

std::optional<Configuration> draw_untried(const SearchView& view, Rng& rng) {
  const TriedConfigurations tried(view);
  const SearchSpace& space = view.problem.space;
  constexpr int kUntriedDraws = 100;
  for (int i = 0; i < kUntriedDraws; ++i) {
    Configuration drawn = space.draw(rng);
    if (!tried.contains(drawn)) return drawn;
  }
  if (std::optional<std::vector<Configuration>> all = space.all(kListed)) {
    std::vector<Configuration> left = without(std::move(*all), tried);
    if (left.empty()) return std::nullopt;
    return std::move(left[rng.below(left.size())]);
  }
  for (std::size_t i = 0; i < kListed; ++i) {
    Configuration drawn = space.draw(rng);
    if (!tried.contains(drawn)) return drawn;
  }
  return std::nullopt;
}

std::vector<Configuration> untried_candidates(const SearchView& view, std::size_t most, Rng& rng) {
  const TriedConfigurations tried(view);
  std::vector<Configuration> left =
      without(candidates(view.problem.space, most + view.trials.size(), rng), tried);
  if (!left.empty()) return left;
  if (std::optional<Configuration> other = draw_untried(view, rng)) left.push_back(std::move(*other));
  return left;
}

}  // namespace sextant::explore
