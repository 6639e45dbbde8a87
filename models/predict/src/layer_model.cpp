#include "layer_model.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace sextant::predict {
namespace {

constexpr const char* kLayerModelSchema = "sextant.per-layer/1";

Json to_json(const std::pair<const std::pair<std::string, Direction>, LayerLine>& entry) {
  const LayerLine& line = entry.second;
  return {{"type", entry.first.first},   {"direction", to_string(entry.first.second)},
          {"beta0_s", line.beta0},       {"beta1_s", line.beta1},
          {"variance_s2", line.s2},      {"beta0_variance", line.var0},
          {"beta1_variance", line.var1}, {"covariance", line.cov},
          {"samples", line.samples},     {"largest_count", line.largest}};
}

class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  LayerModel model(const Json& json) const {
    if (!json.is_object() || json.value("schema", Json()) != kLayerModelSchema) {
      fail(std::string("is no model of layers: 'schema' is not '") + kLayerModelSchema + "'");
    }
    LayerModel model;
    for (const auto& [gpu, device] : member(json, "gpus").items()) model[gpu] = read_device(device);
    return model;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw InputError({file_}, what); }

  const Json& member(const Json& json, const char* key) const {
    if (!json.is_object() || !json.contains(key)) fail(std::string("no '") + key + "'");
    return json.at(key);
  }

  double number(const Json& json, const char* key) const {
    const Json& value = member(json, key);
    if (!value.is_number() || !std::isfinite(value.get<double>())) {
      fail(std::string("'") + key + "' is not a finite number");
    }
    return value.get<double>();
  }

  double positive_or_0(const Json& json, const char* key) const {
    const double value = number(json, key);
    if (value < 0) fail(std::string("'") + key + "' is negative");
    return value;
  }

  LayerDevice read_device(const Json& json) const {
    LayerDevice device;
    const Json& factor = member(json, "factor");
    device.factor = {.mean = positive_or_0(factor, "mean"),
                     .variance = positive_or_0(factor, "variance"),
                     .steps = static_cast<std::size_t>(std::min(positive_or_0(factor, "steps"), 1e15))};
    for (const auto& layer : member(json, "layers")) {
      const Json& type = member(layer, "type");
      const Json& direction = member(layer, "direction");
      if (!type.is_string()) fail("'type' is not text");
      if (direction != "forward" && direction != "backward") fail("'direction' is not forward or backward");
      device.lines[{type.get<std::string>(),
                    direction == "forward" ? Direction::forward : Direction::backward}] = read_line(layer);
    }
    return device;
  }

  LayerLine read_line(const Json& json) const {
    return {.beta0 = positive_or_0(json, "beta0_s"),
            .beta1 = positive_or_0(json, "beta1_s"),
            .s2 = positive_or_0(json, "variance_s2"),
            .var0 = positive_or_0(json, "beta0_variance"),
            .var1 = positive_or_0(json, "beta1_variance"),
            .cov = number(json, "covariance"),
            .samples = static_cast<std::size_t>(std::min(positive_or_0(json, "samples"), 1e15)),
            .largest = positive_or_0(json, "largest_count")};
  }

  std::string file_;
};

}  // namespace

Json to_json(const LayerModel& model) {
  Json json = {{"schema", kLayerModelSchema}, {"gpus", Json::object()}};
  for (const auto& [gpu, device] : model) {
    Json& entry = json["gpus"][gpu];
    entry["factor"] = {
        {"mean", device.factor.mean}, {"variance", device.factor.variance}, {"steps", device.factor.steps}};
    entry["layers"] = Json::array();
    for (const auto& line : device.lines) entry["layers"].push_back(to_json(line));
  }
  return json;
}

LayerModel parse_layer_model(const std::string& text, const std::string& file_name) {
  return Reader(file_name).model(parse_json(text, file_name));
}

}  // namespace sextant::predict
