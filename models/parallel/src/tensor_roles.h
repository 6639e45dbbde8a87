// Which operators tensor parallelism splits (Shoeybi et al. 2019, Megatron-LM): projections and the first
// matrix of a pair by columns, what works head by head or element by element behind them, and the second
// matrix by rows, so that its parts are summed.
#pragma once

#include <vector>

#include "sextant/nets/graph.h"
#include "sextant/parallel/workload.h"

namespace sextant::parallel {

// One for each node. All replicated in a graph without attention.
std::vector<TensorRole> tensor_roles(const nets::Graph& graph);

// Heads of the attention that a product of activations belongs to; 0 for other operators.
std::int64_t heads_of(const nets::Node& node);

}  // namespace sextant::parallel
