#include "sextant/predict/memory.h"

namespace sextant {
namespace {

// CUDA context with cuDNN and cuBLAS handles loaded; 0.5 to 1 GB are seen, by version.
constexpr Bytes kContext{0.75e9};
constexpr Bytes kFullPrecision{4};

}  // namespace

MemoryNeed memory_need(const GraphCost& cost, const TrainingJob& job) {
  const Bytes element = element_size(job.precision);
  const auto parameters = static_cast<double>(cost.total.parameters);
  MemoryNeed need;
  need.weights = parameters * element + static_cast<double>(cost.total.statistics) * kFullPrecision;
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
  return need;
}

}  // namespace sextant
