// svr: epsilon support vector regression, linear or RBF kernel, by libsvm (Chang and Lin 2011).
#include <algorithm>
#include <nlohmann/json.hpp>

#include "grid.h"
#include "json_fields.h"
#include "sextant/core/error.h"
#include "sextant/core/json_place.h"
#include "support_vectors.h"

namespace sextant::learn::method_svr {
namespace {

std::vector<MethodSettings> grid() {
  auto points = grid_product({{"c", {1, 10, 75}},
                              {"epsilon", {0.05}},
                              {"gamma", {0.01, 0.1, 1}},
                              {"linear", {0}},
                              {"relative", {1}}});
  // Without logarithms, for responses that may be negative and for laws that are straight lines.
  const auto plain = grid_product(
      {{"c", {10}}, {"epsilon", {0.05}}, {"gamma", {0.01, 0.1, 1}}, {"linear", {0}}, {"relative", {0}}});
  const auto straight = grid_product(
      {{"c", {1, 10}}, {"epsilon", {0.05}}, {"gamma", {1}}, {"linear", {1}}, {"relative", {0, 1}}});
  points.insert(points.end(), plain.begin(), plain.end());
  points.insert(points.end(), straight.begin(), straight.end());
  return points;
}

std::unique_ptr<Regressor> fit(const Sample& sample, const Parameters& parameters, std::uint64_t) {
  const SvrSettings settings{.kernel = parameters.flag("linear") ? SvrKernel::linear : SvrKernel::rbf,
                             .c = parameters.number("c"),
                             .epsilon = parameters.number("epsilon"),
                             .gamma = parameters.number("gamma")};
  return make_svr(train_svr(sample, target_of(sample.y, parameters), settings));
}

std::unique_ptr<Regressor> load(const Json& json, const std::vector<SampleColumn>& columns) {
  SupportVectors s;
  const std::string kernel = json_text(json, "kernel");
  if (kernel != "linear" && kernel != "rbf") throw JsonFault(json, "kernel", "is neither linear nor rbf");
  s.settings.kernel = kernel == "linear" ? SvrKernel::linear : SvrKernel::rbf;
  s.settings.gamma = json_number(json, "gamma");
  s.scaling = {json_numbers(json, "mean"), json_numbers(json, "sd")};
  s.target = load_target(json_field(json, "target"));
  s.rho = json_number(json, "rho");
  s.coefficients = json_numbers(json, "coefficients");
  s.vectors = json_matrix(json, "vectors");
  const std::size_t width = columns.size();
  const bool fits = s.scaling.mean.size() == width && s.scaling.sd.size() == width &&
                    s.coefficients.size() == s.vectors.rows() &&
                    (s.vectors.rows() == 0 || s.vectors.columns() == width);
  if (!fits) throw InputError("the lists of the support vectors differ in length");
  if (std::ranges::any_of(s.scaling.sd, [](double sd) { return sd <= 0; })) {
    throw InputError("field 'sd' is not positive");
  }
  if (s.settings.gamma < 0) throw InputError("field 'gamma' is negative");
  return make_svr(std::move(s));
}

}  // namespace

std::vector<MethodInfo> plugin() {
  MethodInfo info;
  info.id = "svr";
  info.summary = "support vector regression with a linear or RBF kernel";
  info.reference = "docs/models/svr.md";
  info.parameters = {
      number_parameter("c", "weight of the errors", {10, 1e-6, 1e6}),
      number_parameter("epsilon", "errors below it cost nothing, in standard deviations", {0.1, 0, 10}),
      number_parameter("gamma", "of the RBF kernel exp(-gamma d^2)", {0.1, 1e-9, 1e6}),
      flag_parameter("linear", "1: the linear kernel, 0: RBF", false), relative_parameter()};
  info.grid = grid;
  info.fit = fit;
  info.load = load;
  return {info};
}

}  // namespace sextant::learn::method_svr
