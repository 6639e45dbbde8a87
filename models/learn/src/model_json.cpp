#include <algorithm>
#include <nlohmann/json.hpp>

#include "json_fields.h"
#include "sextant/core/csv.h"
#include "sextant/core/error.h"
#include "sextant/core/json_place.h"
#include "sextant/learn/model.h"

namespace sextant::learn {
namespace {

constexpr const char* kSchema = "sextant.model/1";

Json features_json(const std::vector<Feature>& features) {
  Json list = Json::array();
  for (const auto& feature : features) {
    Json json = {{"name", feature.name}, {"kind", feature.numeric() ? "number" : "text"}};
    if (!feature.numeric()) json["values"] = feature.values;
    list.push_back(std::move(json));
  }
  return list;
}

std::vector<Feature> load_features(const Json& json) {
  std::vector<Feature> features;
  for (const auto& item : json_list(json, "features")) {
    Feature feature{json_text(item, "name"), {}};
    const std::string kind = json_text(item, "kind");
    if (kind != "number" && kind != "text") throw JsonFault(item, "kind", "is neither number nor text");
    if (kind == "text") {
      feature.values = json_texts(item, "values");
      const bool sorted = std::ranges::is_sorted(feature.values);
      const bool twice = std::ranges::adjacent_find(feature.values) != feature.values.end();
      if (feature.values.empty() || !sorted || twice) {
        throw JsonFault(item, "values", "is empty, not sorted, or has a text twice");
      }
    }
    features.push_back(std::move(feature));
  }
  return features;
}

Json dropped_column_json(const stats::DroppedColumn& d) {
  return {{"column", d.column}, {"offset", d.offset}, {"by_column", d.by_column}, {"tolerance", d.tolerance}};
}

Json domain_json(const Domain& domain, const std::vector<SampleColumn>& columns) {
  Json ranges = Json::array();
  for (std::size_t j = 0; j < columns.size(); ++j) {
    ranges.push_back({{"column", columns[j].name}, {"low", domain.low[j]}, {"high", domain.high[j]}});
  }
  Json json = {{"ranges", std::move(ranges)}, {"leverage", nullptr}};
  if (!domain.hat) return json;
  const stats::OlsBasis& basis = domain.hat->basis;
  Json relations = Json::array();
  for (const auto& d : domain.hat->dropped) relations.push_back(dropped_column_json(d));
  json["leverage"] = {{"columns", basis.columns},        {"means", basis.means},
                      {"root", matrix_json(basis.root)}, {"mean_variance", basis.mean_variance},
                      {"most", basis.max_leverage},      {"relations", std::move(relations)}};
  return json;
}

std::size_t load_column(double number, std::size_t width) {
  if (!(number >= 0) || !(number < static_cast<double>(width))) {
    throw InputError("the leverage names a column that the model does not have");
  }
  return static_cast<std::size_t>(number);
}

stats::OlsFit load_leverage(const Json& json, std::size_t width) {
  stats::OlsFit hat;
  hat.coefficients.assign(width, 0.0);
  stats::OlsBasis& basis = hat.basis;
  for (const double c : json_numbers(json, "columns")) basis.columns.push_back(load_column(c, width));
  const std::size_t kept = basis.columns.size();
  basis.means = json_numbers(json, "means");
  basis.root = json_matrix(json, "root");
  basis.mean_variance = json_number(json, "mean_variance");
  basis.max_leverage = json_number(json, "most");
  if (basis.means.size() != kept || basis.root.rows() != kept || (kept > 0 && basis.root.columns() != kept)) {
    throw InputError("the lists of the leverage differ in length");
  }
  for (const auto& item : json_list(json, "relations")) {
    stats::DroppedColumn d;
    d.column = load_column(json_number(item, "column"), width);
    d.offset = json_number(item, "offset");
    d.by_column = json_numbers(item, "by_column");
    d.tolerance = json_number(item, "tolerance");
    if (d.by_column.size() > kept) throw InputError("a relation has more parts than there are columns");
    hat.dropped.push_back(std::move(d));
  }
  return hat;
}

Domain load_domain(const Json& json, const std::vector<SampleColumn>& columns) {
  Domain domain;
  for (const auto& range : json_list(json, "ranges")) {
    domain.low.push_back(json_number(range, "low"));
    domain.high.push_back(json_number(range, "high"));
  }
  if (domain.low.size() != columns.size()) throw JsonFault(json, "ranges", "does not have every column");
  const Json& leverage = json_field(json, "leverage");
  if (!leverage.is_null()) domain.hat = load_leverage(leverage, columns.size());
  return domain;
}

Json optional_json(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

std::optional<double> load_optional(const Json& json, const char* name) {
  if (json_field(json, name).is_null()) return std::nullopt;
  return json_number(json, name);
}

Json error_json(const ModelError& error) {
  const Metrics& m = error.metrics;
  const auto part = [&](double Percentages::*member) {
    return m.ape ? Json((*m.ape).*member) : Json(nullptr);
  };
  return {{"validation", error.validation},
          {"procedure", error.procedure},
          {"n", m.n},
          {"mean_ape_percent", part(&Percentages::mean)},
          {"median_ape_percent", part(&Percentages::median)},
          {"p90_ape_percent", part(&Percentages::p90)},
          {"bias_percent", part(&Percentages::bias)},
          {"rmse", m.rmse},
          {"r2", m.r2},
          {"coverage_percent", optional_json(m.coverage)}};
}

ModelError load_error(const Json& json) {
  ModelError error{json_text(json, "validation"), json_text(json, "procedure"), {}};
  Metrics& m = error.metrics;
  m.n = json_count(json, "n");
  if (const auto mean = load_optional(json, "mean_ape_percent")) {
    m.ape = {*mean, json_number(json, "median_ape_percent"), json_number(json, "p90_ape_percent"),
             json_number(json, "bias_percent")};
  }
  m.rmse = json_number(json, "rmse");
  m.r2 = json_number(json, "r2");
  m.coverage = load_optional(json, "coverage_percent");
  return error;
}

ConformalCalibration load_calibration(const Json& json) {
  const std::string scale = json_text(json, "scale");
  if (scale != "relative" && scale != "absolute") {
    throw JsonFault(json, "scale", "is neither relative nor absolute");
  }
  return {json_number(json, "level"), scale == "relative" ? ErrorScale::relative : ErrorScale::absolute,
          load_optional(json, "inside"), load_optional(json, "outside")};
}

MethodSettings load_parameters(const Json& json) {
  const Json& object = json_field(json, "parameters");
  if (!object.is_object()) throw JsonFault(json, "parameters", "is not an object");
  MethodSettings parameters;
  for (const auto& [name, value] : object.items()) parameters[name] = json_number(object, name.c_str());
  return parameters;
}

Model load(const Json& json) {
  if (const std::string schema = json_text(json, "schema"); schema != kSchema) {
    throw InputError({}, "schema '" + schema + "' is not known",
                     "this program reads " + std::string(kSchema));
  }
  const MethodInfo& method = methods().get(json_text(json, "method"));
  Model model;
  model.method = method.id;
  model.parameters = load_parameters(json);
  model.response = json_text(json, "response");
  model.features = load_features(json);
  const auto columns = sample_columns(model.features);
  model.dropped = json_texts(json, "dropped");
  model.rows = json_count(json, "rows");
  model.floor = json_number(json, "floor");
  model.regressor = method.load(json_field(json, "fit"), columns);
  model.domain = load_domain(json_field(json, "domain"), columns);
  model.error = load_error(json_field(json, "error"));
  model.calibration = load_calibration(json_field(json, "interval"));
  return model;
}

}  // namespace

Json to_json(const Model& model) {
  const ConformalCalibration& c = model.calibration;
  Json parameters = Json::object();
  for (const auto& [name, value] : model.parameters) parameters[name] = value;
  return {{"schema", kSchema},
          {"method", model.method},
          {"parameters", std::move(parameters)},
          {"response", model.response},
          {"features", features_json(model.features)},
          {"dropped", model.dropped},
          {"rows", model.rows},
          {"floor", model.floor},
          {"error", error_json(model.error)},
          {"interval",
           {{"level", c.level},
            {"scale", c.scale == ErrorScale::relative ? "relative" : "absolute"},
            {"inside", optional_json(c.inside)},
            {"outside", optional_json(c.outside)}}},
          {"domain", domain_json(model.domain, sample_columns(model.features))},
          {"fit", model.regressor->to_json()}};
}

Model model_from_json(const Json& json, const std::string& file_name) {
  return read_document(json, file_name, "'sextant fit' makes one",
                       [](const Json& document) { return load(document); });
}

Model read_model_file(const std::string& path) {
  return model_from_json(read_json_file(path), path);
}

}  // namespace sextant::learn
