// Our own: a small, a large and a middle configuration first, then the largest expected improvement under
// Gaussian processes with many kernels, some of which have a step above a threshold of a total. Page:
// docs/models/gaussian-process-search.md.
#include <algorithm>

#include "belief_means.h"
#include "configuration_set.h"
#include "improvement_proposal.h"
#include "search_pool.h"
#include "spread_starts.h"

namespace sextant::explore::search_strategy_sextant {
namespace {

constexpr std::size_t kVaried = 4;  // best trials around which large spaces are looked at closely

struct Settings {
  std::size_t starts = 3;
  std::size_t draws = 160;
  std::size_t candidates = 5000;
  double stop = 0.01;
  std::size_t least = 6;
  double alike = 0.2;
};

class SextantSearch final : public SearchStrategy {
 public:
  explicit SextantSearch(const Settings& settings) : settings_(settings) {}

  [[nodiscard]] std::optional<Proposal> propose(const SearchView& view) const override {
    const ModelLosses losses = model_losses(view.trials, view.problem.objectives.front());
    const SearchData data = search_data(view, losses);
    const auto good = std::span(data.good).first(std::min(kVaried, data.good.size()));
    SearchPool pool = search_pool(view, {.most = settings_.candidates, .good = good});
    if (pool.untried.empty()) return std::nullopt;
    if (view.trials.size() < settings_.starts) {
      if (std::optional<Proposal> start = next_start(view, pool)) return start;
    }
    if (data.completed == 0) return farthest_proposal(view, pool);
    return largest_improvement(view, pool, data, losses.scale);
  }

 private:
  // What the prior thinks best, then spread ones.
  [[nodiscard]] std::vector<Configuration> starts(const SearchView& view, const SearchPool& pool) const {
    const GpPoints points = pool.features.points(pool.sample);
    Rng rng = Rng(view.seed).stream("starts");
    std::vector<Configuration> chosen;
    if (view.problem.prior) {
      if (const std::optional<std::size_t> best = best_by_prior(view.problem, pool.sample)) {
        chosen.push_back(pool.sample[*best]);
      }
    }
    for (const Eigen::Index each : spread_starts(pool.features, points, settings_.starts, rng)) {
      chosen.push_back(pool.sample[static_cast<std::size_t>(each)]);
    }
    return chosen;
  }

  [[nodiscard]] std::optional<Proposal> next_start(const SearchView& view, const SearchPool& pool) const {
    const ConfigurationSet tried(view.trials);
    for (Configuration& start : starts(view, pool)) {
      if (!tried.contains(start)) return Proposal{.configuration = std::move(start), .reason = "start"};
    }
    return std::nullopt;
  }

  [[nodiscard]] Proposal largest_improvement(const SearchView& view, SearchPool& pool, const SearchData& data,
                                             const ValueScale& scale) const {
    const double sd = scale.typical_sd();
    Proposal proposal =
        improvement_proposal({view,
                              pool,
                              data,
                              {.features = pool.features,
                               .data = {pool.features.points(data.seen), data.values, data.extra_noise},
                               .pending = pool.features.points(data.running),
                               .scale = {1, sd * sd},
                               .means = belief_means({view, pool, data, settings_.alike}),
                               .draws = settings_.draws,
                               .most_kernels = settings_.draws,
                               .stream = Rng(view.seed).stream("kernels")},
                              Failures::have_a_chance});
    proposal.stop = data.best.has_value() && view.trials.size() >= settings_.least &&
                    *proposal.improvement < settings_.stop;
    return proposal;
  }

  Settings settings_;
};

}  // namespace

std::vector<SearchStrategyInfo> plugin() {
  return {{{.id = "sextant",
            .summary =
                "spread starts, then expected improvement averaged over Gaussian processes with thresholds",
            .reference = "docs/models/gaussian-process-search.md",
            .parameters =
                {count_parameter("starts", "spread configurations before the model", {3, 1, 1000}),
                 count_parameter("draws", "kernels drawn from their prior", {160, 1, 10000}),
                 count_parameter("candidates", "most configurations to choose from at a time",
                                 {5000, 2, 1000000}),
                 share_parameter("stop", "stop where less improvement is expected, as a share of the best",
                                 {0.01, 0, 1}),
                 count_parameter("least", "trials before it may stop", {6, 1, 1000000}),
                 share_parameter("alike",
                                 "chance that the study is like one of the earlier ones that it was told of",
                                 {0.2, 0, 0.99})}},
           {},
           [](const Parameters& parameters) -> std::unique_ptr<SearchStrategy> {
             const auto size = [&](const char* name) {
               return static_cast<std::size_t>(parameters.count(name));
             };
             return std::make_unique<SextantSearch>(Settings{.starts = size("starts"),
                                                             .draws = size("draws"),
                                                             .candidates = size("candidates"),
                                                             .stop = parameters.share("stop"),
                                                             .least = size("least"),
                                                             .alike = parameters.share("alike")});
           }}};
}

}  // namespace sextant::explore::search_strategy_sextant
