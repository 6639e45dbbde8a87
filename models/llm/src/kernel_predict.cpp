#include <cmath>

#include "kernel_law.h"
#include "sextant/core/error.h"

namespace sextant::llm {
namespace {

KernelTime timed_with(const KernelModel& model, const KernelLaw& law, const KernelShape& shape,
                      const KernelDevice& device) {
  const auto found = model.laws.find(law.id);
  if (found == model.laws.end())
    throw InputError(at_field("model"), "the model has no coefficients of " + law.id);
  for (const double value : shape) {
    if (!std::isfinite(value) || value < 0)
      throw InputError(at_field("shape"), "sizes of a kernel are positive");
  }
  const FittedLaw& fitted = found->second;
  const Seconds time{std::exp(log_seconds(law, fitted, shape, device))};
  const double width = kernel_width(fitted, device);
  return {time, std::exp(-width) * time, std::exp(width) * time,
          fitted.departures.contains(device.architecture)};
}

void need_rate(bool has, const KernelDevice& device, const char* what) {
  if (!has) throw InputError(at_field("gpu"), device.id + " has no rate of " + what, "another precision");
}

}  // namespace

KernelTime kernel_time(const KernelModel& model, const catalog::Gpu& gpu, const GemmCall& call) {
  const KernelDevice device = kernel_device(gpu);
  const GemmFormat format = computed_format(call.format, device);
  if (format == GemmFormat::fp8_block) need_rate(device.fp8 > 0, device, "fp8 products");
  if (format == GemmFormat::nvfp4) need_rate(device.fp4 > 0, device, "fp4 products");
  return timed_with(model, gemm_law(format), gemm_shape(call), device);
}

KernelTime kernel_time(const KernelModel& model, const catalog::Gpu& gpu, const AttentionCall& call) {
  return timed_with(model, call.decode ? decode_law() : prefill_law(), attention_shape(call),
                    kernel_device(gpu));
}

KernelTime kernel_time(const KernelModel& model, const catalog::Gpu& gpu, const ExpertsCall& call) {
  check(call);
  const KernelDevice device = kernel_device(gpu);
  return timed_with(model, experts_law(computed_format(call.format, device)), experts_shape(call, device),
                    device);
}

KernelTime kernel_time(const KernelModel& model, const catalog::Gpu& gpu, const NodeCollective& call) {
  const KernelDevice device = kernel_device(gpu);
  need_rate(device.link > 0, device, "its link");
  const bool nccl = call.library == CollectiveLibrary::nccl;
  if (!nccl && call.operation != NodeOperation::all_reduce)
    throw InputError(at_field("operation"), "engines bring an all-reduce only", "NCCL has the others");
  return timed_with(model, nccl ? collective_law() : engine_law(), collective_shape(call), device);
}

}  // namespace sextant::llm
