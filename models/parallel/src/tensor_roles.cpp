#include "tensor_roles.h"

#include <algorithm>

namespace sextant::parallel {
namespace {

template <class... Kinds>
bool is_any(const nets::Op& op) {
  return (std::holds_alternative<Kinds>(op) || ...);
}

// Works on each part of a split tensor alone.
bool keeps_split(const nets::Op& op) {
  return is_any<nets::Activation, nets::Scale, nets::Dropout, nets::Reshape, nets::Transpose, nets::Slice,
                nets::Flatten, nets::Rotary>(op);
}

bool is_gate(const nets::Op& op) {
  const auto* binary = std::get_if<nets::Binary>(&op);
  return binary != nullptr && binary->kind == nets::Arithmetic::multiply;
}

std::vector<std::vector<std::size_t>> consumers_of(const nets::Graph& graph) {
  std::vector<std::vector<std::size_t>> consumers(graph.nodes.size());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    for (const nets::NodeId input : graph.nodes[i].inputs)
      consumers[static_cast<std::size_t>(input)].push_back(i);
  }
  return consumers;
}

// Whether all that becomes of a node's output ends in another matrix without leaving its part.
std::vector<bool> ends_in_matrix(const nets::Graph& graph) {
  const auto consumers = consumers_of(graph);
  std::vector<bool> ends(graph.nodes.size());
  for (std::size_t i = graph.nodes.size(); i-- > 0;) {
    ends[i] = !consumers[i].empty() && std::ranges::all_of(consumers[i], [&](std::size_t c) {
      const nets::Op& op = graph.nodes[c].op;
      return is_any<nets::MatMul, nets::Attention, nets::Linear>(op) ||
             ((keeps_split(op) || is_gate(op)) && ends[c]);
    });
  }
  return ends;
}

}  // namespace

std::int64_t heads_of(const nets::Node& node) {
  if (const auto* attention = std::get_if<nets::Attention>(&node.op)) return attention->heads;
  return std::holds_alternative<nets::MatMul>(node.op) && node.output.size() == 4 ? node.output[1] : 0;
}

std::vector<TensorRole> tensor_roles(const nets::Graph& graph) {
  std::vector<TensorRole> roles(graph.nodes.size(), TensorRole::replicated);
  if (std::ranges::none_of(graph.nodes, [](const nets::Node& node) { return heads_of(node) > 0; }))
    return roles;
  const auto ends = ends_in_matrix(graph);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const nets::Node& node = graph.nodes[i];
    const bool split = std::ranges::any_of(node.inputs, [&](nets::NodeId input) {
      return roles[static_cast<std::size_t>(input)] == TensorRole::split;
    });
    if (is_any<nets::Linear>(node.op)) {
      roles[i] = split ? TensorRole::reduced : ends[i] ? TensorRole::split : TensorRole::replicated;
    } else if (split &&
               (keeps_split(node.op) || is_any<nets::MatMul, nets::Attention, nets::Binary>(node.op))) {
      roles[i] = TensorRole::split;
    }
  }
  return roles;
}

}  // namespace sextant::parallel
