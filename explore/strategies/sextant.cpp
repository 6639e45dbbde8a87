// Our own: a small, a large and a middle configuration first, then the largest expected improvement under
// Gaussian processes with many kernels, some of which have a step above a threshold of a total. Page:
// docs/models/gaussian-process-search.md.
#include <algorithm>
#include <cmath>

#include "configuration_set.h"
#include "earlier_studies.h"
#include "search_data.h"
#include "search_pool.h"
#include "spread_starts.h"

namespace sextant {
namespace {

constexpr std::size_t kVaried = 4;  // best trials around which large spaces are looked at closely

struct Settings {
  std::size_t starts = 3;
  std::size_t draws = 160;
  std::size_t candidates = 5000;
  double stop = 0.01;
  std::size_t least = 6;
};

std::vector<double> prior_values(const SearchProblem& problem, std::span<const Configuration> at) {
  std::vector<double> values;
  for (const Configuration& each : at) {
    const std::optional<PriorBelief> belief = problem.prior(each);
    values.push_back(belief ? belief->value : std::numeric_limits<double>::quiet_NaN());
  }
  return values;
}

// Logarithm or standardised value, around 0; 0 for what the prior does not know.
Eigen::VectorXd prior_mean(std::span<const double> values, const ValueScale& scale) {
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(std::ssize(values));
  for (Eigen::Index i = 0; i < mean.size(); ++i) {
    const double value = values[static_cast<std::size_t>(i)];
    if (std::isfinite(value) && (!scale.log || value > 0)) mean[i] = scale.to_model(value);
  }
  return mean;
}

class SextantSearch final : public SearchStrategy {
 public:
  explicit SextantSearch(const Settings& settings) : settings_(settings) {}

  [[nodiscard]] std::optional<Proposal> propose(const SearchView& view) const override {
    const ModelLosses losses = model_losses(view.trials, view.problem.objectives.front());
    const SearchData data = search_data(view, losses);
    const auto good = std::span(data.good).first(std::min(kVaried, data.good.size()));
    SearchPool pool = search_pool(view, settings_.candidates, good);
    if (pool.untried.empty()) return std::nullopt;
    if (view.trials.size() < settings_.starts) {
      if (std::optional<Proposal> start = next_start(view, pool)) return start;
    }
    if (data.completed == 0) return farthest_untried(view, pool);
    return largest_improvement(view, pool, data, losses.scale);
  }

 private:
  // The prior's best, or one that earlier studies recommend beside the small and the large one.
  [[nodiscard]] std::vector<Configuration> starts(const SearchView& view, const SearchPool& pool) const {
    const GpPoints points = pool.features.points(pool.sample);
    Rng rng = Rng(view.seed).stream("starts");
    std::vector<Eigen::Index> spread = spread_starts(pool.features, points, settings_.starts, rng);
    std::vector<Configuration> chosen;
    if (view.problem.prior) {
      if (const std::optional<std::size_t> best = best_by_prior(view.problem, pool.sample)) {
        chosen.push_back(pool.sample[*best]);
      }
    }
    if (!view.problem.past.empty() && spread.size() > 2) {
      const Eigen::MatrixXd earlier = earlier_losses(view.problem, pool.features, points);
      if (earlier.cols() > 0) spread[2] = complement_of(earlier, std::span(spread).first(2));
    }
    for (const Eigen::Index each : spread) chosen.push_back(pool.sample[static_cast<std::size_t>(each)]);
    return chosen;
  }

  static std::optional<std::size_t> best_by_prior(const SearchProblem& problem,
                                                  std::span<const Configuration> sample) {
    const std::vector<double> values = prior_values(problem, sample);
    const double sign = problem.objectives.front().maximise ? -1 : 1;
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (std::isfinite(values[i]) && (!best || sign * values[i] < sign * values[*best])) best = i;
    }
    return best;
  }

  [[nodiscard]] std::optional<Proposal> next_start(const SearchView& view, const SearchPool& pool) const {
    const ConfigurationSet tried(view.trials);
    for (Configuration& start : starts(view, pool)) {
      if (!tried.contains(start)) return Proposal{.configuration = std::move(start), .reason = "start"};
    }
    return std::nullopt;
  }

