#include "earlier_studies.h"

#include <vector>

#include "kernel_prior.h"
#include "search_data.h"

namespace sextant::explore {
namespace {

// The median of the prior, without steps: many trials need no average over kernels.
GpKernel usual_kernel(const FeatureMap& features) {
  const KernelPrior median{.length_log_sd = 0, .noise_log_sd = 0, .step_chance = 0};
  return draw_kernel(features, median, Rng(0), 0);
}

}  // namespace

Eigen::MatrixXd earlier_losses(const SearchProblem& problem, const FeatureMap& features, const GpPoints& at) {
  const GpKernel kernel = usual_kernel(features);
  std::vector<Eigen::VectorXd> columns;
  for (const PastStudy& past : problem.past) {
    const ModelLosses losses = model_losses(past.trials, problem.objectives.front());
    const SearchData data = search_data({.problem = problem, .trials = past.trials}, losses);
    if (data.completed < 2) continue;
    const double sd = losses.scale.typical_sd();
    const GaussianProcess process(kernel, {features.points(data.seen), data.values, data.extra_noise},
                                  {1, sd * sd});
    const Eigen::VectorXd surface = process.mean(process.cross(at));
    columns.emplace_back(surface.array() - surface.minCoeff());
  }
  Eigen::MatrixXd all(at.cols(), std::ssize(columns));
  for (std::size_t i = 0; i < columns.size(); ++i) all.col(static_cast<Eigen::Index>(i)) = columns[i];
  return all;
}

}  // namespace sextant::explore
