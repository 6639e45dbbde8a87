#include "sextant/nets/single_values.h"

#include <algorithm>

namespace sextant::nets {

const Node* single_value_norm(const Graph& graph) {
  const auto found = std::ranges::find_if(graph.nodes, [](const Node& node) {
    return std::holds_alternative<BatchNorm>(node.op) && element_count(node.output) <= node.output.at(1);
  });
  return found == graph.nodes.end() ? nullptr : &*found;
}

}  // namespace sextant::nets
