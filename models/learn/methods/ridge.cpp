// ridge: least squares with a penalty on the coefficients of standardised terms, so that many terms and
// few rows still give one stable answer (Hoerl and Kennard 1970).
#include "grid.h"
#include "linear_regressor.h"
#include "sextant/stats/linear_model.h"

namespace sextant::learn::method_ridge {
namespace {

// The decomposition grows with the cube of the terms: some tens of milliseconds at this number.
constexpr std::size_t kMostTerms = 120;

std::vector<MethodSettings> grid() {
  return grid_product({{"degree", {0, 2, 3}}, {"lambda", {0.01, 0.1, 1, 10}}, {"relative", {0, 1}}});
}

std::unique_ptr<Regressor> fit(const Sample& sample, const Parameters& parameters, std::uint64_t) {
  const auto degree = static_cast<std::size_t>(parameters.count("degree"));
  Expansion expansion = expand(sample, degree, kMostTerms);
  const stats::Matrix values = term_values(expansion.terms, sample.x);
  const Scaling scaling = scaling_of(values);
  const stats::RidgeFit ridge = stats::fit_ridge({.x = standardised(values, scaling),
                                                  .y = sample.y,
                                                  .names = {},
                                                  .weights = relative_weights(sample.y, parameters)},
                                                 parameters.number("lambda"));
  auto out = std::make_unique<LinearRegressor>();
  out->columns = sample.columns;
  out->intercept = ridge.intercept;
  for (std::size_t j = 0; j < expansion.terms.size(); ++j) {
    out->coefficients.push_back(ridge.coefficients[j] / scaling.sd[j]);
    out->intercept -= out->coefficients[j] * scaling.mean[j];
  }
  out->terms = std::move(expansion.terms);
  out->left_out = std::move(expansion.dropped);
  return out;
}

}  // namespace

std::vector<MethodInfo> plugin() {
  MethodInfo info;
  info.id = "ridge";
  info.summary = "least squares with a penalty on large coefficients; inverse and product terms on request";
  info.reference = "docs/models/ridge.md";
  info.parameters = {degree_parameter(),
                     number_parameter("lambda", "penalty, for columns of standard deviation 1", {1, 0, 1e12}),
                     relative_parameter()};
  info.grid = grid;
  info.fit = fit;
  info.load = load_linear;
  return {info};
}

}  // namespace sextant::learn::method_ridge
