// The forward pass over whole prompts, as inference engines run it before the first new token: products,
// attention and all-reduces by the laws of kernels, everything else by the bytes that it moves.
// docs/models/llm-kernels.md has formula and errors.
#pragma once

#include "sextant/llm/kernels.h"
#include "sextant/nets/decoder.h"

namespace sextant::llm {

struct PromptPass {
  const nets::Decoder& model;
  const catalog::Gpu& gpu;
  double prompts = 1;
  double length = 1;  // tokens of each
  double ranks = 1;   // GPUs of a node that share every layer (tensor parallelism)
  GemmFormat format = GemmFormat::bf16;
};

struct PromptTime {
  Seconds time;
  Seconds low;  // 90 % interval
  Seconds high;
  Seconds products, attention, memory, collectives;  // add up to `time`
  bool timed_architecture = true;
};

// Whether the laws know all that the network does: dense layers with plain attention.
bool knows_prompts(const nets::Decoder& model);
// InputError at `gpu` where the catalogue lacks what a law needs, at `tp` where ranks do not divide the
// heads.
PromptTime prompt_time(const KernelModel& kernels, const PromptPass& pass);

}  // namespace sextant::llm
