// Memory of an optimizer step of a decoder on the fullest device of its layout: weights, gradients,
// optimizer, gathered shards, activations with no, selective or full recomputation, logits, allocator slack
// and context. Counts follow Korthikanti et al. (2022, arXiv 2205.05198). Rules, sources and errors:
// docs/models/llm-memory.md.
#pragma once

#include <string>
#include <string_view>

#include "sextant/core/units.h"
#include "sextant/llm/step_case.h"

namespace sextant::llm {

// How the loss treats its logits: each step of the formula stays in memory, steps are joined by a compiler or
// logits are split by words, they are written over in place, or they are never whole (Liger).
enum class LossKind { eager, compiled, in_place, chunked };

// What a framework keeps, whatever the network.
struct MemoryStack {
  bool fused_attention = true;
  bool dropout = false;               // a byte for each value behind attention and behind the MLP
  bool eager = false;                 // norms in fp32, gates and unrotated queries are kept
  bool chooses_products = false;      // `selective` keeps the results of every second product (torchtitan)
  bool keeps_low_precision = false;   // operands of 8 bits are kept as such
  bool frozen_stay_gathered = false;  // FSDP does not free frozen weights that it has gathered
  bool offloads_optimizer = false;
  LossKind loss = LossKind::compiled;
  Bytes weight{2};             // what products read, of a parameter
  Bytes gradient{4};           // where it is summed over micro-batches
  Bytes gathered_gradient{2};  // with zero_3, before it is scattered
};
// By the words of the framework's name, as "torchtitan compile" or "nanotron 0.5"; a text that says nothing
// known is taken for a Megatron of today.
MemoryStack memory_stack(std::string_view framework, const StepCase& at);

struct MemoryQuestion {
  StepCase at;
  MemoryStack stack = {};
  Bytes optimizer{8};  // of a parameter: Adam; 4 in bf16, 2 in 8 bits, 0 for SGD without momentum
  Bytes master{4};     // of a parameter: the copy that the optimizer changes; 0 where there is none
};
// With the stack of `framework`.
MemoryQuestion memory_question(StepCase at, std::string_view framework);

// Bytes on one device.
struct TrainingMemory {
  Bytes weights;
  Bytes gradients;
  Bytes optimizer;  // master weights included
  Bytes gathered;   // weights and gradients of the layers at work, with zero_3
  Bytes activations;
  Bytes logits;                 // logits, and what their loss needs
  Bytes recomputed;             // the layer that the backward pass computes again
  Bytes slack;                  // of the allocator
  Bytes context;                // of the device, and buffers of collectives
  double recomputed_share = 0;  // of the layers

  [[nodiscard]] Bytes state() const { return weights + gradients + optimizer; }
  // What comes and goes within a step; logits are gone when the first layer is computed again.
  [[nodiscard]] Bytes moving() const;
  // What the allocator gave out at the peak, as frameworks print it, and what the device needs for it.
  [[nodiscard]] Bytes allocated() const { return state() + moving(); }
  [[nodiscard]] Bytes total() const { return allocated() + slack + context; }
};

// The capacity is looked at only where the layout does not say what to recompute: then as few layers as fit
// are computed again. Throws InputError at the field for degrees that cannot be.
TrainingMemory training_memory(const MemoryQuestion& question, Bytes capacity);

// What a job can have of a board: the driver keeps a little.
Bytes usable_memory(const catalog::Gpu& gpu);

enum class Fit { fits, tight, does_not_fit };
std::string to_string(Fit fit);

struct MemoryVerdict {
  // Tight: the interval reaches above the capacity; the middle does not, or by less than 3 %.
  Fit fit = Fit::fits;
  Bytes need;
  Bytes low;  // 90 % interval
  Bytes high;
  Bytes capacity;

  [[nodiscard]] Bytes margin() const { return capacity - need; }  // negative: what lacks
};
MemoryVerdict memory_verdict(const TrainingMemory& memory, Bytes capacity);

}  // namespace sextant::llm
