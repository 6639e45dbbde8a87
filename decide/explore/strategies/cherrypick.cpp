// CherryPick as published: three quasi-random configurations, then the largest expected improvement under a
// Gaussian process of log cost (Matern 5/2, a length scale per feature, likely settings), weighed by the
// chance to meet the limits, until it is below 10 % of the best and six runs are done.
#include <limits>

#include "improvement_proposal.h"

namespace sextant::explore::search_strategy_cherrypick {
namespace {

constexpr std::size_t kSettingsTried = 400;
constexpr std::size_t kSettingsKept = 10;  // the most likely: its authors average over ten samples
// Few lengths are above 2, the bound of its authors, on features scaled to 0..1.
constexpr KernelPrior kLengths{
    .length = 0.25, .length_log_sd = 0.7, .noise_sd = 0.03, .mean_variance = 0, .step_chance = 0};

struct PublishedRule {
  std::size_t starts = 3;
  double stop = 0.1;
  std::size_t least = 6;
};

class CherryPick final : public SearchStrategy {
 public:
  explicit CherryPick(const PublishedRule& rule) : rule_(rule) {}

  [[nodiscard]] std::optional<Proposal> propose(const SearchView& view) const override {
    if (view.trials.size() < rule_.starts) return quasi_random_->propose(view);
    const ModelLosses losses = model_losses(view.trials, view.problem.objectives.front());
    SearchData data = search_data(view, losses);
    if (data.completed == 0) return quasi_random_->propose(view);
    // A failed run is a run as bad as the worst: the paper knows no doubt about it.
    data.extra_noise.setZero();
    SearchPool pool = search_pool(view, {.totals = Totals::none});
    if (pool.untried.empty()) return std::nullopt;
    Proposal proposal = improvement_proposal(
        {view,
         pool,
         data,
         {.features = pool.features,
          .data = {pool.features.points(data.seen), data.values, data.extra_noise},
          .pending = pool.features.points(data.running),
          // Its variance is fixed: configurations differ by a factor of e, or by a standard deviation.
          .scale = {std::numeric_limits<double>::infinity(), 1},
          .prior = kLengths,
          .draws = kSettingsTried,
          .most_kernels = kSettingsKept,
          .stream = Rng(view.seed).stream("cherrypick")}});
    proposal.stop =
        data.best.has_value() && view.trials.size() >= rule_.least && *proposal.improvement < rule_.stop;
    return proposal;
  }

 private:
  PublishedRule rule_;
  std::unique_ptr<SearchStrategy> quasi_random_ = make_search_strategy("quasi-random");
};

}  // namespace

std::vector<SearchStrategyInfo> plugin() {
  return {{{.id = "cherrypick",
            .summary = "quasi-random starts, then expected improvement under Gaussian processes of log cost",
            .reference =
                "Alipourfard et al., CherryPick: adaptively unearthing the best cloud configurations for "
                "big data analytics, NSDI 2017",
            .parameters =
                {count_parameter("starts", "quasi-random configurations before the model", {3, 1, 1000}),
                 share_parameter("stop", "stop where less improvement is expected, as a share of the best",
                                 {0.1, 0, 1}),
                 count_parameter("least", "trials before it may stop", {6, 1, 1000000})}},
           {},
           [](const Parameters& parameters) -> std::unique_ptr<SearchStrategy> {
             const auto size = [&](const char* name) {
               return static_cast<std::size_t>(parameters.count(name));
             };
             return std::make_unique<CherryPick>(PublishedRule{
                 .starts = size("starts"), .stop = parameters.share("stop"), .least = size("least")});
           }}};
}

}  // namespace sextant::explore::search_strategy_cherrypick
