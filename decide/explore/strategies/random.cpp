// The baseline: any configuration that was not tried, each as likely as the space draws it.
#include "sextant/explore/search_strategy.h"
#include "untried.h"

namespace sextant::explore::search_strategy_random {
namespace {

class RandomSearch final : public SearchStrategy {
  [[nodiscard]] std::optional<Proposal> propose(const SearchView& view) const override {
    Rng rng = Rng(view.seed).stream("random-search", view.trials.size());
    std::optional<Configuration> next = draw_untried(view, rng);
    if (!next) return std::nullopt;
    return Proposal{.configuration = std::move(*next), .reason = "drawn at random"};
  }
};

}  // namespace

std::vector<SearchStrategyInfo> plugin() {
  return {
      {{.id = "random",
        .summary = "configurations drawn at random, none twice",
        .reference = "Bergstra and Bengio, Random search for hyper-parameter optimization, JMLR 13, 2012"},
       {},
       [](const Parameters&) -> std::unique_ptr<SearchStrategy> {
         return std::make_unique<RandomSearch>();
       }}};
}

}  // namespace sextant::explore::search_strategy_random
