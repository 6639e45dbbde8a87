// Sizes of a case that several parts of the law need, and the hardware it runs on at its peak.
#pragma once

#include "sextant/llm/step_case.h"

namespace sextant::llm {

// Rates of a device in plain numbers, per second.
struct StepRates {
  double peak = 0;      // FLOP of the format
  double peak_16 = 0;   // FLOP in 16 bits
  double memory = 0;    // bytes
  double link = 0;      // bytes, one direction, to GPUs of the same domain
  double network = 0;   // bytes, one direction, to others
  double capacity = 0;  // bytes of memory
  double domain = 8;    // GPUs that `link` connects
  double watts = 0;     // for a peak TFLOP/s of the format
};
StepRates rates_of(const StepCase& step);
// 16, 8 or 4.
int bits_of(Format format);
// "hopper", "cdna": generations of one maker's design together.
std::string architecture_of(const catalog::Gpu& gpu);

// What a network asks whatever the layout: counted once where many layouts are asked for.
struct StepCounts {
  nets::ParameterCount parameters;
  double scores = 0;  // FLOP of attention for a token, forward
  double layers = 0;  // with attention and an MLP; one of the two alone is half a layer
  std::int64_t dense_layers = 0;
  std::int64_t expert_layers = 0;
  std::int64_t full_layers = 0;  // with attention to everything before
  double results = 0;            // values of a token that attention, or a state, makes in all layers
  double read = 0;               // values that it reads besides queries: keys, values, what states are told
  double kept = 0;               // of these, keys and values
  double flops = 0;              // of a token, forward
};
StepCounts step_counts(const nets::Decoder& model, std::int64_t sequence);

// As doubles, since they meet in products.
struct StepShape {
  double layers, hidden, heads, head_dim, vocab;
  double dense_layers, expert_layers, experts, chosen, expert_ffn, expert_width, shared;
  double width;                // values of MLP activations of all layers, for one token
  double results, read, kept;  // of all layers, for one token, as in StepCounts
  double dp, tp, pp, vp, cp, ep;
  double sequence, tokens;  // of a micro-batch on a device
  double split;             // of activations outside of tensor parallelism: tp where sequences are split
  double micro_batches, members;  // members: devices that hold the same weights, dp x cp
  double shards;                  // of them, those that split sharded state
  double weights;                 // parameters on a device before sharding
  bool lora;
  nets::ParameterCount count;
};
StepShape shape_of(const StepCase& step, const StepCounts& counts);

// Share of the forward pass that must be computed again for the step to fit in memory.
double recomputed_share(const StepCase& step, const StepShape& shape, const StepRates& rates);

}  // namespace sextant::llm
