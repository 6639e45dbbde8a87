#include "sextant/llm/step_case.h"

#include <algorithm>
#include <array>

#include "sextant/core/error.h"
#include "sextant/core/text.h"

namespace sextant::llm {
namespace {

template <class T>
struct NamedValue {
  const char* name;
  T value;
};

constexpr std::array<NamedValue<Sharding>, 4> kShardings = {{{"none", Sharding::none},
                                                             {"zero-1", Sharding::zero_1},
                                                             {"zero-2", Sharding::zero_2},
                                                             {"zero-3", Sharding::zero_3}}};
constexpr std::array<NamedValue<Recompute>, 3> kRecomputes = {
    {{"none", Recompute::none}, {"selective", Recompute::selective}, {"full", Recompute::full}}};
constexpr std::array<NamedValue<Task>, 3> kTasks = {
    {{"pretrain", Task::pretrain}, {"sft", Task::sft}, {"lora", Task::lora}}};
constexpr std::array<NamedValue<Format>, 8> kFormats = {{{"fp16", Format::fp16},
                                                         {"bf16", Format::bf16},
                                                         {"bf16-amp", Format::bf16_amp},
                                                         {"fp8", Format::fp8},
                                                         {"fp8-block", Format::fp8},
                                                         {"fp8-rowwise", Format::fp8_rowwise},
                                                         {"mxfp8", Format::mxfp8},
                                                         {"nvfp4", Format::nvfp4}}};

template <class T, std::size_t n>
T value_named(const std::array<NamedValue<T>, n>& all, const std::string& text, const char* kind,
              const SourcePos& at) {
  std::string known;
  for (const auto& one : all) {
    if (text == one.name) return one.value;
    known += (known.empty() ? "" : ", ") + std::string(one.name);
  }
  throw InputError(at, "'" + text + "' is no " + kind, "one of " + known);
}

bool says(const std::string& text, const char* word) {
  return text.find(word) != std::string::npos;
}

// The last word where it begins with a digit: "NeMo container 26.04".
std::string release_in(const std::string& framework) {
  const std::string last = framework.substr(framework.rfind(' ') + 1);
  return !last.empty() && last.front() >= '0' && last.front() <= '9' ? last : "";
}

StepStack fsdp_stack(const std::string& name) {
  StepStack stack;
  stack.name = name;
  stack.family = "fsdp";
  return stack;
}

StepStack legacy_stack(const std::string& name) {
  StepStack stack;
  stack.name = name;
  stack.family = "legacy";
  stack.fused_attention = false;
  return stack;
}

}  // namespace

double StepCase::micro_batches() const {
  return std::max(1.0, global_batch / (static_cast<double>(layout.dp) * micro_batch));
}

double StepCase::state_members() const {
  const auto members = static_cast<double>(layout.dp) * static_cast<double>(layout.cp);
  return layout.shard == 0 ? members : std::min(members, static_cast<double>(layout.shard));
}

Sharding parse_sharding(const std::string& text, const SourcePos& at) {
  return value_named(kShardings, text, "way to split the state", at);
}

Recompute parse_recompute(const std::string& text, const SourcePos& at) {
  return value_named(kRecomputes, text, "way to recompute", at);
}

Task parse_task(const std::string& text, const SourcePos& at) {
  return value_named(kTasks, text, "task of training", at);
}

Format parse_format(const std::string& text, const SourcePos& at) {
  return value_named(kFormats, text, "format of products", at);
}

StepStack stack_of(const std::string& framework, const StepCase& step) {
  const std::string text = to_lower(framework);
  if (says(text, "llm-foundry")) {
    StepStack stack = fsdp_stack("llm-foundry");
    stack.early_attention = says(text, "triton");
    return stack;
  }
  if (says(text, "torchtitan")) {
    StepStack stack = fsdp_stack("torchtitan");
    stack.release = text;
    return stack;
  }
  if (says(text, "megatron-deepspeed"))
    return legacy_stack(step.gpus <= 8 ? "megatron-deepspeed-node" : "megatron-deepspeed");
  if (says(text, "deepspeed")) {
    StepStack stack = fsdp_stack(says(text, "deepspeed zero-3") ? "deepspeed-zero-3" : "deepspeed");
    stack.offloads_optimizer = says(text, "offload");
    return stack;
  }
  if (says(text, "megatron-lm") && step.format == Format::fp16) return legacy_stack("megatron-lm");
  StepStack stack;
  if (says(text, "nanotron")) {
    stack.name = stack.family = "nanotron";
  } else if (says(text, "maxtext") || says(text, "pax")) {
    stack.name = "maxtext";
    stack.family = "jax";
  } else if (step.model.experts > 0) {
    stack.name = stack.family = "megatron-moe";
    stack.release = release_in(text);
  } else if (says(text, "megatron-bridge")) {
    stack.name = "megatron-bridge";
    stack.release = release_in(text);
  } else if (says(text, "nemo") || says(text, "megatron")) {
    stack.name = "nemo";
  }
  return stack;
}

}  // namespace sextant::llm
