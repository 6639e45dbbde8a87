#include "weight_layout.h"

#include <algorithm>
#include <cmath>

#include "sextant/core/rng.h"
#include "sextant/nets/parameters.h"

namespace sextant::engine {
namespace {

constexpr double kLearnedDeviation = 0.02;  // positions and class tokens, as GPT-2 and BERT draw them

const nets::Node& node_of(const nets::Graph& graph, nets::NodeId id) {
  return graph.nodes.at(static_cast<std::size_t>(id));
}

void place(std::vector<PlacedTensor>& list, std::int64_t& end, PlacedTensor tensor) {
  tensor.offset = end;
  tensor.count = nets::element_count(tensor.shape);
  end = nets::checked_sum(end, tensor.count);
  list.push_back(std::move(tensor));
}

bool scales(const nets::Op& op) {
  const auto* binary = std::get_if<nets::Binary>(&op);
  return binary != nullptr && binary->kind != nets::Arithmetic::add &&
         binary->kind != nets::Arithmetic::subtract;
}

// Learned values that something is multiplied with are factors and begin at 1; sums begin near 0.
bool is_factor(const nets::Graph& graph, nets::NodeId parameter) {
  return std::ranges::any_of(graph.nodes, [&](const nets::Node& node) {
    return scales(node.op) && std::ranges::find(node.inputs, parameter) != node.inputs.end();
  });
}

void fill_uniform(std::span<float> values, double bound, Rng rng) {
  for (float& value : values) value = static_cast<float>(bound * (2 * rng.uniform() - 1));
}

void fill_normal(std::span<float> values, double deviation, Rng rng) {
  for (float& value : values) value = static_cast<float>(deviation * rng.normal());
}

// Inputs that one output of the layer sums: what both bounds of PyTorch's layers depend on.
std::int64_t fan_in(const nets::Graph& graph, const nets::Node& node) {
  const nets::Shape in = graph.input_shapes(node).at(0);
  if (const auto* conv = std::get_if<nets::Conv>(&node.op)) {
    return in.at(1) / conv->groups * conv->kernel.cells();
  }
  if (const auto* conv = std::get_if<nets::ConvTranspose>(&node.op)) {
    return conv->out_channels / conv->groups * conv->kernel.cells();  // as PyTorch takes it
  }
  if (const auto* layer = std::get_if<nets::Recurrent>(&node.op)) return layer->hidden;
  return in.back();
}

void fill(const nets::Graph& graph, const PlacedTensor& tensor, std::span<float> values, Rng rng) {
  const nets::Node& node = node_of(graph, tensor.node);
  const bool bounded =
      std::holds_alternative<nets::Conv>(node.op) || std::holds_alternative<nets::Linear>(node.op) ||
      std::holds_alternative<nets::ConvTranspose>(node.op) ||
      std::holds_alternative<nets::Recurrent>(node.op) || std::holds_alternative<nets::Experts>(node.op);
  if (bounded) {
    // kaiming_uniform_(a = sqrt(5)) has the bound sqrt(6 / ((1 + 5) fan_in)): that of the bias.
    fill_uniform(values, 1 / std::sqrt(static_cast<double>(fan_in(graph, node))), rng);
  } else if (std::holds_alternative<nets::Embedding>(node.op)) {
    fill_normal(values, 1, rng);
  } else if (std::holds_alternative<nets::Parameter>(node.op) && !is_factor(graph, tensor.node)) {
    fill_normal(values, kLearnedDeviation, rng);
  } else {
    std::ranges::fill(values, tensor.role == "bias" ? 0.0F : 1.0F);
  }
}

std::span<float> part(std::span<float> all, const PlacedTensor& tensor) {
  return all.subspan(static_cast<std::size_t>(tensor.offset), static_cast<std::size_t>(tensor.count));
}

}  // namespace

WeightLayout weight_layout(const nets::Graph& graph) {
  WeightLayout layout;
  std::vector<PlacedTensor> trainable;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const nets::Node& node = graph.nodes[i];
    for (const nets::WeightTensor& weight : weight_tensors(graph, node)) {
      PlacedTensor tensor{.name = node.name + "." + weight.name,
                          .role = weight.name,
                          .node = static_cast<nets::NodeId>(i),
                          .shape = weight.shape};
      if (weight.trainable) {
        trainable.push_back(std::move(tensor));
      } else {
        place(layout.statistics, layout.statistics_count, std::move(tensor));
      }
    }
  }
  std::ranges::reverse(trainable);
  for (PlacedTensor& tensor : trainable) place(layout.parameters, layout.parameter_count, std::move(tensor));
  return layout;
}

void draw_initial_values(const nets::Graph& graph, const WeightLayout& layout, std::uint64_t seed,
                         const InitialValues& values) {
  const Rng rng(seed);
  for (std::size_t i = 0; i < layout.parameters.size(); ++i) {
    const PlacedTensor& tensor = layout.parameters[i];
    // Counted from the first layer, so that another head leaves the body's values as they were.
    const std::uint64_t index = layout.parameters.size() - 1 - i;
    fill(graph, tensor, part(values.parameters, tensor), rng.stream("initial values", index));
  }
  for (const PlacedTensor& tensor : layout.statistics) {
    std::ranges::fill(part(values.statistics, tensor), tensor.role == "running_mean" ? 0.0F : 1.0F);
  }
}

}  // namespace sextant::engine
