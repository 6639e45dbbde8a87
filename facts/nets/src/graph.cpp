#include "sextant/nets/graph.h"

#include <algorithm>
#include <utility>

#include "sextant/nets/builder.h"

namespace sextant::nets {

std::vector<Shape> Graph::input_shapes(const Node& node) const {
  std::vector<Shape> shapes;
  shapes.reserve(node.inputs.size());
  for (const NodeId id : node.inputs) shapes.push_back(nodes.at(static_cast<std::size_t>(id)).output);
  return shapes;
}

std::int64_t Graph::batch() const {
  for (const auto& node : nodes) {
    if (const auto* input = std::get_if<Input>(&node.op)) return input->shape.at(0);
  }
  return 1;
}

Graph without_loose_ends(const Graph& graph) {
  const auto at = [](NodeId id) { return static_cast<std::size_t>(id); };
  std::vector<bool> needed(graph.nodes.size(), false);
  for (const NodeId id : graph.outputs) needed[at(id)] = true;
  for (std::size_t i = graph.nodes.size(); i-- > 0;) {
    const Node& node = graph.nodes[i];
    if (std::holds_alternative<Input>(node.op)) needed[i] = true;
    if (!needed[i]) continue;
    for (const NodeId id : node.inputs) needed[at(id)] = true;
    if (node.weight_of) needed[at(*node.weight_of)] = true;
  }
  Graph kept{.name = graph.name, .nodes = {}, .outputs = {}, .notes = graph.notes};
  std::vector<NodeId> place(graph.nodes.size(), -1);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (!needed[i]) continue;
    Node node = graph.nodes[i];
    for (NodeId& id : node.inputs) id = place[at(id)];
    if (node.weight_of) node.weight_of = place[at(*node.weight_of)];
    place[i] = static_cast<NodeId>(kept.nodes.size());
    kept.nodes.push_back(std::move(node));
  }
  for (const NodeId id : graph.outputs) kept.outputs.push_back(place[at(id)]);
  return kept;
}

std::vector<std::string> unknown_operators(const Graph& graph) {
  std::vector<std::string> types;
  for (const auto& node : graph.nodes) {
    const auto* opaque = std::get_if<Opaque>(&node.op);
    if (opaque != nullptr && std::ranges::find(types, opaque->type) == types.end())
      types.push_back(opaque->type);
  }
  return types;
}

std::vector<std::string> warnings(const Graph& graph) {
  std::vector<std::string> lines = graph.notes;
  for (const auto& type : unknown_operators(graph)) {
    lines.push_back("operator '" + type + "' is unknown: only its tensors' bytes are counted");
  }
  return lines;
}

Tensor GraphBuilder::add(Op op, const std::vector<Tensor>& inputs, std::string name) {
  Node node{.name = std::move(name), .op = std::move(op), .inputs = {}, .output = {}, .weight_of = {}};
  for (const Tensor input : inputs) node.inputs.push_back(input.id);
  node.output = infer_shape(node.op, graph_.input_shapes(node));
  const auto id = static_cast<NodeId>(graph_.nodes.size());
  if (node.name.empty()) node.name = type_name(node.op) + "_" + std::to_string(id);
  node.name = scope_ + node.name;
  graph_.nodes.push_back(std::move(node));
  return {id};
}

Tensor GraphBuilder::image(std::int64_t batch, std::int64_t channels, std::int64_t height,
                           std::int64_t width) {
  return add(Input{{batch, channels, height, width}}, {}, "image");
}

Tensor GraphBuilder::tokens(std::int64_t batch, std::int64_t length) {
  return add(Input{{batch, length}, true}, {}, "tokens");
}

Tensor GraphBuilder::conv(Tensor x, std::int64_t out_channels, Extent kernel, ConvOptions options) {
  return add(Conv{out_channels, kernel, options.stride, options.padding, options.dilation, options.groups,
                  options.bias, options.activation},
             {x});
}

Tensor GraphBuilder::linear(Tensor x, std::int64_t out_features, bool bias,
                            std::optional<Function> activation) {
  return add(Linear{out_features, bias, activation}, {x});
}

Tensor GraphBuilder::max_pool(Tensor x, Extent kernel, PoolOptions options) {
  return add(Pool{PoolKind::max, kernel, options.stride, options.padding, options.ceil_mode}, {x});
}

Tensor GraphBuilder::avg_pool(Tensor x, Extent kernel, PoolOptions options) {
  return add(Pool{PoolKind::average, kernel, options.stride, options.padding, options.ceil_mode}, {x});
}

Tensor GraphBuilder::tied_linear(Tensor x, Tensor embedding) {
  const auto& table = std::get<Embedding>(graph_.nodes.at(static_cast<std::size_t>(embedding.id)).op);
  const Tensor logits = linear(x, table.entries, false);
  graph_.nodes.back().weight_of = embedding.id;
  return logits;
}

Graph GraphBuilder::finish(Tensor output) {
  return finish(std::vector{output});
}

Graph GraphBuilder::finish(const std::vector<Tensor>& outputs) {
  for (const Tensor output : outputs) graph_.outputs.push_back(output.id);
  return std::exchange(graph_, {});
}

}  // namespace sextant::nets
