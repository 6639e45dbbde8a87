#include "step_bound.h"

#include <algorithm>

#include "op_roofline.h"
#include "sextant/core/text.h"
#include "sextant/predict/peak.h"

namespace sextant::predict {
namespace {

// F(4x4, 3x3): 36 products instead of 144 for 16 outputs (Lavin, Gray 2016), the most that libraries save.
constexpr double kWinograd = 4;

bool suits_winograd(const nets::Op& op) {
  const auto* conv = std::get_if<nets::Conv>(&op);
  return conv != nullptr && conv->kernel == nets::Extent{3, 3, 1} && conv->stride == nets::Extent{} &&
         conv->dilation == nets::Extent{} && conv->groups == 1;
}

// The same costs with the arithmetic that is left.
nets::GraphCost with_winograd(const Query& q) {
  nets::GraphCost reduced = q.cost;
  for (std::size_t node = 0; node < q.graph.nodes.size(); ++node) {
    if (!suits_winograd(q.graph.nodes[node].op)) continue;
    reduced.ops[node].forward = 1 / kWinograd * reduced.ops[node].forward;
    reduced.ops[node].backward = 1 / kWinograd * reduced.ops[node].backward;
  }
  return reduced;
}

}  // namespace

Seconds least_step(const Query& q, const StackTraits& traits) {
  jobs::Job as_run = q.job;
  as_run.precision = run_precision(q.gpu, q.job.precision, traits);
  const nets::GraphCost reduced = with_winograd(q);
  return step_roofline({as_run, q.graph, reduced, q.gpu});
}

std::string faster_formats(const catalog::Gpu& gpu, Precision precision, const StackTraits& traits) {
  const FlopRate rate = matrix_peak(gpu, run_precision(gpu, precision, traits));
  std::vector<std::string> faster;
  for (const Precision other : {Precision::tf32, Precision::fp16}) {
    if (matrix_peak(gpu, other) > rate) faster.push_back(to_string(other));
  }
  return join(faster, " or ");
}

}  // namespace sextant::predict
