#include "sextant/predict/predictor.h"

#include "op_roofline.h"

namespace sextant::predict {

bool fully_counted(const Query& q) {
  const bool weights = q.cost.total.parameters > 0 || q.job.mode == jobs::Mode::infer;
  return weights && unknown_operators(q.graph).empty();
}

std::vector<OpTime> Predictor::op_times(const Query& q) const {
  std::vector<OpTime> times(q.graph.nodes.size());
  const Seconds update = optimizer_roofline(q);
  const auto parameters = static_cast<double>(q.cost.total.parameters);
  for (std::size_t node = 0; node < times.size(); ++node) {
    times[node].forward = forward_roofline(q, node);
    if (q.job.mode == jobs::Mode::infer) continue;
    times[node].backward = backward_roofline(q, node);
    if (parameters > 0) {
      times[node].update = static_cast<double>(q.cost.ops[node].parameters) / parameters * update;
    }
  }
  return times;
}

bool Predictor::runs_on(const jobs::Job& /*job*/, const catalog::Gpu& /*gpu*/) const {
  return true;
}

}  // namespace sextant::predict
