#include "improvement_proposal.h"

#include "feasibility.h"
#include "spread_starts.h"

namespace sextant::explore {

Proposal improvement_proposal(ImprovementRequest request) {
  const SearchData& data = request.data;
  const GpPoints candidates = request.pool.features.points(request.pool.untried);
  // Before a limit was met, whatever meets it and is no worse than the worst run is progress.
  const double best = data.best ? *data.best : data.values.maxCoeff();
  const GpEnsemble ensemble(std::move(request.ensemble), candidates);
  const FeasibilityInput input{request.view, request.pool.features, candidates};
  Feasibility feasibility(input);
  if (request.failures == Failures::have_a_chance) feasibility.ask_for_completion(input);
  const EnsemblePick pick = ensemble.largest_improvement(
      best, [&](std::span<const Eigen::Index> chosen) { return feasibility.chances(chosen); });
  const ValueScale& scale = data.scale;
  return {.configuration = std::move(request.pool.untried[static_cast<std::size_t>(pick.candidate)]),
          .reason = "largest expected improvement",
          .expected = scale.to_metric(pick.mean),
          .improvement = scale.relative(pick.improvement, scale.to_metric(best)),
          .chance_of_better = pick.chance};
}

Proposal farthest_proposal(const SearchView& view, SearchPool& pool) {
  std::vector<Configuration> tried;
  for (const Trial& trial : view.trials) tried.push_back(trial.configuration);
  const Eigen::Index next =
      tried.empty() ? 0 : farthest(pool.features.points(pool.untried), pool.features.points(tried));
  return {.configuration = std::move(pool.untried[static_cast<std::size_t>(next)]),
          .reason = "far from all trials, none of which has completed"};
}

}  // namespace sextant::explore
