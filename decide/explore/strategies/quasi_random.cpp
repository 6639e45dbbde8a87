// Points of a scrambled Sobol sequence, one after the other: covers the space evenly from the first trials
// on.
#include "sextant/explore/search_strategy.h"
#include "sextant/explore/sobol.h"
#include "untried.h"

namespace sextant::explore::search_strategy_quasi_random {
namespace {

class QuasiRandomSearch final : public SearchStrategy {
  // The sequence belongs to the seed alone: the first of its points that is valid and untried comes next, so
  // that trials which somebody else made shift nothing.
  [[nodiscard]] std::optional<Proposal> propose(const SearchView& view) const override {
    const SearchSpace& space = view.problem.space;
    const TriedConfigurations tried(view);
    const SobolSequence sequence(space.factors().size(), view.seed);
    const std::uint64_t looks = 64 * view.trials.size() + 4096;
    for (std::uint64_t i = 0; i < looks; ++i) {
      Configuration here = space.at(sequence.point(i));
      if (!space.valid(here) || tried.contains(here)) continue;
      return Proposal{.configuration = std::move(here), .reason = "next point of Sobol's sequence"};
    }
    Rng rng = Rng(view.seed).stream("quasi-random", view.trials.size());
    std::optional<Configuration> rest = draw_untried(view, rng);
    if (!rest) return std::nullopt;
    return Proposal{.configuration = std::move(*rest), .reason = "drawn at random"};
  }
};

}  // namespace

std::vector<SearchStrategyInfo> plugin() {
  return {{{.id = "quasi-random",
            .summary = "points of Sobol's sequence, scrambled, none twice",
            .reference =
                "Joe and Kuo, SIAM J. Sci. Comput. 30, 2008; Owen, Randomly permuted (t,m,s)-nets, 1995"},
           {"sobol"},
           [](const Parameters&) -> std::unique_ptr<SearchStrategy> {
             return std::make_unique<QuasiRandomSearch>();
           }}};
}

}  // namespace sextant::explore::search_strategy_quasi_random
