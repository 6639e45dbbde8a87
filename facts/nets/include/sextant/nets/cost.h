// What a network costs, operator by operator: parameters, multiply-accumulates, forward and backward
// floating-point operations, bytes moved, bytes kept for the backward pass.
// Rules: docs/models/operator-counts.md. Bytes are compulsory traffic (each operand once).
#pragma once

#include <cstdint>
#include <vector>

#include "sextant/core/precision.h"
#include "sextant/core/units.h"
#include "sextant/nets/graph.h"

namespace sextant::nets {

struct OpCost {
  std::int64_t parameters = 0;  // trainable
  std::int64_t statistics = 0;  // kept but not trained: batch norm's moving mean and variance
  std::int64_t macs = 0;        // multiply-accumulates of the forward pass; biases not counted
  Flops forward;
  Flops backward;
  Bytes forward_bytes;
  Bytes backward_bytes;
  Bytes output;  // size of the result
  Bytes saved;   // kept from forward to backward: this output, if anybody needs it, masks, statistics

  OpCost& operator+=(const OpCost& other);
};

struct GraphCost {
  std::vector<OpCost> ops;  // one per node
  OpCost total;
  Bytes live_peak;  // largest sum of tensors alive at once in a forward pass that keeps nothing
};

// MACs and bytes are for the whole batch of the graph.
GraphCost cost(const Graph& graph, Precision precision = Precision::fp32);

}  // namespace sextant::nets
