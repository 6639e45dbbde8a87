// Where a graph cannot be trained: the variance of one value is none, and PyTorch refuses such a step too.
#pragma once

#include "sextant/nets/graph.h"

namespace sextant::nets {

// The first batch norm that sees a single value of each channel; null: none does.
const Node* single_value_norm(const Graph& graph);

}  // namespace sextant::nets
