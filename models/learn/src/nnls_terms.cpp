#include "nnls_terms.h"

#include <algorithm>
#include <cmath>

#include "sextant/stats/linear_model.h"

namespace sextant::learn {

std::unique_ptr<LinearRegressor> fit_nonnegative(const Sample& sample, Expansion expansion,
                                                 const Parameters& parameters) {
  stats::Matrix values = term_values(expansion.terms, sample.x);
  // Terms differ by many powers of ten; the active set compares gradients, so they get one scale.
  std::vector<double> scale(expansion.terms.size(), 0.0);
  for (std::size_t j = 0; j < scale.size(); ++j) {
    for (std::size_t i = 0; i < values.rows(); ++i) scale[j] = std::max(scale[j], std::abs(values(i, j)));
    if (scale[j] == 0) scale[j] = 1;
    for (std::size_t i = 0; i < values.rows(); ++i) values(i, j) /= scale[j];
  }
  const stats::NnlsFit nnls = stats::fit_nnls({.x = with_ones(values),
                                               .y = sample.y,
                                               .names = {},
                                               .weights = relative_weights(sample.y, parameters)});
  auto out = std::make_unique<LinearRegressor>();
  out->columns = sample.columns;
  out->left_out = std::move(expansion.dropped);
  out->intercept = nnls.coefficients[0];
  for (std::size_t j = 0; j < scale.size(); ++j) {
    const double coefficient = nnls.coefficients[j + 1] / scale[j];
    if (coefficient == 0) continue;
    out->terms.push_back(std::move(expansion.terms[j]));
    out->coefficients.push_back(coefficient);
  }
  return out;
}

}  // namespace sextant::learn
