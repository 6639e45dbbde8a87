#include "sextant/predict/memory.h"

#include <algorithm>

#include "sextant/core/text.h"

namespace sextant {
namespace {

// CUDA context with cuDNN and cuBLAS handles loaded; 0.5 to 1 GB are seen, by version.
constexpr Bytes kContext{0.75e9};
constexpr Bytes kFullPrecision{4};
// Faster algorithms of cuDNN take more where it is free, and others run where it is not.
constexpr Bytes kLargestWorkspace{1e9};
constexpr Bytes kPoolIndex{8};  // of an output of PyTorch's max pool

// A copy of the operands of the largest convolution, as its transformed or unrolled form needs.
Bytes convolution_workspace(const Graph& graph, const GraphCost& cost) {
  Bytes largest;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (!std::holds_alternative<Conv>(graph.nodes[i].op)) continue;
    largest = std::max(largest, cost.ops[i].forward_bytes);
  }
  return std::min(largest, kLargestWorkspace);
}

// TensorFlow finds the maximum again from input and output, which are kept anyway.
Bytes pool_indices(const Graph& graph, const GraphCost& cost) {
  Bytes sum;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const auto* pool = std::get_if<Pool>(&graph.nodes[i].op);
    if (pool == nullptr || pool->kind != PoolKind::max || cost.ops[i].saved == Bytes{}) continue;
    sum += static_cast<double>(element_count(graph.nodes[i].output)) * kPoolIndex;
  }
  return sum;
}

}  // namespace

MemoryNeed memory_need(const Graph& graph, const GraphCost& cost, const TrainingJob& job) {
  const Bytes element = element_size(job.precision);
  const auto parameters = static_cast<double>(cost.total.parameters);
  MemoryNeed need;
  need.weights = parameters * element + static_cast<double>(cost.total.statistics) * kFullPrecision;
  need.workspace = convolution_workspace(graph, cost);
  need.context = kContext;
  if (job.mode == Mode::infer) {
    need.activations = cost.live_peak;
    return need;
  }
  need.gradients = parameters * element;
  need.optimizer = parameters * optimizer_state_values(job.optimizer) * kFullPrecision;
  if (job.precision == Precision::fp16 && job.optimizer != Optimizer::none) {
    need.optimizer += parameters * kFullPrecision;
  }
  need.activations = cost.total.saved;
  if (fold_name(job.stack).starts_with("tensorflow")) {
    need.activations = need.activations - pool_indices(graph, cost);
  }
  return need;
}

}  // namespace sextant