  static Proposal farthest_untried(const SearchView& view, SearchPool& pool) {
    std::vector<Configuration> tried;
    for (const SearchTrial& trial : view.trials) tried.push_back(trial.configuration);
    const Eigen::Index next =
        tried.empty() ? 0 : farthest(pool.features.points(pool.untried), pool.features.points(tried));
    return {.configuration = std::move(pool.untried[static_cast<std::size_t>(next)]),
            .reason = "far from all trials, none of which has completed"};
  }

  static std::vector<BeliefMean> means(const SearchView& view, const SearchPool& pool, const SearchData& data,
                                       const ValueScale& scale) {
    if (!view.problem.prior) return {};
    const std::optional<PriorBelief> some = view.problem.prior(data.seen.front());
    BeliefMean mean;
    mean.at_data = prior_mean(prior_values(view.problem, data.seen), scale);
    mean.at_candidates = prior_mean(prior_values(view.problem, pool.untried), scale);
    mean.chance = 0.5;
    mean.typical_sd = some && some->log_sd > 0 && std::isfinite(some->log_sd) ? some->log_sd : 0.3;
    return {std::move(mean)};
  }

  [[nodiscard]] Proposal largest_improvement(const SearchView& view, SearchPool& pool, const SearchData& data,
                                             const ValueScale& scale) const {
    const GpPoints candidates = pool.features.points(pool.untried);
    const double sd = scale.typical_sd();
    const GpEnsemble ensemble({.features = pool.features,
                               .data = {pool.features.points(data.seen), data.values, data.extra_noise},
                               .pending = pool.features.points(data.running),
                               .scale = {1, sd * sd},
                               .means = means(view, pool, data, scale),
                               .draws = settings_.draws,
                               .stream = Rng(view.seed).stream("kernels")},
                              candidates);
    // Before a limit was met, whatever meets it and is no worse than the worst run is progress.
    const double best = data.best ? *data.best : data.values.head(std::ssize(data.values)).maxCoeff();
    const EnsemblePick pick = ensemble.largest_improvement(
        best, chance_of_limits({.view = view, .features = pool.features, .candidates = candidates}));
    Proposal proposal{.configuration = std::move(pool.untried[static_cast<std::size_t>(pick.candidate)]),
                      .reason = "largest expected improvement",
                      .expected = scale.to_metric(pick.mean),
                      .improvement = scale.relative(pick.improvement, scale.to_metric(best)),
                      .chance_of_better = pick.chance};
    proposal.stop = data.best.has_value() && view.trials.size() >= settings_.least &&
                    *proposal.improvement < settings_.stop;
    return proposal;
  }

  Settings settings_;
};

}  // namespace

SearchStrategyInfo search_strategy_sextant() {
  return {
      {.id = "sextant",
       .summary = "spread starts, then expected improvement averaged over Gaussian processes with thresholds",
       .reference = "docs/models/gaussian-process-search.md",
       .parameters = {{.name = "starts",
                       .summary = "spread configurations before the model",
                       .fallback = 3,
                       .low = 1,
                       .high = 1000},
                      {.name = "draws",
                       .summary = "kernels drawn from their prior",
                       .fallback = 160,
                       .low = 1,
                       .high = 10000},
                      {.name = "candidates",
                       .summary = "most configurations to choose from at a time",
                       .fallback = 5000,
                       .low = 2,
                       .high = 1000000},
                      {.name = "stop",
                       .summary = "stop where less improvement is expected, as a share of the best",
                       .fallback = 0.01,
                       .low = 0,
                       .high = 1},
                      {.name = "least",
                       .summary = "trials before it may stop",
                       .fallback = 6,
                       .low = 1,
                       .high = 1000000}}},
      {},
      [](const std::vector<double>& values) -> std::unique_ptr<SearchStrategy> {
        return std::make_unique<SextantSearch>(Settings{.starts = static_cast<std::size_t>(values[0]),
                                                        .draws = static_cast<std::size_t>(values[1]),
                                                        .candidates = static_cast<std::size_t>(values[2]),
                                                        .stop = values[3],
                                                        .least = static_cast<std::size_t>(values[4])});
      }};
}

}  // namespace sextant
