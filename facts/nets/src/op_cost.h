// The counting rules, operator by operator (docs/models/operator-counts.md).
#pragma once

#include "sextant/nets/cost.h"

namespace sextant::nets {

inline constexpr double kStatisticBytes = 4;  // means and variances stay in fp32

// Which gradients the backward pass has to make for a node.
struct GradientNeeds {
  bool inputs = false;   // somebody upstream has weights
  bool weights = false;  // the node itself has
};

// Tensors as large as the result that a recurrent layer keeps inside: its gates, and the cell of an LSTM.
double recurrent_states(const Recurrent& layer);

// Work and traffic of one node; `output` and `saved` are filled in by the pass over the graph.
OpCost op_cost(const Graph& graph, const Node& node, GradientNeeds needs, Precision precision);

}  // namespace sextant::nets
