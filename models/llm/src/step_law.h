// The law of a step: what a case asks of the hardware (StepDemand, seconds at peak rates and counts), the
// coefficients that turn it into time, and what is assumed of those before any row is seen.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "sextant/llm/step_model.h"

namespace sextant::llm {

enum class Field : std::size_t {
  matmul,             // share of the peak that products with weights reach
  head,               // the same of the product with the vocabulary, in 16 bits
  overlap,            // forward and backward passes that hide gradients, in passes
  experts,            // share of the peak that grouped products reach
  operands,           // passes over the operands of products
  expert_operands,    //
  attention,          // share of the 16-bit peak at heads of 128
  head_width,         // values of a head at which attention has lost half
  elementwise,        // passes over the activations of a layer
  conversion,         // passes over what is converted to 8 or 4 bits
  scores,             // passes over scores where attention is not fused
  routing,            // passes over tokens on their way to experts and back
  host,               // seconds of the host for a layer, forward
  host_experts,       // further, for a layer with experts
  host_expert,        // further, for each expert here
  tensor,             // all-reduces over the link's bandwidth
  tensor_latency,     // seconds of one
  experts_near,       // all-to-all over the link's bandwidth
  experts_far,        // over the network's
  experts_latency,    // seconds of one
  context,            // keys and values over the link's bandwidth
  replicas,           // gradients and weights over what connects replicas
  gather,             // weights gathered for each micro-batch (ZeRO-3)
  optimizer,          // passes over the optimizer's state
  pipeline,           // activations between stages
  pipeline_latency,   // seconds of one transfer
  step,               // seconds once in a step
  micro,              // seconds once in a micro-batch
  partial_recompute,  // forward passes added where memory asks for recomputation
  full_recompute,     // forward passes added by full recomputation
  nodes,              // growth of the logarithm with each doubling of nodes
  offload,            // seconds for a byte of the optimizer's state on the host
  logits,             // passes over the logits in fp32
  factor,             // of the whole, a logarithm
};
inline constexpr std::size_t kFields = 34;
using StepValues = std::array<double, kFields>;  // logarithms; of `nodes` and `factor` plain numbers

struct FieldPrior {
  const char* name;
  double mean;  // not a logarithm, but for `nodes` and `factor`
  double deviation;
};
const std::array<FieldPrior, kFields>& field_priors();
constexpr std::size_t at(Field field) {
  return static_cast<std::size_t>(field);
}
// InputError-free: kFields where there is no such field.
std::size_t find_field(std::string_view name);

// Of one micro-batch and one device unless said otherwise; forward pass. Times are at peak rates.
struct StepDemand {
  double matmul = 0, operands = 0;
  double experts = 0, expert_operands = 0, routing = 0, local_experts = 0, expert_layers = 0;
  double attention = 0, head_width = 128;
  double head = 0, logits = 0,
         head_share = 1;  // of the head that the slowest stage carries beside its layers
  double elementwise = 0, conversion = 0, scores = 0;
  double layers = 0, slots = 1;  // slots: layers of the slowest stage over the mean
  double tensor = 0, tensor_calls = 0;
  double experts_near = 0, experts_far = 0, experts_calls = 0;
  double context = 0;
  double replicas = 0, gather = 0;  // of a whole step; of a micro-batch
  double optimizer = 0, offload = 0;
  double unpacking = 0;                                 // of frozen weights in few bits, whole seconds
  double pipeline = 0, pipeline_calls = 0, bubble = 0;  // bubble in micro-batches
  double micro_batches = 1;
  double full_recompute = 0, selective_recompute = 0, partial_recompute = 0;  // 0 to 1
  double nodes = 0;                                                           // log2
  double power = 0;     // log of watts for a peak TFLOP/s over 0.7
  double backward = 2;  // products of the backward pass for one of the forward pass
  double head_passes = 3;
};
struct StepCounts;
struct StepRates;
StepDemand demand_of(const StepCase& step);
StepDemand demand_of(const StepCase& step, const StepCounts& counts, const StepRates& rates);

// Seconds of a step, or of its parts, with these coefficients.
double step_seconds(const StepDemand& demand, const StepValues& values);
StepParts step_parts(const StepDemand& demand, const StepValues& values);
// The same for many demands with the same coefficients.
class FixedLaw {
 public:
  explicit FixedLaw(const StepValues& values);
  [[nodiscard]] double seconds(const StepDemand& demand) const;

 private:
  StepValues plain_;  // exponentials where the values are logarithms
};
Seconds total_of(const StepParts& parts);
// d log seconds / d value of each field.
struct StepSlope {
  double log_seconds = 0;
  StepValues slope{};
};
StepSlope step_slope(const StepDemand& demand, const StepValues& values);

}  // namespace sextant::llm
