// Memory of a step on one device: weights, gradients, optimizer state, activations, workspace, and what
// the runtime takes for itself. Rules and their source: docs/models/memory.md.
#pragma once

#include "sextant/catalog/gpu.h"
#include "sextant/core/units.h"
#include "sextant/jobs/job.h"
#include "sextant/nets/cost.h"

namespace sextant::predict {

struct MemoryNeed {
  Bytes weights;
  Bytes gradients;
  Bytes optimizer;    // state, and with fp16 the fp32 master copy of the weights
  Bytes activations;  // kept for the backward pass, or the live peak of an inference
  Bytes workspace;    // scratch of the convolution at work
  Bytes context;      // device context and libraries

  [[nodiscard]] Bytes total() const {
    return weights + gradients + optimizer + activations + workspace + context;
  }
};

// What a job may plan with: the capacity less check bits, what the driver keeps, and slack of the allocator.
Bytes plannable_memory(const catalog::Gpu& gpu);

// The one rule of `fits`, of the largest batch and of strategies on many devices: what a job may plan with.
bool fits_memory(const MemoryNeed& need, const catalog::Gpu& gpu);

// Never shrinks as the batch grows.
MemoryNeed memory_need(const nets::Graph& graph, const nets::GraphCost& cost, const jobs::Job& job);

}  // namespace sextant::predict
