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

bool is_convolution(const nets::Op& op) {
  return std::holds_alternative<nets::Conv>(op) || std::holds_alternative<nets::ConvTranspose>(op);
}

// The same costs with the arithmetic that is left; that of convolutions in a faster format counts for less.
nets::GraphCost as_computed(const Query& q, double conv_share) {
  nets::GraphCost reduced = q.cost;
  for (std::size_t node = 0; node < q.graph.nodes.size(); ++node) {
    const nets::Op& op = q.graph.nodes[node].op;
    if (!is_convolution(op)) continue;
    const double left = conv_share / (suits_winograd(op) ? kWinograd : 1);
    reduced.ops[node].forward = left * reduced.ops[node].forward;
    reduced.ops[node].backward = left * reduced.ops[node].backward;
  }
  return reduced;
}

}  // namespace

Seconds least_step(const Query& q, const StackTraits& traits) {
  jobs::Job as_run = q.job;
  as_run.precision = run_precision(q.gpu, q.job.precision, traits);
  const FlopRate convolving = matrix_peak(q.gpu, conv_precision(q.gpu, q.job.precision, traits));
  const nets::GraphCost reduced = as_computed(q, matrix_peak(q.gpu, as_run.precision) / convolving);
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
