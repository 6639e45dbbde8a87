// ols: ordinary least squares on the columns as they are (QR with column pivoting, see core/stats).
#include "grid.h"
#include "linear_regressor.h"
#include "sextant/stats/linear_model.h"

namespace sextant::learn::method_ols {
namespace {

std::vector<MethodSettings> grid() {
  return grid_product({{"relative", {0, 1}}});
}

std::unique_ptr<Regressor> fit(const Sample& sample, const Parameters& parameters, std::uint64_t) {
  stats::Design design{
      .x = sample.x, .y = sample.y, .names = {}, .weights = relative_weights(sample.y, parameters)};
  for (const auto& column : sample.columns) design.names.push_back(column.name);
  const stats::OlsFit ols = fit_ols(design);
  auto out = std::make_unique<LinearRegressor>();
  out->columns = sample.columns;
  out->intercept = ols.intercept;
  for (const auto& term : ols.terms) {
    if (!term.column) continue;
    out->terms.push_back({{{*term.column, Form::identity, 0}}});
    out->coefficients.push_back(term.coefficient);
  }
  for (const auto& column : ols.dropped) out->left_out.push_back(column.name + ": " + column.reason);
  return out;
}

}  // namespace

std::vector<MethodInfo> plugin() {
  MethodInfo info;
  info.id = "ols";
  info.summary = "ordinary least squares on the columns as they are";
  info.reference = "docs/models/stepwise.md";
  info.parameters = {relative_parameter()};
  info.grid = grid;
  info.fit = fit;
  info.load = load_linear;
  return {info};
}

}  // namespace sextant::learn::method_ols
