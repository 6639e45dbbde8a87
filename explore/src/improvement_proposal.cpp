#include "improvement_proposal.h"

#include "spread_starts.h"

namespace sextant {

Proposal improvement_proposal(const SearchView& view, SearchPool& pool, const SearchData& data,
                              EnsembleInput input) {
  const GpPoints candidates = pool.features.points(pool.untried);
  // Before a limit was met, whatever meets it and is no worse than the worst run is progress.
  const double best = data.best ? *data.best : data.values.maxCoeff();
  const GpEnsemble ensemble(std::move(input), candidates);
  const EnsemblePick pick = ensemble.largest_improvement(
      best, chance_of_limits({.view = view, .features = pool.features, .candidates = candidates}));
  const ValueScale& scale = data.scale;
  return {.configuration = std::move(pool.untried[static_cast<std::size_t>(pick.candidate)]),
          .reason = "largest expected improvement",
          .expected = scale.to_metric(pick.mean),
          .improvement = scale.relative(pick.improvement, scale.to_metric(best)),
          .chance_of_better = pick.chance};
}

Proposal farthest_proposal(const SearchView& view, SearchPool& pool) {
  std::vector<Configuration> tried;
  for (const SearchTrial& trial : view.trials) tried.push_back(trial.configuration);
  const Eigen::Index next =
      tried.empty() ? 0 : farthest(pool.features.points(pool.untried), pool.features.points(tried));
  return {.configuration = std::move(pool.untried[static_cast<std::size_t>(next)]),
          .reason = "far from all trials, none of which has completed"};
}

}  // namespace sextant
