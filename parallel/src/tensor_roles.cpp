#include "tensor_roles.h"

#include <algorithm>

namespace sextant {
namespace {

template <class... Kinds>
bool is_any(const Op& op) {
  return (std::holds_alternative<Kinds>(op) || ...);
}

// Works on each part of a split tensor alone.
bool keeps_split(const Op& op) {
  return is_any<Activation, Scale, Dropout, Reshape, Transpose, Slice, Flatten>(op);
}

bool is_gate(const Op& op) {
  const auto* binary = std::get_if<Binary>(&op);
  return binary != nullptr && binary->kind == Arithmetic::multiply;
}

std::vector<std::vector<std::size_t>> consumers_of(const Graph& graph) {
  std::vector<std::vector<std::size_t>> consumers(graph.nodes.size());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    for (const NodeId input : graph.nodes[i].inputs) consumers[static_cast<std::size_t>(input)].push_back(i);
  }
  return consumers;
}

// Whether all that becomes of a node's output ends in another matrix without leaving its part.
std::vector<bool> ends_in_matrix(const Graph& graph) {
  const auto consumers = consumers_of(graph);
  std::vector<bool> ends(graph.nodes.size());
  for (std::size_t i = graph.nodes.size(); i-- > 0;) {
    ends[i] = !consumers[i].empty() && std::ranges::all_of(consumers[i], [&](std::size_t c) {
      const Op& op = graph.nodes[c].op;
      return is_any<MatMul, Linear>(op) || ((keeps_split(op) || is_gate(op)) && ends[c]);
    });
  }
  return ends;
}

}  // namespace

std::int64_t heads_of(const Node& node) {
  return std::holds_alternative<MatMul>(node.op) && node.output.size() == 4 ? node.output[1] : 0;
}

std::vector<TensorRole> tensor_roles(const Graph& graph) {
  std::vector<TensorRole> roles(graph.nodes.size(), TensorRole::replicated);
  if (std::ranges::none_of(graph.nodes, [](const Node& node) { return heads_of(node) > 0; })) return roles;
  const auto ends = ends_in_matrix(graph);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    const bool split = std::ranges::any_of(node.inputs, [&](NodeId input) {
      return roles[static_cast<std::size_t>(input)] == TensorRole::split;
    });
    if (is_any<Linear>(node.op)) {
      roles[i] = split ? TensorRole::reduced : ends[i] ? TensorRole::split : TensorRole::replicated;
    } else if (split && (keeps_split(node.op) || is_any<MatMul, Binary>(node.op))) {
      roles[i] = TensorRole::split;
    }
  }
  return roles;
}

}  // namespace sextant
