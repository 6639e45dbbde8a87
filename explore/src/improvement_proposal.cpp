#include "improvement_proposal.h"

#include "feasibility.h"
#include "spread_starts.h"

namespace sextant {
namespace {

// Empty: 1 for all.
Eigen::VectorXd both(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  if (a.size() == 0) return b;
  return b.size() == 0 ? a : a.cwiseProduct(b);
}

Eigen::VectorXd chance_of_an_answer(const ImprovementRequest& request, const GpPoints& candidates) {
  const FeasibilityInput input{request.view, request.pool.features, candidates};
  const bool may_fail = request.failures == Failures::have_a_chance;
  return both(chance_of_limits(input), may_fail ? chance_of_completion(input) : Eigen::VectorXd());
}

}  // namespace

Proposal improvement_proposal(ImprovementRequest request) {
  const SearchData& data = request.data;
  const GpPoints candidates = request.pool.features.points(request.pool.untried);
  // Before a limit was met, whatever meets it and is no worse than the worst run is progress.
  const double best = data.best ? *data.best : data.values.maxCoeff();
  const GpEnsemble ensemble(std::move(request.ensemble), candidates);
  const EnsemblePick pick = ensemble.largest_improvement(best, chance_of_an_answer(request, candidates));
  const ValueScale& scale = data.scale;
  return {.configuration = std::move(request.pool.untried[static_cast<std::size_t>(pick.candidate)]),
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
