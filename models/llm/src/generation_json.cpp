#include <cmath>
#include <nlohmann/json.hpp>

#include "builtin_text.h"
#include "generation_law.h"
#include "sextant/core/json_reader.h"

namespace sextant::llm {
namespace {

constexpr double kFurthestLogarithm = 50;
constexpr double kMostBatches = 1e9;

Json coefficients_json(const std::vector<double>& values) {
  Json json = Json::object();
  for (std::size_t i = 0; i < kGenerationFields; ++i) {
    if (values[i] != 0) json[generation_priors()[i].name] = rounded(values[i]);
  }
  return json;
}

Json counts_json(const std::map<std::string, int>& counts) {
  Json json = Json::object();
  for (const auto& [name, count] : counts) json[name] = count;
  return json;
}

class GenerationModelReader : JsonReader {
 public:
  explicit GenerationModelReader(const std::string& file) : JsonReader(file) {}

  GenerationModel read(const Json& json) {
    check_schema(json, kGenerationSchema, "a model of text generation",
                 "sextant fit --method llm-generation");
    GenerationModel model;
    model.shared = coefficients(json, "shared");
    const Json& kinds = member(json, "departures");
    for (const auto& [kind, unused] : kinds.items()) {
      const Json& names = member(kinds, kind);
      for (const auto& [name, values] : names.items())
        model.departures[{kind, name}] = coefficients(names, name);
    }
    model.engines = counts(json, "engines");
    model.gpus = counts(json, "gpus");
    model.networks = counts(json, "networks");
    model.network_width = width(json, "half_width_network");
    model.gpu_width = width(json, "half_width_gpu");
    model.vendor_width = width(json, "half_width_vendor");
    model.engine_width = width(json, "half_width_engine");
    const double rows = positive(json, "rows");
    if (rows > kMostBatches) fail_at(json, "rows", "is out of range");
    model.rows = static_cast<int>(rows);
    model.mean_error = positive(json, "mean_error");
    return model;
  }

 private:
  std::vector<double> coefficients(const Json& holder, const std::string& name) {
    const Json& json = member(holder, name);
    std::vector<double> values;
    for (std::size_t i = 0; i < kGenerationFields; ++i) {
      const char* field = generation_priors()[i].name;
      values.push_back(json.is_object() && json.contains(field) ? number(json, field) : 0);
      if (!(std::abs(values.back()) <= kFurthestLogarithm)) fail_at(json, field, "is out of range");
    }
    return values;
  }

  std::map<std::string, int> counts(const Json& holder, const char* name) {
    std::map<std::string, int> counted;
    const Json& json = member(holder, name);
    for (const auto& [key, unused] : json.items()) {
      const double value = positive(json, key);
      if (value > kMostBatches) fail_at(json, key, "is out of range");
      counted[key] = static_cast<int>(value);
    }
    return counted;
  }

  double width(const Json& json, const char* name) {
    const double value = positive(json, name);
    if (value > kFurthestLogarithm) fail_at(json, name, "is out of range");
    return value;
  }
};

GenerationModel read_builtin_generation() {
  return generation_model_from_json(parse_json(builtin_text("generation.json"), "generation.json"),
                                    "generation.json");
}

}  // namespace

Json to_json(const GenerationModel& model) {
  Json departures = Json::object();
  for (const auto& [key, values] : model.departures)
    departures[key.first][key.second] = coefficients_json(values);
  return {{"schema", kGenerationSchema},
          {"rows", model.rows},
          {"mean_error", rounded(model.mean_error)},
          {"half_width_network", rounded(model.network_width)},
          {"half_width_gpu", rounded(model.gpu_width)},
          {"half_width_vendor", rounded(model.vendor_width)},
          {"half_width_engine", rounded(model.engine_width)},
          {"engines", counts_json(model.engines)},
          {"gpus", counts_json(model.gpus)},
          {"networks", counts_json(model.networks)},
          {"shared", coefficients_json(model.shared)},
          {"departures", std::move(departures)}};
}

GenerationModel generation_model_from_json(const Json& json, const std::string& file) {
  return GenerationModelReader(file).read(json);
}

const GenerationModel& builtin_generation_model() {
  static const GenerationModel model = read_builtin_generation();
  return model;
}

}  // namespace sextant::llm
