// How one operator becomes kernels, forward and backward. Bytes in units of the tensors: an
// activation reads one and writes one, its gradient reads two and writes one, batch norm takes three
// passes forward and five backward.
#pragma once

#include <vector>

#include "sextant/predict/kernel.h"

namespace sextant::predict {

struct LoweringContext {
  const nets::Graph& graph;
  double element_bytes;
};

void lower_forward(const LoweringContext& context, const nets::Node& node, std::vector<Kernel>& out);
// `input_gradient`: somebody before this operator trains.
void lower_backward(const LoweringContext& context, const nets::Node& node, bool input_gradient,
                    std::vector<Kernel>& out);

// A product of matrices, or of a batch of them.
Kernel product(KernelKind kind, const GemmShape& g, double element_bytes);
// A kernel that is known by the bytes it moves.
Kernel moving(KernelKind kind, double bytes, double elements);

}  // namespace sextant::predict
