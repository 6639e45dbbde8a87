#include "step_law.h"

namespace sextant::llm {

// Means from what is published of kernels and links (docs/models/llm-steps.md names the sources) and from
// orders of magnitude; a deviation of 0.4 says "within half and double, most likely".
const std::array<FieldPrior, kFields>& field_priors() {
  static const std::array<FieldPrior, kFields> priors = {{
      {"matmul", 0.72, 0.3},
      {"head", 0.65, 0.15},
      {"overlap", 0.7, 0.7},
      {"experts", 0.45, 0.4},
      {"operands", 1, 0.5},
      {"expert_operands", 1, 0.5},
      {"attention", 0.5, 0.35},
      {"head_width", 30, 0.5},
      {"elementwise", 8, 0.4},
      {"conversion", 1.5, 0.4},
      {"scores", 6, 0.4},
      {"routing", 4, 0.6},
      {"host", 150e-6, 0.6},
      {"host_experts", 600e-6, 1},
      {"host_expert", 3e-6, 1.2},
      {"tensor", 1.3, 0.4},
      {"tensor_latency", 15e-6, 0.6},
      {"experts_near", 1.2, 0.5},
      {"experts_far", 1, 0.6},
      {"experts_latency", 20e-6, 0.6},
      {"context", 0.5, 0.7},
      {"replicas", 1.5, 0.4},
      {"gather", 1, 0.5},
      {"optimizer", 2, 0.4},
      {"pipeline", 0.3, 0.4},
      {"pipeline_latency", 30e-6, 0.8},
      {"step", 10e-3, 0.7},
      {"micro", 1e-3, 0.5},
      {"partial_recompute", 0.5, 0.6},
      {"full_recompute", 1, 0.1},
      {"nodes", 0.01, 0.01},
      {"offload", 1.0 / 7e9, 0.7},
      {"logits", 6, 0.5},
      {"factor", 0, 0.2},
  }};
  return priors;
}

std::size_t find_field(std::string_view name) {
  const auto& priors = field_priors();
  for (std::size_t k = 0; k < kFields; ++k) {
    if (priors[k].name == name) return k;
  }
  return kFields;
}

}  // namespace sextant::llm
