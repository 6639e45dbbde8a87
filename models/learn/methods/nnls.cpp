// nnls: least squares with coefficients of at least 0, intercept included (Lawson and Hanson 1974):
// costs add up, so a time model whose parts are negative has fitted noise.
#include "grid.h"
#include "nnls_terms.h"

namespace sextant::learn::method_nnls {
namespace {

constexpr std::size_t kMostTerms = 400;

std::vector<MethodSettings> grid() {
  return grid_product({{"degree", {0, 1, 2, 3}}, {"relative", {0, 1}}});
}

std::unique_ptr<Regressor> fit(const Sample& sample, const Parameters& parameters, std::uint64_t) {
  const auto degree = static_cast<std::size_t>(parameters.count("degree"));
  return fit_nonnegative(sample, expand(sample, degree, kMostTerms), parameters);
}

}  // namespace

std::vector<MethodInfo> plugin() {
  MethodInfo info;
  info.id = "nnls";
  info.summary = "least squares with coefficients of at least 0; inverse and product terms on request";
  info.reference = "docs/models/nnls.md";
  info.parameters = {degree_parameter(), relative_parameter()};
  info.grid = grid;
  info.fit = fit;
  info.load = load_linear;
  return {info};
}

}  // namespace sextant::learn::method_nnls
