#include "improvement_proposal.h"

#include <algorithm>

#include "feasibility.h"
#include "spread_starts.h"

namespace sextant::explore {
namespace {

GpPoints tried_points(const SearchView& view, const SearchPool& pool) {
  std::vector<Configuration> tried;
  for (const Trial& trial : view.trials) tried.push_back(trial.configuration);
  return pool.features.points(tried);
}

}  // namespace

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

Proposal inner_proposal(const SearchView& view, SearchPool& pool) {
  const GpPoints points = pool.features.points(pool.untried);
  const Eigen::VectorXd off = offset_from_middle(points);
  std::vector<double> sorted(off.begin(), off.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::ranges::nth_element(sorted, middle);
  std::vector<Eigen::Index> inner;
  for (Eigen::Index i = 0; i < off.size(); ++i) {
    if (off[i] <= *middle) inner.push_back(i);
  }
  const Eigen::Index next = farthest(points(Eigen::all, inner), tried_points(view, pool));
  const auto chosen = static_cast<std::size_t>(inner[static_cast<std::size_t>(next)]);
  return {.configuration = std::move(pool.untried[chosen]),
          .reason = "far from all trials, inside the space"};
}

Proposal farthest_proposal(const SearchView& view, SearchPool& pool) {
  const Eigen::Index next =
      view.trials.empty() ? 0 : farthest(pool.features.points(pool.untried), tried_points(view, pool));
  return {.configuration = std::move(pool.untried[static_cast<std::size_t>(next)]),
          .reason = "far from all trials, none of which has completed"};
}

}  // namespace sextant::explore
