// Tree-structured Parzen estimator (Bergstra et al., NeurIPS 2011): the density of good configurations over
// that of the others, each made of kernels around trials. It ranks trials and needs no scale, and takes
// factors that exist only under conditions as they come. Page: docs/models/search-strategies.md.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "parzen.h"
#include "sextant/explore/configuration_set.h"
#include "trial_loss.h"
#include "untried.h"

namespace sextant::explore::search_strategy_tpe {
namespace {

constexpr std::size_t kMostGood = 25;      // as in Optuna
constexpr std::size_t kDrawsPerKept = 20;  // of which many break constraints or are known
constexpr std::size_t kScored = 2000;      // where the draws give nothing new

struct TpeSettings {
  std::size_t starts = 0;
  double good = 0;
  std::size_t draws = 0;
  double prior_weight = 1;
  bool together = false;
};

struct Groups {
  std::vector<Configuration> good;
  std::vector<Configuration> other;  // failed, stopped and running ones too: constant liar
};

Groups groups_of(const SearchView& view, double share) {
  const std::vector<TrialLoss> losses = trial_losses(view);
  std::vector<std::size_t> order(losses.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return better(losses[a], losses[b]); });
  const auto completed = static_cast<std::size_t>(std::ranges::count_if(
      losses, [](const TrialLoss& each) { return each.kind <= LossKind::beyond_limit; }));
  const auto wanted = static_cast<std::size_t>(std::ceil(share * static_cast<double>(losses.size())));
  const std::size_t good = std::min({wanted, completed, kMostGood});
  Groups groups;
  for (std::size_t i = 0; i < order.size(); ++i) {
    (i < good ? groups.good : groups.other).push_back(view.trials[order[i]].configuration);
  }
  return groups;
}

// One mixture over all factors, or one for each, around the configurations that have it.
std::vector<ParzenMixture> mixtures(const SearchSpace& space, const std::vector<Configuration>& around,
                                    const TpeSettings& settings) {
  std::vector<std::size_t> all(space.factors().size());
  std::iota(all.begin(), all.end(), 0);
  if (settings.together) return {ParzenMixture({space, all, around, settings.prior_weight})};
  std::vector<ParzenMixture> each;
  for (const std::size_t factor : all) {
    std::vector<Configuration> having;
    std::ranges::copy_if(around, std::back_inserter(having), [&](const Configuration& configuration) {
      return !std::isnan(configuration.values[factor]);
    });
    each.emplace_back(ParzenMixture::Input{space, {factor}, having, settings.prior_weight});
  }
  return each;
}

class TpeSearch final : public SearchStrategy {
 public:
  explicit TpeSearch(const TpeSettings& settings) : settings_(settings) {}

  [[nodiscard]] std::optional<Proposal> propose(const SearchView& view) const override {
    Rng rng = Rng(view.seed).stream("tpe", view.trials.size());
    if (view.trials.size() < settings_.starts) {
      std::optional<Configuration> start = draw_untried(view, rng);
      if (!start) return std::nullopt;
      return Proposal{.configuration = std::move(*start), .reason = "start"};
    }
    const SearchSpace& space = view.problem.space;
    const Groups groups = groups_of(view, settings_.good);
    const std::vector<ParzenMixture> good = mixtures(space, groups.good, settings_);
    const std::vector<ParzenMixture> other = mixtures(space, groups.other, settings_);
    std::vector<Configuration> choice = drawn(view, good, rng);
    if (choice.empty()) choice = untried_candidates(view, kScored, rng);
    if (choice.empty()) return std::nullopt;
    const auto ratio = [&](const Configuration& each) {
      const std::vector<double> unit = space.unit(each);
      double log = 0;
      for (const ParzenMixture& mixture : good) log += mixture.log_density(each, unit);
      for (const ParzenMixture& mixture : other) log -= mixture.log_density(each, unit);
      return log;
    };
    return Proposal{.configuration = std::move(*std::ranges::max_element(choice, {}, ratio)),
                    .reason = "likelier among the good trials than among the others"};
  }

 private:
  // From the density of the good ones: untried ones that meet all constraints.
  [[nodiscard]] std::vector<Configuration> drawn(const SearchView& view,
                                                 const std::vector<ParzenMixture>& good, Rng& rng) const {
    const SearchSpace& space = view.problem.space;
    ConfigurationSet seen(view.trials);
    std::vector<Configuration> kept;
    std::vector<double> unit(space.factors().size(), 0.5);
    for (std::size_t i = 0; i < kDrawsPerKept * settings_.draws && kept.size() < settings_.draws; ++i) {
      for (const ParzenMixture& mixture : good) mixture.draw(rng, unit);
      Configuration next = space.at(unit);
      if (space.valid(next) && seen.insert(next)) kept.push_back(std::move(next));
    }
    return kept;
  }

  TpeSettings settings_;
};

}  // namespace

std::vector<SearchStrategyInfo> plugin() {
  return {
      {{.id = "tpe",
        .summary = "tree-structured Parzen estimator: where good trials are dense and others are not",
        .reference = "docs/models/search-strategies.md",
        .parameters =
            {count_parameter("starts", "trials drawn at random before the model", {5, 1, 100000}),
             share_parameter("good", "share of the trials that count as good, 25 at most", {0.2, 0.001, 0.9}),
             count_parameter("draws", "configurations drawn from the good density to choose from",
                             {24, 1, 100000}),
             number_parameter("prior-weight", "weight of the prior, in trials", {1, 0.001, 1000}),
             flag_parameter("together", "1: kernels over all factors at once, 0: each factor by itself",
                            true)}},
       {"parzen"},
       [](const Parameters& parameters) -> std::unique_ptr<SearchStrategy> {
         const auto size = [&](const char* name) { return static_cast<std::size_t>(parameters.count(name)); };
         return std::make_unique<TpeSearch>(TpeSettings{.starts = size("starts"),
                                                        .good = parameters.share("good"),
                                                        .draws = size("draws"),
                                                        .prior_weight = parameters.number("prior-weight"),
                                                        .together = parameters.flag("together")});
       }}};
}

}  // namespace sextant::explore::search_strategy_tpe
