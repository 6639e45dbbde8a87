// What earlier studies of the same space say of configurations: the surface of each as a Gaussian process
// makes it of its trials.
#pragma once

#include "feature_map.h"
#include "sextant/explore/problem.h"

namespace sextant::explore {

// A column per study, a row per point: how much worse than its best point, in logarithms where values are
// positive, else in standard deviations. Studies in which fewer than two trials completed say nothing.
Eigen::MatrixXd earlier_losses(const SearchProblem& problem, const FeatureMap& features, const GpPoints& at);

}  // namespace sextant::explore
