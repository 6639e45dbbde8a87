// Our own: a small, a large and a middle configuration first, then the largest expected improvement under
// Gaussian processes with many kernels, some of which have a step above a threshold of a total; now and then
// a configuration that is far from all trials but inside the space, whatever the model says. Page:
// docs/models/gaussian-process-search.md.
#include <algorithm>
#include <cmath>

#include "belief_means.h"
#include "improvement_proposal.h"
#include "modelled_trials.h"
#include "search_pool.h"
#include "spread_starts.h"
#include "untried.h"

namespace sextant::explore::search_strategy_sextant {
namespace {

constexpr std::size_t kVaried = 4;  // best trials around which large spaces are looked at closely
// Of more trials, the model sees a part: a step takes time with the third power of what it sees.
constexpr std::size_t kMostModelled = 300;
constexpr std::size_t kHedged = 10;  // trials after which the model is trusted

struct Settings {
  std::size_t starts = 3;
  std::size_t spread = 5;
  std::size_t draws = 160;
  std::size_t candidates = 5000;
  double stop = 0.01;
  std::size_t least = 6;
  std::size_t patience = 4;
  double alike = 0.2;
};

// Trials that have ended since the best was improved by more than `share` of itself.
std::size_t without_progress(const SearchView& view, double share) {
  std::optional<double> best;
  std::size_t ended = 0;
  for (const Trial& trial : view.trials) {
    if (trial.outcome.state == TrialState::running) continue;
    ++ended;
    const std::optional<double> value = loss(trial, view.problem.objectives.front());
    if (!value || !feasible(trial, view.problem.limits)) continue;
    if (!best || *value < *best - share * std::abs(*best)) ended = 0;
    best = best ? std::min(*best, *value) : *value;
  }
  return ended;
}

// The best trials of a view.
std::vector<Configuration> to_vary(const SearchView& view, const SearchData& data) {
  std::vector<Configuration> best;
  for (std::size_t i = 0; i < std::min(kVaried, data.good.size()); ++i) {
    best.push_back(view.trials[data.good[i]].configuration);
  }
  return best;
}

class SextantSearch final : public SearchStrategy {
 public:
  explicit SextantSearch(const Settings& settings) : settings_(settings) {}

  [[nodiscard]] std::optional<Proposal> propose(const SearchView& view) const override {
    const std::vector<Trial> part =
        view.trials.size() > kMostModelled ? modelled_trials(view, kMostModelled) : std::vector<Trial>{};
    SearchView modelled = view;
    if (!part.empty()) modelled.trials = part;
    const ModelLosses losses = model_losses(modelled.trials, view.problem.objectives.front());
    const SearchData data = search_data(modelled, losses);
    SearchPool pool = search_pool(view, {.most = settings_.candidates, .good = to_vary(modelled, data)});
    if (pool.untried.empty()) return std::nullopt;
    if (view.trials.size() < settings_.starts) {
      if (std::optional<Proposal> start = next_start(view, pool)) return start;
    }
    if (data.completed == 0) return farthest_proposal(view, pool);
    if (hedges(view)) return inner_proposal(view, pool);
    Proposal proposal = largest_improvement(modelled, pool, data, losses.scale);
    proposal.stop = data.best.has_value() && view.trials.size() >= settings_.least &&
                    without_progress(view, settings_.stop) >= settings_.patience &&
                    *proposal.improvement < settings_.stop;
    return proposal;
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
    const TriedConfigurations tried(view);
    for (Configuration& start : starts(view, pool)) {
      if (!tried.contains(start)) return Proposal{.configuration = std::move(start), .reason = "start"};
    }
    return std::nullopt;
  }

  // Levels that are described, such as machine types by their memory, are placed by their features; earlier
  // studies and priors know the space.
  [[nodiscard]] bool hedges(const SearchView& view) const {
    const std::size_t next = view.trials.size() + 1;
    if (settings_.spread == 0 || next > kHedged || next % settings_.spread != 0) return false;
    const auto& factors = view.problem.space.factors();
    const auto described = [&](const FeatureColumn& column) {
      return column.numeric && std::ranges::find(factors, column.name, &SearchFactor::name) == factors.end();
    };
    const auto completed = [](const PastStudy& study) {
      return std::ranges::any_of(
          study.trials, [](const Trial& trial) { return trial.outcome.state == TrialState::completed; });
    };
    return !std::ranges::any_of(view.problem.space.columns(), described) && !view.problem.prior &&
           !std::ranges::any_of(view.problem.past, completed);
  }

  [[nodiscard]] Proposal largest_improvement(const SearchView& view, SearchPool& pool, const SearchData& data,
                                             const ValueScale& scale) const {
    const double sd = scale.typical_sd();
    return improvement_proposal({view,
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
                 count_parameter("spread",
                                 "of the first ten trials, every trial of this number goes far from all "
                                 "others inside the space; 0: none",
                                 {5, 0, 1000}),
                 count_parameter("draws", "kernels drawn from their prior", {160, 1, 10000}),
                 count_parameter("candidates", "most configurations to choose from at a time",
                                 {5000, 2, 1000000}),
                 share_parameter("stop", "stop where less improvement is expected, as a share of the best",
                                 {0.01, 0, 1}),
                 count_parameter("least", "trials before it may stop", {6, 1, 1000000}),
                 count_parameter("patience", "trials in a row without such an improvement before it may stop",
                                 {4, 0, 1000000}),
                 share_parameter("alike",
                                 "chance that the study is like one of the earlier ones that it was told of",
                                 {0.2, 0, 0.99})}},
           {},
           [](const Parameters& parameters) -> std::unique_ptr<SearchStrategy> {
             const auto size = [&](const char* name) {
               return static_cast<std::size_t>(parameters.count(name));
             };
             return std::make_unique<SextantSearch>(Settings{.starts = size("starts"),
                                                             .spread = size("spread"),
                                                             .draws = size("draws"),
                                                             .candidates = size("candidates"),
                                                             .stop = parameters.share("stop"),
                                                             .least = size("least"),
                                                             .patience = size("patience"),
                                                             .alike = parameters.share("alike")});
           }}};
}

}  // namespace sextant::explore::search_strategy_sextant
