#include "op_roofline.h"

#include <algorithm>

#include "sextant/predict/peak.h"

namespace sextant::predict {
namespace {

Seconds bound(const Query& q, std::size_t node, Flops work, Bytes traffic) {
  const FlopRate peak = uses_matrix_units(q.graph.nodes[node].op) ? matrix_peak(q.gpu, q.job.precision)
                                                                  : vector_peak(q.gpu, q.job.precision);
  return std::max(work / peak, traffic / q.gpu.memory_bandwidth);
}

}  // namespace

Seconds forward_roofline(const Query& q, std::size_t node) {
  return bound(q, node, q.cost.ops[node].forward, q.cost.ops[node].forward_bytes);
}

Seconds backward_roofline(const Query& q, std::size_t node) {
  return bound(q, node, q.cost.ops[node].backward, q.cost.ops[node].backward_bytes);
}

// Reads weight and gradient and writes the weight; each state value is read and written too.
Bytes update_traffic(const jobs::Job& job, double parameters) {
  if (job.mode == jobs::Mode::infer || job.optimizer == jobs::Optimizer::none) return {};
  const double tensors = update_tensors(job.optimizer);
  return tensors * parameters * Bytes{4};
}

Seconds optimizer_roofline(const Query& q) {
  return update_traffic(q.job, static_cast<double>(q.cost.total.parameters)) / q.gpu.memory_bandwidth;
}

Seconds step_roofline(const Query& q) {
  Seconds sum = optimizer_roofline(q);
  for (std::size_t node = 0; node < q.graph.nodes.size(); ++node) {
    sum += forward_roofline(q, node);
    if (q.job.mode == jobs::Mode::train) sum += backward_roofline(q, node);
  }
  return sum;
}

}  // namespace sextant::predict
