// Terms of a linear model of a configuration, as response surfaces are fitted: numbers coded from -1 (lowest)
// to 1 (highest), levels of a category by effect coding, and their products.
#pragma once

#include "sextant/core/stats/matrix.h"
#include "sextant/explore/space.h"

namespace sextant {

enum class ResponseModel { linear = 1, interactions = 2, quadratic = 3 };

// A row per configuration; the first column is 1. What belongs to an absent factor is 0.
Matrix model_terms(const SearchSpace& space, const std::vector<Configuration>& configurations,
                   ResponseModel model);

}  // namespace sextant
