// stepwise: end-to-end regression with inverse and product terms and stepwise selection (Gianniti,
// Zhang, Ardagna, CLOSER 2019; selection by Draper and Smith).
#include "stepwise.h"

#include "grid.h"
#include "linear_regressor.h"

namespace sextant::learn::method_stepwise {
namespace {

constexpr std::size_t kMostTerms = 400;

std::vector<MethodSettings> grid() {
  return grid_product({{"degree", {0, 1, 2, 3}},
                       {"p-enter", {0.05}},
                       {"p-remove", {0.1}},
                       {"relative", {0, 1}},
                       {"residual-correlation", {0}}});
}

StepwiseOptions options_of(const Parameters& parameters) {
  return {.p_enter = parameters.number("p-enter"),
          .p_remove = parameters.number("p-remove"),
          .candidate = parameters.flag("residual-correlation") ? StepwiseCandidate::residual_correlation
                                                               : StepwiseCandidate::partial_f};
}

std::unique_ptr<Regressor> fit(const Sample& sample, const Parameters& parameters, std::uint64_t) {
  const auto degree = static_cast<std::size_t>(parameters.count("degree"));
  Expansion expansion = expand(sample, degree, kMostTerms);
  const stats::Matrix values = term_values(expansion.terms, sample.x);
  const Scaling scaling = scaling_of(values);
  stats::Design design{.x = standardised(values, scaling),
                       .y = sample.y,
                       .names = {},
                       .weights = relative_weights(sample.y, parameters)};
  auto out = std::make_unique<LinearRegressor>();
  out->columns = sample.columns;
  out->left_out = std::move(expansion.dropped);
  const auto chosen = select_stepwise(design, options_of(parameters));
  design.x = design.x.select_columns(chosen);
  const stats::OlsFit ols = fit_ols(design);
  out->intercept = ols.intercept;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const std::size_t j = chosen[k];
    out->terms.push_back(expansion.terms[j]);
    out->coefficients.push_back(ols.coefficients[k] / scaling.sd[j]);
    out->intercept -= out->coefficients.back() * scaling.mean[j];
  }
  return out;
}

}  // namespace

std::vector<MethodInfo> plugin() {
  MethodInfo info;
  info.id = "stepwise";
  info.summary = "end-to-end regression: inverse and product terms, stepwise selection";
  info.reference = "docs/models/stepwise.md";
  info.parameters = {
      degree_parameter(), number_parameter("p-enter", "a term enters below this p value", {0.05, 0, 1}),
      number_parameter("p-remove", "a term leaves above this p value; at least p-enter", {0.1, 0, 1}),
      relative_parameter(),
      flag_parameter("residual-correlation", "1: candidates by plain correlation with the residuals", false)};
  info.grid = grid;
  info.fit = fit;
  info.load = load_linear;
  return {info};
}

}  // namespace sextant::learn::method_stepwise
