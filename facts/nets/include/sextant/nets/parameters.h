// The weight tensors of an operator, by name and shape. Counts are derived from these shapes, so the
// executor's weights and the printed totals cannot disagree.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sextant/nets/graph.h"

namespace sextant::nets {

struct WeightTensor {
  std::string name;  // "weight", "bias", "running_mean", …
  Shape shape;
  bool trainable = true;  // moving statistics of batch norm are not
};

std::vector<WeightTensor> weight_tensors(const Graph& graph, const Node& node);

}  // namespace sextant::nets
