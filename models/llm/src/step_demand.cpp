// What a case asks of the hardware, at its peak rates. Rows of tokens times columns of weights, as Megatron,
// FSDP and their kin split them.
#include <algorithm>
#include <cmath>

#include "step_law.h"
#include "step_shape.h"

namespace sextant::llm {
namespace {

constexpr double kHalf = 2;              // bytes of an activation
constexpr double kReferencePower = 0.7;  // W for a peak TFLOP/s
constexpr double kLoraShare = 0.01;      // trained parameters of all
constexpr double kLoraBackward = 1.05;   // products for inputs, and small ones for the adapters
// Frozen weights of 4 and 8 bits are unpacked before each product. The kernels of today reach a share of the
// memory's bandwidth that was chosen looking at litgpt's times with and without (docs/models/llm-steps.md).
constexpr double kUnpackShare = 0.33;

struct AskedOf {
  const StepCase& step;
  const StepShape& shape;
  const StepRates& rates;
};

void add_products(const StepCase& step, const StepShape& s, const StepRates& r, StepDemand& d) {
  const nets::ParameterCount& count = s.count;
  const auto real = [](std::int64_t n) { return static_cast<double>(n); };
  const double bytes = bits_of(step.format) == 16 ? 2 : 1;
  const double weights = (real(count.attention) + real(count.mlp) + real(count.shared_experts)) / s.tp;
  const double attention_values = 2 * s.layers * s.hidden + (2 * s.results + s.read) / s.tp;
  const double matrices = step.model.gated ? 3 : 2;
  const double ffn = (real(step.model.ffn) * s.dense_layers + s.shared * s.expert_layers) / s.tp;
  const double mlp_layers = s.dense_layers + (s.shared > 0 ? s.expert_layers : 0);
  const double values = attention_values + 2 * s.hidden * mlp_layers + matrices * ffn;
  d.matmul = 2 * s.tokens * weights / s.pp / r.peak;
  d.operands = (weights + s.tokens * values) * bytes / s.pp / r.memory;
  if (s.expert_layers > 0) {
    const double here = std::max(1.0, s.experts / s.ep);
    const double rows = s.tokens / s.tp * s.chosen;  // tokens that come to the experts of a device
    const double expert = matrices * s.expert_width * s.expert_ffn;
    d.experts = 2 * rows * expert * s.expert_layers / s.pp / r.peak;
    d.expert_operands = (here * expert + rows * (2 * s.expert_width + matrices * s.expert_ffn)) * bytes *
                        s.expert_layers / s.pp / r.memory;
    d.routing = rows * s.expert_width * kHalf * s.expert_layers / s.pp / r.memory;
    d.local_experts = here * s.expert_layers / s.pp;
    d.expert_layers = s.expert_layers / s.pp;
  }
  d.head = 2 * s.tokens * s.vocab * s.hidden / s.tp / r.peak_16;
  d.logits = s.tokens * s.vocab * 4 / s.tp / r.memory;
}

void add_attention(const AskedOf& what, const StepCounts& counts, StepDemand& d) {
  const auto& [step, s, r] = what;
  const nets::Decoder& model = step.model;
  d.attention = counts.scores * s.tokens / s.tp / s.pp / r.peak_16;
  d.head_width = model.attention == nets::AttentionKind::mla
                     ? 0.5 * (s.head_dim + static_cast<double>(model.latent.v_head_dim))
                     : s.head_dim;
  // Learned sinks have no fused kernel in most of the software that was timed. Scores of windows are few.
  if (step.stack.fused_attention && !model.attention_sinks) return;
  const auto full = static_cast<double>(counts.full_layers);
  d.scores =
      step.micro_batch * s.heads * s.sequence * s.sequence / s.cp / s.tp * kHalf * full / s.pp / r.memory;
}

void add_traffic(const StepCase& step, const StepShape& s, const StepRates& r, StepDemand& d) {
  const double projections = (s.results + s.read) / s.tp;
  d.elementwise = s.tokens * kHalf *
                  (s.layers * s.hidden / s.split + 0.5 * s.width / s.tp + 0.5 * projections) / s.pp /
                  r.memory;
  if (bits_of(step.format) < 16) {
    const double inputs = 2 * s.hidden * s.layers + s.results / s.tp + s.hidden * s.dense_layers +
                          s.width / 2 / s.tp + s.chosen * s.expert_width * s.expert_layers / s.tp;
    d.conversion = 4 * s.tokens * inputs / s.pp / r.memory;  // reads 16 bits, writes 8 twice
  }
  d.layers = s.layers / s.pp;
  const auto whole = static_cast<double>(step.model.layers);
  const double mean = whole / s.pp;
  // Where layers do not divide, embedding and loss take the place of a layer each.
  if (s.pp > 1 && std::abs(mean - std::round(mean)) > 1e-9) {
    d.slots = std::ceil((whole + 2) / s.pp) / mean;
    d.head_share = 0.15;
  }
}

void add_collectives(const StepShape& s, const StepRates& r, StepDemand& d) {
  const double layers = s.layers / s.pp;
  if (s.tp > 1) {
    const double bandwidth = s.tp <= r.domain ? r.link : r.network;
    d.tensor = 4 * (s.tp - 1) / s.tp * s.tokens * s.hidden * kHalf * layers / bandwidth;
    d.tensor_calls = 2 * layers * (1 + 0.5 * std::log2(s.tp));
  }
  if (s.expert_layers > 0 && s.ep > 1) {
    const double bytes = 2 * s.tokens / s.tp * s.chosen * s.expert_width * kHalf * s.expert_layers / s.pp;
    const double far = std::max(0.0, (s.ep - r.domain) / s.ep);
    d.experts_near = bytes * (s.ep - 1) / s.ep * (1 - far) / r.link;
    d.experts_far = bytes * far / r.network;
    d.experts_calls = 2 * s.expert_layers / s.pp;
  }
  if (s.cp > 1) {
    const double bandwidth = s.cp * s.tp <= r.domain ? r.link : r.network;
    d.context = (s.cp - 1) * s.tokens * s.kept * kHalf / s.tp / s.pp / bandwidth;
  }
  if (s.pp > 1) {
    const bool near = s.tp * s.pp * s.members <= r.domain;
    d.pipeline = s.tokens * s.hidden * kHalf / s.tp / (near ? r.link : r.network) * s.vp;
    d.pipeline_calls = s.vp;
    d.bubble = (s.pp - 1) / s.vp;
  }
}

double trained_weights(const StepCase& step, const StepShape& s) {
  if (!s.lora) return s.weights;
  const double added = step.tuning.added_parameters;
  return added > 0 ? added / (s.tp * s.pp) : kLoraShare * s.weights;
}

// Share of the bytes that each of so many members sends in a ring.
double around(double members) {
  return members > 1 ? (members - 1) / members : 0;
}

// Rings use the network cards of all members in a node.
double ring_bandwidth(double members, const StepShape& s, const StepRates& r) {
  if (members * s.tp <= r.domain) return r.link;
  const double in_node = std::min(std::max(1.0, r.domain / s.tp), members);
  return std::min(r.link, in_node * r.network);
}

void add_replicas(const StepCase& step, const StepShape& s, const StepRates& r, StepDemand& d) {
  const Sharding sharding = step.layout.sharding;
  const double trained = trained_weights(step, s);
  if (sharding == Sharding::zero_3) {
    d.gather = around(s.shards) * s.weights * kHalf / ring_bandwidth(s.shards, s, r);
    // Copies of the shards (HSDP) sum their gradients once in a step, each device its own part.
    const double copies = s.members / s.shards;
    d.replicas = 2 * around(copies) * trained / s.shards * kHalf /
                 (s.members * s.tp <= r.domain ? r.link : std::min(r.link, r.network));
  } else {
    d.replicas = 2 * around(s.members) * trained * kHalf / ring_bandwidth(s.members, s, r);
  }
  const double kept = 16 * trained / (sharding == Sharding::none ? 1 : s.shards);
  d.optimizer = kept / r.memory;
  if (step.stack.offloads_optimizer) d.offload = 16 * s.weights / s.shards;
}

void add_unpacking(const StepCase& step, const StepShape& s, const StepRates& r, StepDemand& d) {
  const FrozenWeights frozen = step.tuning.frozen;
  if (frozen == FrozenWeights::plain) return;
  const double packed = frozen == FrozenWeights::int8 ? 1 : 0.5;
  const double words = static_cast<double>(s.count.embedding + s.count.head) / (s.tp * s.pp);
  d.unpacking = std::max(0.0, s.weights - words) * (packed + kHalf) / (kUnpackShare * r.memory);
}

void add_recomputation(const StepCase& step, const StepShape& s, const StepRates& r, StepDemand& d) {
  if (!step.layout.recompute) {
    d.partial_recompute = recomputed_share(step, s, r);
  } else if (*step.layout.recompute == Recompute::full) {
    d.full_recompute = 1;
  } else if (*step.layout.recompute == Recompute::selective) {
    d.selective_recompute = 1;
  }
}

}  // namespace

StepDemand demand_of(const StepCase& step) {
  return demand_of(step, step_counts(step.model, step.sequence), rates_of(step));
}

StepDemand demand_of(const StepCase& step, const StepCounts& counts, const StepRates& r) {
  const StepShape s = shape_of(step, counts);
  StepDemand d;
  add_products(step, s, r, d);
  add_attention({step, s, r}, counts, d);
  add_traffic(step, s, r, d);
  add_collectives(s, r, d);
  add_replicas(step, s, r, d);
  add_unpacking(step, s, r, d);
  add_recomputation(step, s, r, d);
  d.micro_batches = s.micro_batches;
  d.nodes = std::log2(std::max(1.0, static_cast<double>(step.gpus) / r.domain));
  d.power = std::log(r.watts / kReferencePower);
  if (s.lora) {
    d.backward = kLoraBackward;
    d.head_passes = 2;
  }
  return d;
}

}  // namespace sextant::llm
