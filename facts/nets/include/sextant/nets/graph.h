// One operator graph for everybody: `measure` executes it, `predict` costs it, `serving` splits it.
// Nodes stand in topological order, each with one output; batch, image size, sequence length and
// class count are bound when the graph is built.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sextant/nets/op.h"
#include "sextant/nets/shape.h"

namespace sextant::nets {

using NodeId = int;

struct Node {
  std::string name;
  Op op;
  std::vector<NodeId> inputs;
  Shape output;
  // Uses the weight matrix of this earlier node instead of one of its own (tied embeddings).
  std::optional<NodeId> weight_of;
};

struct Graph {
  std::string name;
  std::vector<Node> nodes;              // node i has id i
  std::vector<NodeId> outputs;          // results; usually the last node alone
  std::vector<std::string> notes = {};  // what its answers have to say: how a file was read

  [[nodiscard]] std::vector<Shape> input_shapes(const Node& node) const;
  [[nodiscard]] std::int64_t batch() const;  // first extent of the first input
};

// Without the nodes that no result needs, inputs apart.
Graph without_loose_ends(const Graph& graph);

// Names of Opaque operators, each once: what the answer has to flag, and how it says so.
std::vector<std::string> unknown_operators(const Graph& graph);
std::vector<std::string> warnings(const Graph& graph);

}  // namespace sextant::nets
