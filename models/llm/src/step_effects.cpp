#include "step_effects.h"

#include <algorithm>
#include <array>

#include "step_shape.h"

namespace sextant::llm {
namespace {

struct Departure {
  Field field;
  double family;
  double stack;
};

// Products with weights run in the same libraries everywhere, so software departs little in them; it departs
// much in what it fuses, launches and hides.
constexpr std::array<Departure, 19> kSoftware = {{{Field::overlap, 0.5, 0.75},
                                                  {Field::elementwise, 0.2, 0.3},
                                                  {Field::host, 0.4, 0.6},
                                                  {Field::host_experts, 0.3, 0.45},
                                                  {Field::tensor, 0.3, 0.45},
                                                  {Field::tensor_latency, 0.3, 0.45},
                                                  {Field::replicas, 0.4, 0.6},
                                                  {Field::gather, 0.3, 0.45},
                                                  {Field::optimizer, 0.3, 0.45},
                                                  {Field::step, 0.3, 0.3},
                                                  {Field::micro, 0.2, 0.3},
                                                  {Field::pipeline, 0.2, 0.2},
                                                  {Field::pipeline_latency, 0.4, 0.6},
                                                  {Field::operands, 0.2, 0.3},
                                                  {Field::nodes, 0.007, 0.0105},
                                                  {Field::head_width, 0.2, 0.3},
                                                  {Field::scores, 0.2, 0.3},
                                                  {Field::logits, 0.2, 0.3},
                                                  {Field::context, 0.3, 0.45}}};

constexpr double kMatmulFamily = 0.05;
constexpr double kMatmulStack = 0.03;
constexpr double kFactorFamily = 0.05;
constexpr double kFactorStack = 0.03;
constexpr double kFactorRelease = 0.03;
// Releases moved mixtures of experts by factors up to 1.9, dense networks by a few per cent.
constexpr double kFactorExpertRelease = 0.2;

std::string class_of(Format format) {
  if (format == Format::fp8_rowwise) return "8-rowwise";
  return std::to_string(bits_of(format));
}

const char* name_of(Format format) {
  switch (format) {
    case Format::fp16:
      return "fp16";
    case Format::bf16:
      return "bf16";
    case Format::bf16_amp:
      return "bf16-amp";
    case Format::fp8:
      return "fp8";
    case Format::fp8_rowwise:
      return "fp8-rowwise";
    case Format::mxfp8:
      return "mxfp8";
    case Format::nvfp4:
      return "nvfp4";
  }
  return "bf16";
}

void add_attention_effects(const StepCase& step, const std::string& arch, std::vector<StepEffect>& out) {
  out.push_back({Field::attention, "arch:" + arch, 0.15});
  out.push_back({Field::attention, "stack:" + step.stack.name, 0.22});
  out.push_back({Field::attention, "family:" + step.stack.family, 0.15});
  if (!step.stack.early_attention) return;
  // FlashAttention 2 doubled the first (Dao 2023, arXiv 2307.08691); written before Hopper, neither uses its
  // asynchronous units (Shah et al. 2024, arXiv 2407.08608).
  out.push_back({Field::attention, "early", 0.15, -0.7});
  if (arch == "hopper") out.push_back({Field::attention, "early-hopper", 0.15, -0.5});
}

void add_software_effects(const StepStack& stack, std::vector<StepEffect>& out) {
  for (const auto& one : kSoftware) {
    out.push_back({one.field, "family:" + stack.family, one.family});
    if (!stack.name.empty()) out.push_back({one.field, "stack:" + stack.name, one.stack});
  }
  // Frameworks of 2020 to 2022 send gradients after the backward pass.
  if (stack.family == "legacy") out.push_back({Field::overlap, "legacy", 1, -4});
  out.push_back({Field::factor, "family:" + stack.family, kFactorFamily});
  if (stack.name.empty()) return;
  out.push_back({Field::factor, "stack:" + stack.name, kFactorStack});
  if (stack.release.empty()) return;
  const double deviation = stack.family == "megatron-moe" ? kFactorExpertRelease : kFactorRelease;
  out.push_back({Field::factor, "release:" + stack.name + " " + stack.release, deviation});
}

}  // namespace

std::string format_key(const StepCase& step) {
  return "format:" + architecture_of(step.gpu) + " " + name_of(step.format);
}

std::string pair_key(const StepCase& step) {
  return step.stack.name + " " + architecture_of(step.gpu);
}

std::vector<StepEffect> effects_of(const StepCase& step) {
  const std::string arch = architecture_of(step.gpu);
  const std::string bits = class_of(step.format);
  std::vector<StepEffect> out;
  out.push_back({Field::matmul, "arch:" + arch, 0.2});
  out.push_back({Field::matmul, "bits:" + bits, 0.2});
  out.push_back({Field::matmul, format_key(step), 0.08});
  out.push_back({Field::matmul, "gpu:" + step.gpu.id, 0.08});
  out.push_back({Field::matmul, "family:" + step.stack.family, kMatmulFamily});
  if (!step.stack.name.empty()) out.push_back({Field::matmul, "stack:" + step.stack.name, kMatmulStack});
  out.push_back({Field::experts, "bits:" + bits, 0.15});
  out.push_back({Field::experts, "arch:" + arch, 0.12});
  add_attention_effects(step, arch, out);
  add_software_effects(step.stack, out);
  return out;
}

StepValues values_of(const StepModel& model, const StepCase& step, const StepDemand& demand) {
  StepValues values{};
  std::ranges::copy_n(model.shared.begin(), static_cast<std::ptrdiff_t>(kFields), values.begin());
  for (const auto& effect : effects_of(step)) {
    const auto found = model.departures.find({field_priors()[at(effect.field)].name, effect.key});
    values[at(effect.field)] += found != model.departures.end() ? found->second : effect.mean;
  }
  values[at(Field::matmul)] += model.power_slope * demand.power;
  values[at(Field::matmul)] = std::min(values[at(Field::matmul)], 0.0);  // nothing beats the peak
  return values;
}

}  // namespace sextant::llm
