// Roofline (Williams, Waterman, Patterson 2009): no operator ends before its arithmetic is done at
// peak rate, nor before its compulsory bytes have moved at peak bandwidth. The sum over operators is a
// lower bound of the step. Page: docs/models/roofline.md.
#include <algorithm>

#include "sextant/predict/peak.h"
#include "sextant/predict/predictor.h"

namespace sextant {
namespace {

Seconds bound(Flops work, FlopRate peak, Bytes traffic, Bandwidth bandwidth) {
  return std::max(work / peak, traffic / bandwidth);
}

Seconds operators_bound(const Query& q) {
  const FlopRate matrix = matrix_peak(q.gpu, q.job.precision);
  const FlopRate vector = vector_peak(q.gpu, q.job.precision);
  const Bandwidth bandwidth = q.gpu.memory_bandwidth;
  Seconds sum;
  for (std::size_t i = 0; i < q.graph.nodes.size(); ++i) {
    const OpCost& op = q.cost.ops[i];
    const FlopRate peak = uses_matrix_units(q.graph.nodes[i].op) ? matrix : vector;
    sum += bound(op.forward, peak, op.forward_bytes, bandwidth);
    if (q.job.mode == Mode::train) sum += bound(op.backward, peak, op.backward_bytes, bandwidth);
  }
  return sum;
}

// Reads weight and gradient and writes the weight; each state value is read and written too.
Seconds optimizer_bound(const Query& q) {
  if (q.job.mode == Mode::infer || q.job.optimizer == Optimizer::none) return {};
  const double tensors = 3 + 2 * optimizer_state_values(q.job.optimizer);
  const Bytes traffic = tensors * static_cast<double>(q.cost.total.parameters) * Bytes{4};
  return traffic / q.gpu.memory_bandwidth;
}

class Roofline final : public Predictor {
  [[nodiscard]] Prediction predict(const Query& q) const override {
    Prediction p;
    p.breakdown.compute = operators_bound(q) + optimizer_bound(q);
    p.iteration = p.breakdown.total();
    p.interval = {.low = p.iteration, .high = std::nullopt};
    p.memory = memory_need(q.cost, q.job);
    p.fits = p.memory.total() <= q.gpu.memory;
    p.model = "roofline";
    p.warnings = warnings(q.graph);
    return p;
  }
};

}  // namespace

PredictorInfo predictor_roofline() {
  return {{.id = "roofline",
           .summary = "lower bound from peak arithmetic and memory bandwidth",
           .reference = "Williams, Waterman, Patterson: Roofline, CACM 52(4), 2009"},
          {},
          []() -> std::unique_ptr<Predictor> { return std::make_unique<Roofline>(); }};
}

}  // namespace sextant
