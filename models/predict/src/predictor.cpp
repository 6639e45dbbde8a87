#include "sextant/predict/predictor.h"

#include <algorithm>

#include "op_roofline.h"

namespace sextant::predict {
namespace {

// FLOP that a device does while it moves a byte, fp32: 12 on an A100, 17 on a V100, 25 on a T4.
constexpr double kUsualRidge = 16;

Seconds usual_bound(Flops work, Bytes traffic) {
  return Seconds{std::max(work.value / kUsualRidge, traffic.value)};
}

}  // namespace

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

StepParts share_out(const Prediction& step, std::vector<OpTime> shares) {
  Seconds sum;
  for (const OpTime& op : shares) sum += op.forward + op.backward + op.update;
  const double stretch = sum > Seconds{} ? (step.iteration - step.breakdown.input) / sum : 0;
  for (OpTime& op : shares) op = {stretch * op.forward, stretch * op.backward, stretch * op.update};
  return {std::move(shares), {}, step.breakdown.input};
}

StepParts Predictor::parts(const Query& q) const {
  const bool train = q.job.mode == jobs::Mode::train;
  std::vector<OpTime> shares;
  for (const nets::OpCost& op : q.cost.ops) {
    shares.push_back({usual_bound(op.forward, op.forward_bytes), {}, {}});
    if (!train) continue;
    shares.back().backward = usual_bound(op.backward, op.backward_bytes);
    shares.back().update = usual_bound({}, update_traffic(q.job, static_cast<double>(op.parameters)));
  }
  return share_out(predict(q), std::move(shares));
}

bool Predictor::runs_on(const jobs::Job& /*job*/, const catalog::Gpu& /*gpu*/) const {
  return true;
}

}  // namespace sextant::predict
