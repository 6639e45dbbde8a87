// Boosted trees (XGBoost, Chen and Guestrin 2016) on bootstrap samples of the trials: their mean predicts,
// their spread says how sure that is, and the largest expected improvement is next. Page:
// docs/models/search-strategies.md.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "acquisition.h"
#include "search_pool.h"
#include "sextant/learn/method.h"
#include "trial_loss.h"
#include "untried.h"

namespace sextant::explore::search_strategy_boosted_trees {
namespace {

constexpr std::size_t kVariedTrials = 4;  // best ones around which a large space is looked at closely

struct TreeSettings {
  std::size_t starts = 0;
  std::size_t bags = 0;
  std::int64_t trees = 0;
  std::int64_t depth = 0;
  double rate = 0;
  std::size_t candidates = 0;
};

learn::Sample sample_of(const SearchView& view, std::span<const double> values) {
  const SearchSpace& space = view.problem.space;
  learn::Sample sample;
  for (const FeatureColumn& column : space.columns()) sample.columns.push_back({column.name, {}});
  std::vector<std::vector<double>> rows;
  for (const Trial& trial : view.trials) rows.push_back(space.features(trial.configuration));
  sample.x = stats::Matrix::from_rows(rows);
  sample.y.assign(values.begin(), values.end());
  return sample;
}

learn::Sample bootstrap(const learn::Sample& sample, Rng& rng) {
  std::vector<std::size_t> rows(sample.y.size());
  for (std::size_t& row : rows) row = rng.below(rows.size());
  learn::Sample drawn{sample.columns, sample.x.select_rows(rows), {}};
  for (const std::size_t row : rows) drawn.y.push_back(sample.y[row]);
  return drawn;
}

class BaggedTrees {
 public:
  BaggedTrees(const learn::Sample& sample, const TreeSettings& settings, Rng rng) {
    const learn::MethodInfo& method = learn::methods().get("xgboost");
    Parameters parameters(method);
    parameters.set("depth", static_cast<double>(settings.depth));
    parameters.set("rate", settings.rate);
    parameters.set("relative", 0);
    parameters.set("trees", static_cast<double>(settings.trees));
    for (std::size_t i = 0; i < settings.bags; ++i) {
      const learn::Sample bag = bootstrap(sample, rng);
      models_.push_back(method.fit(bag, parameters, rng.bits()));
    }
  }

  [[nodiscard]] NormalPrediction predict(std::span<const double> x) const {
    std::vector<double> all;
    for (const auto& model : models_) all.push_back(model->predict(x));
    const auto count = static_cast<double>(all.size());
    const double mean = std::accumulate(all.begin(), all.end(), 0.0) / count;
    double squares = 0;
    for (const double each : all) squares += (each - mean) * (each - mean);
    return {mean, std::sqrt(squares / count)};
  }

 private:
  std::vector<std::unique_ptr<learn::Regressor>> models_;
};

std::vector<Configuration> best_few(const SearchView& view, std::span<const TrialLoss> losses) {
  std::vector<std::size_t> order(losses.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return better(losses[a], losses[b]); });
  order.resize(std::min(kVariedTrials, order.size()));
  std::vector<Configuration> best;
  for (const std::size_t i : order) best.push_back(view.trials[i].configuration);
  return best;
}

class BoostedTreeSearch final : public SearchStrategy {
 public:
  explicit BoostedTreeSearch(const TreeSettings& settings) : settings_(settings) {}

  [[nodiscard]] std::optional<Proposal> propose(const SearchView& view) const override {
    Rng rng = Rng(view.seed).stream("boosted-trees", view.trials.size());
    const std::vector<TrialLoss> losses = trial_losses(view);
    const bool maximise = view.problem.objectives.front().maximise;
    const std::optional<ScaledLosses> scaled = scaled_losses(losses, maximise);
    if (view.trials.size() < settings_.starts || !scaled) {
      std::optional<Configuration> start = draw_untried(view, rng);
      if (!start) return std::nullopt;
      return Proposal{.configuration = std::move(*start), .reason = "start"};
    }
    SearchPool pool = search_pool(view, {.most = settings_.candidates, .good = best_few(view, losses)});
    if (pool.untried.empty()) return std::nullopt;
    const BaggedTrees trees(sample_of(view, scaled->values), settings_, rng.stream("bags"));
    return largest_improvement(view.problem.space, pool.untried, trees, *scaled);
  }

 private:
  // Trees are flat between the trials: among equals, the one that the fewest trees agree on.
  static Proposal largest_improvement(const SearchSpace& space, std::vector<Configuration>& untried,
                                      const BaggedTrees& trees, const ScaledLosses& scaled) {
    std::size_t chosen = 0;
    double largest = -1;
    NormalPrediction there;
    for (std::size_t i = 0; i < untried.size(); ++i) {
      const NormalPrediction y = trees.predict(space.features(untried[i]));
      const double improvement = expected_improvement(y, scaled.best);
      if (improvement < largest || (improvement == largest && y.sd <= there.sd)) continue;
      chosen = i;
      largest = improvement;
      there = y;
    }
    return {.configuration = std::move(untried[chosen]),
            .reason = "largest expected improvement",
            .expected = scaled.scale.to_metric(there.mean),
            .improvement = scaled.scale.relative(largest, scaled.scale.to_metric(scaled.best)),
            .chance_of_better = chance_below(there, scaled.best)};
  }

  TreeSettings settings_;
};

}  // namespace

std::vector<SearchStrategyInfo> plugin() {
  return {
      {{.id = "boosted-trees",
        .summary = "expected improvement under boosted trees on bootstrap samples of the trials",
        .reference = "docs/models/search-strategies.md",
        .parameters = {count_parameter("starts", "trials drawn at random before the model", {5, 1, 100000}),
                       count_parameter("bags", "bootstrap samples", {10, 2, 1000}),
                       count_parameter("trees", "of each model", {30, 1, 5000}),
                       count_parameter("depth", "of a tree", {3, 1, 20}),
                       number_parameter("rate", "learning rate", {0.3, 0.001, 1}),
                       count_parameter("candidates", "most configurations to choose from at a time",
                                       {2000, 1, 1000000})}},
       {"xgboost"},
       [](const Parameters& parameters) -> std::unique_ptr<SearchStrategy> {
         const auto size = [&](const char* name) { return static_cast<std::size_t>(parameters.count(name)); };
         return std::make_unique<BoostedTreeSearch>(TreeSettings{.starts = size("starts"),
                                                                 .bags = size("bags"),
                                                                 .trees = parameters.count("trees"),
                                                                 .depth = parameters.count("depth"),
                                                                 .rate = parameters.number("rate"),
                                                                 .candidates = size("candidates")});
       }}};
}

}  // namespace sextant::explore::search_strategy_boosted_trees
