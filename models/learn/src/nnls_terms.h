// Non-negative least squares over terms, with a non-negative intercept: what `nnls` and `ernest` share.
#pragma once

#include <memory>

#include "linear_regressor.h"

namespace sextant::learn {

std::unique_ptr<LinearRegressor> fit_nonnegative(const Sample& sample, Expansion expansion,
                                                 const Parameters& parameters);

}  // namespace sextant::learn
