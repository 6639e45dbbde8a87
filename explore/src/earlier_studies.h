// What earlier studies of the same space say of configurations: the surface of each as a Gaussian process
// makes it of its trials. They choose a start that the others do not make up for; what a workload costs where
// is left to its own runs, because surfaces of other programs mislead more than they help (see the page).
#pragma once

#include <span>

#include "feature_map.h"
#include "sextant/explore/problem.h"

namespace sextant {

// A column per study, a row per point: how much worse than its best point, in logarithms where values are
// positive, else in standard deviations. Studies in which fewer than two trials completed say nothing.
Eigen::MatrixXd earlier_losses(const SearchProblem& problem, const FeatureMap& features, const GpPoints& at);

// Of the quarter of the points nearest to the middle, which teach a model most, the one that helps most on
// average over the studies if `taken` are tried anyway: least mean of the smaller of its loss and theirs.
Eigen::Index complement_of(const Eigen::MatrixXd& losses, const GpPoints& points,
                           std::span<const Eigen::Index> taken);

}  // namespace sextant
