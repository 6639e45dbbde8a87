// Terms of a linear model of a configuration, as response surfaces are fitted: numbers coded from -1 (lowest)
// to 1 (highest), levels of a category by effect coding, and their products.
#pragma once

#include "sextant/explore/space.h"
#include "sextant/stats/matrix.h"

namespace sextant::explore {

enum class ResponseModel { linear = 1, interactions = 2, quadratic = 3 };

// A row per configuration; the first column is 1. What belongs to an absent factor is 0.
stats::Matrix model_terms(const SearchSpace& space, const std::vector<Configuration>& configurations,
                          ResponseModel model);

}  // namespace sextant::explore
