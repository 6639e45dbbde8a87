#include <array>
#include <utility>

#include "sextant/core/text.h"
#include "sextant/llm/memory.h"

namespace sextant::llm {
namespace {

bool keeps_eight_bits(Format format) {
  return format == Format::fp8 || format == Format::fp8_rowwise || format == Format::mxfp8 ||
         format == Format::nvfp4;
}

// fp32 weights are split over the ranks, and everything else with them.
MemoryStack memory_of_fsdp() {
  return {.gradient = Bytes{4}};
}

MemoryStack memory_of_torchtitan(bool compiled) {
  MemoryStack stack = memory_of_fsdp();
  stack.chooses_products = true;
  stack.gathered_gradient = Bytes{4};
  stack.eager = !compiled;
  stack.loss = compiled ? LossKind::compiled : LossKind::eager;
  return stack;
}

// Scores in memory, dropout of 0.1, gradients in fp32: Megatron and DeepSpeed before fused attention.
MemoryStack memory_of_early_megatron() {
  return {.fused_attention = false, .dropout = true};
}

MemoryStack memory_of_megatron(Format format) {
  MemoryStack stack{.keeps_low_precision = keeps_eight_bits(format), .gradient = Bytes{2}};
  if (keeps_eight_bits(format)) stack.weight = Bytes{1};
  return stack;
}

MemoryStack stack_by_words(const std::string& words, const StepCase& at) {
  const auto has = [&](const char* word) { return words.find(word) != std::string::npos; };
  if (has("torchtitan")) return memory_of_torchtitan(has("compile"));
  if (has("nanotron")) return {.eager = true};
  if (has("litgpt")) {
    return {.eager = true, .frozen_stay_gathered = true, .loss = LossKind::in_place};
  }
  if (has("foundry") || has("composer")) {
    MemoryStack stack = memory_of_fsdp();
    stack.loss = LossKind::in_place;
    return stack;
  }
  const bool megatron = has("megatron") || has("nemo") || has("bridge");
  if (has("deepspeed") && !megatron && at.stack.fused_attention && at.format != Format::fp16) {
    return {.eager = true};
  }
  if (at.format == Format::fp16 || !at.stack.fused_attention) return memory_of_early_megatron();
  return memory_of_megatron(at.format);
}

}  // namespace

MemoryStack memory_stack(std::string_view framework, const StepCase& at) {
  const std::string words = to_lower(framework) + " " + to_lower(at.stack.name);
  MemoryStack stack = stack_by_words(words, at);
  if (words.find("liger") != std::string::npos) stack.loss = LossKind::chunked;
  stack.offloads_optimizer = at.stack.offloads_optimizer || words.find("offload") != std::string::npos;
  return stack;
}

MemoryQuestion memory_question(StepCase at, std::string_view framework) {
  MemoryQuestion question;
  question.stack = memory_stack(framework, at);
  question.at = std::move(at);
  return question;
}

}  // namespace sextant::llm
