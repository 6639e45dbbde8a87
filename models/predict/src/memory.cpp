#include "sextant/predict/memory.h"

#include <algorithm>

#include "sextant/core/text.h"

namespace sextant::predict {
namespace {

// CUDA context with cuDNN and cuBLAS handles loaded; 0.5 to 1 GB are seen, by version.
constexpr Bytes kContext{0.75e9};
constexpr Bytes kFullPrecision{4};
// Faster algorithms of cuDNN take more where it is free, and others run where it is not.
constexpr Bytes kLargestWorkspace{1e9};
constexpr Bytes kPoolIndex{8};  // of an output of PyTorch's max pool
// Shares of a card's memory that no job gets: see docs/models/memory.md.
constexpr double kCheckBits = 1.0 / 16;  // of GDDR with error correction
constexpr double kDriver = 0.015;
constexpr double kAllocatorSlack = 0.05;

// A copy of the operands of the largest convolution, as its transformed or unrolled form needs.
Bytes convolution_workspace(const nets::Graph& graph, const nets::GraphCost& cost) {
  Bytes largest;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const nets::Op& op = graph.nodes[i].op;
    if (!std::holds_alternative<nets::Conv>(op) && !std::holds_alternative<nets::ConvTranspose>(op)) continue;
    largest = std::max(largest, cost.ops[i].forward_bytes);
  }
  return std::min(largest, kLargestWorkspace);
}

// TensorFlow finds the maximum again from input and output, which are kept anyway.
Bytes pool_indices(const nets::Graph& graph, const nets::GraphCost& cost) {
  Bytes sum;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const auto* pool = std::get_if<nets::Pool>(&graph.nodes[i].op);
    if (pool == nullptr || pool->kind != nets::PoolKind::max || cost.ops[i].saved == Bytes{}) continue;
    sum += static_cast<double>(nets::element_count(graph.nodes[i].output)) * kPoolIndex;
  }
  return sum;
}

}  // namespace

Bytes plannable_memory(const catalog::Gpu& gpu) {
  const double checked = gpu.memory_kind == "gddr-ecc" ? 1 - kCheckBits : 1;
  return checked * (1 - kDriver) * (1 - kAllocatorSlack) * gpu.memory;
}

bool fits_memory(const MemoryNeed& need, const catalog::Gpu& gpu) {
  return need.total() <= plannable_memory(gpu);
}

MemoryNeed memory_need(const nets::Graph& graph, const nets::GraphCost& cost, const jobs::Job& job) {
  const Bytes element = element_size(job.precision);
  const auto parameters = static_cast<double>(cost.total.parameters);
  MemoryNeed need;
  need.weights = parameters * element + static_cast<double>(cost.total.statistics) * kFullPrecision;
  need.workspace = convolution_workspace(graph, cost);
  need.context = kContext;
  if (job.mode == jobs::Mode::infer) {
    need.activations = cost.live_peak;
    return need;
  }
  need.gradients = parameters * element;
  need.optimizer = parameters * optimizer_state_size(job.optimizer, job.precision);
  if (keeps_master_weights(job.precision) && job.optimizer != jobs::Optimizer::none) {
    need.optimizer += parameters * kFullPrecision;
  }
  need.activations = cost.total.saved;
  if (fold_name(job.stack).starts_with("tensorflow")) {
    need.activations = need.activations - pool_indices(graph, cost);
  }
  return need;
}

}  // namespace sextant::predict
