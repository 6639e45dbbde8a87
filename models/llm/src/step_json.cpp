#include <cmath>
#include <nlohmann/json.hpp>

#include "sextant/core/json_place.h"
#include "step_law.h"

namespace sextant::llm {
namespace {

constexpr double kMostLogarithm = 100;

double number_at(const Json& object, const char* name, double most) {
  if (!object.is_object()) throw JsonFault(object, name, "is missing: what should hold it is not an object");
  const auto found = object.find(name);
  if (found == object.end()) throw JsonFault(object, name, "is missing");
  if (!found->is_number()) throw JsonFault::at_value(*found, name, "is not a number");
  const auto value = found->get<double>();
  if (!std::isfinite(value) || std::abs(value) > most)
    throw JsonFault::at_value(*found, name, "is out of range");
  return value;
}

const Json& object_at(const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end()) throw JsonFault(json, name, "is missing");
  if (!found->is_object()) throw JsonFault::at_value(*found, name, "is not an object");
  return *found;
}

void read_widths(const Json& json, StepWidths& widths) {
  widths.other = number_at(json, "other", kMostLogarithm);
  widths.new_gpu = number_at(json, "new_gpu", kMostLogarithm);
  widths.new_pair = number_at(json, "new_pair", kMostLogarithm);
  const Json& stacks = object_at(json, "stacks");
  for (const auto& [name, value] : stacks.items())
    widths.stacks[name] = number_at(stacks, name.c_str(), kMostLogarithm);
}

StepModel read_model(const Json& json) {
  StepModel model;
  const Json& shared = object_at(json, "shared");
  for (const auto& prior : field_priors())
    model.shared.push_back(number_at(shared, prior.name, kMostLogarithm));
  model.power_slope = number_at(json, "power_slope", kMostLogarithm);
  const Json& departures = object_at(json, "departures");
  for (const auto& [field, keys] : departures.items()) {
    if (find_field(field) == kFields || !keys.is_object())
      throw JsonFault::at_value(keys, field, "is no field of the law");
    for (const auto& [key, value] : keys.items())
      model.departures[{field, key}] = number_at(keys, key.c_str(), kMostLogarithm);
  }
  const Json& gpus = object_at(json, "gpus");
  constexpr double kMostRows = 1e9;
  for (const auto& [gpu, rows] : gpus.items())
    model.gpus[gpu] = static_cast<int>(number_at(gpus, gpu.c_str(), kMostRows));
  const Json& pairs = object_at(json, "pairs");
  for (const auto& [pair, rows] : pairs.items())
    model.pairs[pair] = static_cast<int>(number_at(pairs, pair.c_str(), kMostRows));
  read_widths(object_at(json, "half_widths"), model.widths);
  model.rows = static_cast<int>(number_at(json, "rows", kMostRows));
  model.mean_error = number_at(json, "mean_error_fitted", kMostLogarithm);
  return model;
}

// Six digits: more would only make files of two machines differ.
double rounded(double value) {
  constexpr double kDigits = 1e6;
  return std::round(value * kDigits) / kDigits;
}

}  // namespace

Json to_json(const StepModel& model) {
  Json shared = Json::object();
  for (std::size_t k = 0; k < kFields; ++k) shared[field_priors()[k].name] = rounded(model.shared[k]);
  Json departures = Json::object();
  for (const auto& [where, value] : model.departures) departures[where.first][where.second] = rounded(value);
  Json gpus = Json::object();
  for (const auto& [gpu, rows] : model.gpus) gpus[gpu] = rows;
  Json pairs = Json::object();
  for (const auto& [pair, rows] : model.pairs) pairs[pair] = rows;
  Json stacks = Json::object();
  for (const auto& [stack, width] : model.widths.stacks) stacks[stack] = rounded(width);
  return {{"schema", kStepSchema},
          {"rows", model.rows},
          {"mean_error_fitted", rounded(model.mean_error)},
          {"shared", std::move(shared)},
          {"power_slope", rounded(model.power_slope)},
          {"departures", std::move(departures)},
          {"gpus", std::move(gpus)},
          {"pairs", std::move(pairs)},
          {"half_widths",
           {{"other", rounded(model.widths.other)},
            {"new_gpu", rounded(model.widths.new_gpu)},
            {"new_pair", rounded(model.widths.new_pair)},
            {"stacks", std::move(stacks)}}}};
}

StepModel step_model_from_json(const Json& json, const std::string& file) {
  if (!json.is_object() || json.value("schema", Json()) != kStepSchema)
    throw InputError({file}, "this is not a model of steps",
                     std::string("its schema should be ") + kStepSchema);
  return read_document(json, file, "", read_model);
}

}  // namespace sextant::llm
