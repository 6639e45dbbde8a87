#include "step_law.h"

#include <algorithm>
#include <cmath>

namespace sextant::llm {
namespace {

constexpr double kReferenceHead = 128;
constexpr double kAttentionBackward = 2.5;  // five products against two
constexpr double kMemoryBackward = 2;
constexpr double kHostBackward = 1.5;
constexpr double kSelectiveShare = 0.1;  // of a forward pass: cheap parts beside attention
constexpr double kSlopeStep = 1e-5;      // relative

// The longer of two things that mostly hide each other.
double hidden(double a, double b) {
  const double most = std::max(a, b);
  if (most <= 0) return 0;
  const double x = a / most;
  const double y = b / most;
  return most * std::cbrt(x * x * x + y * y * y);
}

// Seconds of a pass over the layers of a stage.
struct Pass {
  double matrices = 0;
  double attention = 0;
  double memory = 0;
  double launches = 0;
  double tensor = 0;
  double experts = 0;
  double context = 0;

  [[nodiscard]] double sum() const {
    return matrices + attention + memory + launches + tensor + experts + context;
  }
  void add(const Pass& other, double times) {
    matrices += times * other.matrices;
    attention += times * other.attention;
    memory += times * other.memory;
    launches += times * other.launches;
    tensor += times * other.tensor;
    experts += times * other.experts;
    context += times * other.context;
  }
};

// Plain coefficients: exponentials of the logarithms.
using Plain = StepValues;

double of(const Plain& q, Field field) {
  return q[at(field)];
}

Plain plain_of(const StepValues& values) {
  Plain q = values;
  for (std::size_t k = 0; k < kFields; ++k) {
    if (k != at(Field::nodes) && k != at(Field::factor)) q[k] = std::exp(values[k]);
  }
  return q;
}

Pass forward_pass(const StepDemand& d, const Plain& q) {
  Pass pass;
  pass.matrices = d.matmul / of(q, Field::matmul) + of(q, Field::operands) * d.operands +
                  d.experts / of(q, Field::experts) + of(q, Field::expert_operands) * d.expert_operands;
  const double width = of(q, Field::head_width);
  pass.attention =
      d.attention / of(q, Field::attention) * (1 + width / d.head_width) / (1 + width / kReferenceHead);
  pass.memory = of(q, Field::elementwise) * d.elementwise + of(q, Field::scores) * d.scores +
                of(q, Field::routing) * d.routing + of(q, Field::conversion) * d.conversion;
  pass.tensor = of(q, Field::tensor) * d.tensor + of(q, Field::tensor_latency) * d.tensor_calls;
  pass.experts = of(q, Field::experts_near) * d.experts_near + of(q, Field::experts_far) * d.experts_far +
                 of(q, Field::experts_latency) * d.experts_calls;
  pass.context = of(q, Field::context) * d.context;
  return pass;
}

double host_seconds(const StepDemand& d, const Plain& q) {
  return of(q, Field::host) * d.layers + of(q, Field::host_experts) * d.expert_layers +
         of(q, Field::host_expert) * d.local_experts;
}

void add_launches(Pass& pass, double host) {
  const double device = pass.matrices + pass.attention + pass.memory;
  pass.launches = hidden(device, host) - device;
}

// Everything that a stage does for a micro-batch, and the backward and forward pass without recomputation.
struct Stage {
  Pass all;
  double passes = 0;
};

Stage stage_of(const StepDemand& d, const Plain& q) {
  Pass forward = forward_pass(d, q);
  Pass backward = forward;
  backward.matrices *= d.backward;
  backward.attention *= kAttentionBackward;
  backward.memory *= kMemoryBackward;
  backward.context *= 2;
  forward.memory += d.unpacking;
  backward.memory += d.unpacking;
  const double host = host_seconds(d, q);
  add_launches(forward, host);
  add_launches(backward, kHostBackward * host);
  Stage stage;
  stage.passes = forward.sum() + backward.sum();
  stage.all = backward;
  stage.all.add(forward, 1 + of(q, Field::full_recompute) * d.full_recompute +
                             kSelectiveShare * d.selective_recompute +
                             of(q, Field::partial_recompute) * d.partial_recompute);
  if (d.scores > 0) {
    stage.all.attention += d.selective_recompute * forward.attention;
    stage.all.memory += d.selective_recompute * of(q, Field::scores) * d.scores;
  }
  const Pass once = stage.all;
  stage.all.add(once, d.slots - 1);
  return stage;
}

StepParts parts_of(const StepDemand& d, const Plain& q) {
  const Stage stage = stage_of(d, q);
  const Pass& p = stage.all;
  const double layers = p.sum();
  const double gathered = hidden(layers, 3 * of(q, Field::gather) * d.gather) - layers;
  const double transfer =
      2 * (of(q, Field::pipeline) * d.pipeline + of(q, Field::pipeline_latency) * d.pipeline_calls);
  double exposed = 0;
  if (d.replicas > 0) {
    const double sent = of(q, Field::replicas) * d.replicas;
    exposed = sent * sent / (sent + of(q, Field::overlap) * stage.passes);
  }
  const double m = d.micro_batches;
  const double factor = std::exp(q[at(Field::factor)] + q[at(Field::nodes)] * d.nodes);
  StepParts parts;
  parts.matrices =
      Seconds{m * (p.matrices + d.head_share * d.head_passes * d.head / of(q, Field::head))} * factor;
  parts.attention = Seconds{m * p.attention} * factor;
  parts.memory = Seconds{m * (p.memory + d.head_share * of(q, Field::logits) * d.logits)} * factor;
  parts.launches = Seconds{m * (p.launches + of(q, Field::micro))} * factor;
  parts.tensor = Seconds{m * p.tensor} * factor;
  parts.experts = Seconds{m * p.experts} * factor;
  parts.context = Seconds{m * p.context} * factor;
  parts.pipeline = Seconds{m * transfer + d.bubble * (layers + gathered + transfer)} * factor;
  parts.replicas = Seconds{m * gathered + exposed} * factor;
  parts.optimizer = Seconds{of(q, Field::optimizer) * d.optimizer + of(q, Field::step) +
                            of(q, Field::offload) * d.offload} *
                    factor;
  return parts;
}

}  // namespace

Seconds total_of(const StepParts& p) {
  return p.matrices + p.attention + p.memory + p.launches + p.tensor + p.experts + p.context + p.pipeline +
         p.replicas + p.optimizer;
}

double step_seconds(const StepDemand& demand, const StepValues& values) {
  return total_of(parts_of(demand, plain_of(values))).value;
}

FixedLaw::FixedLaw(const StepValues& values) : plain_(plain_of(values)) {}

double FixedLaw::seconds(const StepDemand& demand) const {
  return total_of(parts_of(demand, plain_)).value;
}

StepParts step_parts(const StepDemand& demand, const StepValues& values) {
  return parts_of(demand, plain_of(values));
}

StepSlope step_slope(const StepDemand& demand, const StepValues& values) {
  Plain q = plain_of(values);
  const double seconds = total_of(parts_of(demand, q)).value;
  StepSlope out;
  out.log_seconds = std::log(seconds);
  for (std::size_t k = 0; k < kFields; ++k) {
    if (k == at(Field::nodes)) {
      out.slope[k] = demand.nodes;
    } else if (k == at(Field::factor)) {
      out.slope[k] = 1;
    } else {
      const double kept = q[k];
      q[k] = kept * (1 + kSlopeStep);
      out.slope[k] = (total_of(parts_of(demand, q)).value / seconds - 1) / kSlopeStep;
      q[k] = kept;
    }
  }
  return out;
}

}  // namespace sextant::llm
