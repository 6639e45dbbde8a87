// Which results reuse the memory of their argument, as PyTorch's models do by hand (`inplace=True`, `+=`).
#include <algorithm>

#include "graph_model.h"

namespace sextant::engine {
namespace {

// A result in memory of its own that the backward pass of its operator does not read.
bool expendable(const nets::Node& node) {
  if (const auto* conv = std::get_if<nets::Conv>(&node.op)) return !conv->activation;
  if (const auto* linear = std::get_if<nets::Linear>(&node.op))
    return !linear->activation && node.output.size() == 2;
  if (const auto* binary = std::get_if<nets::Binary>(&node.op))
    return binary->kind != nets::Arithmetic::power;
  return std::holds_alternative<nets::BatchNorm>(node.op) ||
         std::holds_alternative<nets::LayerNorm>(node.op) ||
         std::holds_alternative<nets::GroupNorm>(node.op) || std::holds_alternative<nets::Concat>(node.op);
}

std::vector<int> reader_counts(const nets::Graph& graph) {
  std::vector<int> readers(graph.nodes.size(), 0);
  for (const nets::Node& node : graph.nodes) {
    for (const nets::NodeId id : node.inputs) ++readers[static_cast<std::size_t>(id)];
  }
  for (const nets::NodeId id : graph.outputs) ++readers[static_cast<std::size_t>(id)];
  return readers;
}

bool may_overwrite(const nets::Op& op) {
  if (const auto* activation = std::get_if<nets::Activation>(&op))
    return gradient_from_result(activation->function);
  const auto* binary = std::get_if<nets::Binary>(&op);
  return binary != nullptr && binary->kind == nets::Arithmetic::add;
}

}  // namespace

std::vector<int> overwritten_inputs(const nets::Graph& graph) {
  const std::vector<int> readers = reader_counts(graph);
  std::vector<int> overwritten(graph.nodes.size(), -1);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const nets::Node& node = graph.nodes[i];
    if (!may_overwrite(node.op)) continue;
    for (std::size_t k = node.inputs.size(); k-- > 0;) {
      const auto from = static_cast<std::size_t>(node.inputs[k]);
      const nets::Node& source = graph.nodes[from];
      if (readers[from] == 1 && expendable(source) && source.output == node.output) {
        overwritten[i] = static_cast<int>(k);
      }
    }
  }
  return overwritten;
}

}  // namespace sextant::engine
