// Lines and common factor of each GPU, as a value and as the JSON of a model file.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "layer_line.h"
#include "sextant/predict/per_layer.h"

namespace sextant::predict {

// Whole steps take more, or less, than the sum of their layers.
struct LayerFactor {
  double mean = 1;
  double variance = 0;
  std::size_t steps = 0;
};

struct LayerDevice {
  std::map<std::pair<std::string, Direction>, LayerLine> lines;  // by type and direction
  LayerFactor factor;
};

using LayerModel = std::map<std::string, LayerDevice>;  // by GPU id

Json to_json(const LayerModel& model);
LayerModel parse_layer_model(const std::string& text, const std::string& file_name);  // InputError

// A step by the model of its GPU.
struct LayerEstimate {
  Seconds slope;                           // beta1 c of all layers, and the roofline of those without a line
  Seconds fixed;                           // beta0 of all layers
  Seconds input;                           // of the data load
  double variance = 0;                     // s^2
  bool outside = false;                    // a count above all that were fitted
  std::vector<std::string> stood_in = {};  // types that the roofline stands in for

  [[nodiscard]] Seconds total() const { return slope + fixed + input; }
};

// Before the common factor.
LayerEstimate estimate_layers(const LayerDevice& device, const Query& query);

}  // namespace sextant::predict
