// Where each weight tensor of a graph lies in the flat arrays, and what it holds at first. Gradients become
// ready from the last layer to the first, so that is the order of the array: what is sent together lies
// together.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sextant/nets/graph.h"

namespace sextant::engine {

struct PlacedTensor {
  std::string name;  // "layer1.0.conv_7.weight"
  std::string role;  // "weight", "bias", "running_mean", "running_var", "value"
  nets::NodeId node = 0;
  nets::Shape shape;
  std::int64_t offset = 0;
  std::int64_t count = 0;
};

struct WeightLayout {
  std::vector<PlacedTensor> parameters;  // last nodes first
  std::vector<PlacedTensor> statistics;  // first nodes first
  std::int64_t parameter_count = 0;
  std::int64_t statistics_count = 0;
};

WeightLayout weight_layout(const nets::Graph& graph);

// PyTorch's default distributions, drawn from one stream for each tensor: the same bits on every rank.
struct InitialValues {
  std::span<float> parameters;
  std::span<float> statistics;
};
void draw_initial_values(const nets::Graph& graph, const WeightLayout& layout, std::uint64_t seed,
                         const InitialValues& values);

}  // namespace sextant::engine
