// Where to begin: a small configuration, a large one, one in the middle, then whatever is farthest from all
// before. What amounts to much or little is known without any run (see FeatureMap::amounts).
#pragma once

#include <vector>

#include "feature_map.h"
#include "sextant/core/rng.h"

namespace sextant::explore {

// Indices of `points`, the first `count`; ties are broken by `rng`.
std::vector<Eigen::Index> spread_starts(const FeatureMap& features, const GpPoints& points, std::size_t count,
                                        Rng& rng);

// Squared distance of each point from the mean of all.
Eigen::VectorXd offset_from_middle(const GpPoints& points);
// Of `points` the farthest from the nearest of `tried`.
Eigen::Index farthest(const GpPoints& points, const GpPoints& tried);

}  // namespace sextant::explore
