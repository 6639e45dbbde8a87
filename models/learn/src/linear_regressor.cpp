#include "linear_regressor.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "json_fields.h"
#include "sextant/core/error.h"
#include "sextant/core/json_place.h"
#include "sextant/stats/summary.h"

namespace sextant::learn {
namespace {

const char* form_name(Form form) {
  if (form == Form::inverse) return "inverse";
  return form == Form::log ? "log" : "identity";
}

Form parse_form(const std::string& name) {
  for (const Form form : {Form::identity, Form::inverse, Form::log}) {
    if (name == form_name(form)) return form;
  }
  throw InputError("field 'form' is '" + name + "', not identity, inverse or log");
}

Factor load_factor(const Json& json, const std::vector<SampleColumn>& columns) {
  const std::string name = json_text(json, "column");
  const auto found = std::ranges::find(columns, name, &SampleColumn::name);
  if (found == columns.end()) throw JsonFault(json, "column", "names '" + name + "', which is no feature");
  Factor factor{static_cast<std::size_t>(found - columns.begin()), parse_form(json_text(json, "form")), 0};
  if (factor.form != Form::identity) {
    factor.floor = json_number(json, "floor");
    if (factor.floor <= 0) throw JsonFault(json, "floor", "is not positive");
  }
  return factor;
}

Json factor_json(const Factor& factor, const std::vector<SampleColumn>& columns) {
  Json json = {{"column", columns[factor.column].name}, {"form", form_name(factor.form)}};
  if (factor.form != Form::identity) json["floor"] = factor.floor;
  return json;
}

}  // namespace

double LinearRegressor::predict(std::span<const double> x) const {
  double sum = intercept;
  // Each part is held below the largest double by more than there can be terms.
  for (std::size_t j = 0; j < terms.size(); ++j) {
    sum += std::clamp(coefficients[j] * terms[j].value(x), -1e300, 1e300);
  }
  return sum;
}

Json LinearRegressor::to_json() const {
  Json list = Json::array();
  for (std::size_t j = 0; j < terms.size(); ++j) {
    Json factors = Json::array();
    for (const auto& factor : terms[j].factors) factors.push_back(factor_json(factor, columns));
    list.push_back({{"coefficient", coefficients[j]}, {"factors", std::move(factors)}});
  }
  return {{"intercept", intercept}, {"terms", std::move(list)}};
}

std::unique_ptr<Regressor> load_linear(const Json& json, const std::vector<SampleColumn>& columns) {
  auto fit = std::make_unique<LinearRegressor>();
  fit->columns = columns;
  fit->intercept = json_number(json, "intercept");
  for (const auto& item : json_list(json, "terms")) {
    Term term;
    for (const auto& factor : json_list(item, "factors")) {
      term.factors.push_back(load_factor(factor, columns));
    }
    fit->terms.push_back(std::move(term));
    fit->coefficients.push_back(json_number(item, "coefficient"));
  }
  return fit;
}

std::vector<double> relative_weights(const std::vector<double>& y, const Parameters& parameters) {
  if (!parameters.flag("relative")) return {};
  std::vector<double> weights;
  for (const double value : y) weights.push_back(1 / (value * value));
  const double scale = stats::mean(weights);
  for (double& weight : weights) weight /= scale;
  return weights;
}

Scaling scaling_of(const stats::Matrix& x) {
  Scaling scaling;
  for (std::size_t j = 0; j < x.columns(); ++j) {
    const auto column = x.column(j);
    const double sd = column.size() < 2 ? 0 : stats::standard_deviation(column);
    scaling.mean.push_back(stats::mean(column));
    scaling.sd.push_back(sd > 0 ? sd : 1);
  }
  return scaling;
}

stats::Matrix standardised(const stats::Matrix& x, const Scaling& scaling) {
  stats::Matrix out(x.rows(), x.columns());
  for (std::size_t i = 0; i < x.rows(); ++i) {
    for (std::size_t j = 0; j < x.columns(); ++j) out(i, j) = (x(i, j) - scaling.mean[j]) / scaling.sd[j];
  }
  return out;
}

}  // namespace sextant::learn
