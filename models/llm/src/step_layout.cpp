#include "step_layout.h"

#include <algorithm>
#include <cmath>

#include "step_shape.h"

namespace sextant::llm {
namespace {

constexpr double kLoraBytes = 1.9;    // for a parameter: weights in 8 bits and activations
constexpr double kTrainBytes = 8;     // with sharded optimizer
constexpr double kRoom = 0.8;         // of the memory
constexpr double kHugeModel = 100e9;  // parameters from which pipelines are usual
constexpr std::int64_t kWidest = 8;

std::int64_t largest_divisor(std::int64_t n, std::int64_t most) {
  for (std::int64_t d = std::min(n, most); d > 1; --d) {
    if (n % d == 0) return d;
  }
  return 1;
}

// Devices that share a sequence, split first by tensors, then by stages, then by parts of the sequence.
void split_huge(std::int64_t devices, StepCase& step) {
  constexpr double kSmallMemory = 81e9;
  const bool wide = step.gpu.memory.value < 1.1 * kSmallMemory && step.model.heads % kWidest == 0 &&
                    static_cast<double>(nets::parameters(step.model).total()) > 2 * kHugeModel;
  step.layout.tp = largest_divisor(devices, wide ? kWidest : 4);
  const std::int64_t rest = devices / step.layout.tp;
  step.layout.pp = largest_divisor(rest, kWidest);
  step.layout.cp = rest / step.layout.pp;
}

void split_small(std::int64_t devices, StepCase& step) {
  const double bytes = step.task == Task::lora ? kLoraBytes : kTrainBytes;
  const double need = static_cast<double>(nets::parameters(step.model).total()) * bytes;
  std::int64_t tp = 1;
  while (need / static_cast<double>(tp) > kRoom * step.gpu.memory.value && tp < devices && tp < kWidest &&
         devices % (2 * tp) == 0)
    tp *= 2;
  step.layout.tp = tp;
  step.layout.cp = devices / tp;
}

void infer_layout(double at_once, StepCase& step) {
  const auto gpus = static_cast<double>(step.gpus);
  if (architecture_of(step.gpu) == "tpu" || gpus <= at_once) {
    step.layout.dp = step.gpus;
    step.micro_batch = at_once / gpus;
    return;
  }
  const bool huge = static_cast<double>(nets::parameters(step.model).total()) > kHugeModel;
  auto devices = static_cast<std::int64_t>(gpus / at_once);
  step.micro_batch = 1;
  constexpr std::int64_t kUsualDevices = 32;
  if (huge && devices < kUsualDevices && step.sequence < 4096) {  // short sequences go two at a time
    devices *= 2;
    step.micro_batch = 2;
  }
  if (huge) {
    split_huge(devices, step);
  } else {
    split_small(devices, step);
  }
}

// Logs do not say it. Fourth-generation results of NVIDIA's code train in fp4 where the network is
// pretrained; a named configuration says so.
Format mlperf_format(const MlperfEntry& entry, const StepCase& step) {
  const std::string architecture = architecture_of(step.gpu);
  if (architecture == "tpu") return Format::bf16;
  if (architecture != "blackwell" || entry.round < "v5.1") return Format::fp8;
  const bool named = entry.config.find("fp4") != std::string::npos;
  const bool usual = entry.submitter == "NVIDIA" || (entry.config.empty() && step.task == Task::pretrain);
  return named || usual ? Format::nvfp4 : Format::fp8;
}

StepStack mlperf_stack(const MlperfEntry& entry, const StepCase& step) {
  StepStack stack;
  const std::string architecture = architecture_of(step.gpu);
  if (architecture == "tpu") {
    stack.name = "maxtext";
    stack.family = "jax";
  } else {
    stack.name = architecture == "gaudi"  ? "mlperf-gaudi"
                 : architecture == "cdna" ? "mlperf-amd"
                                          : "mlperf-nvidia";
  }
  stack.release = entry.benchmark + " " + entry.round;
  return stack;
}

}  // namespace

std::int64_t usual_stages(const StepCase& step, bool interleaved) {
  constexpr std::int64_t kMegatronStages = 6;
  if (step.layout.pp == 1) return 1;
  const std::int64_t layers = std::max<std::int64_t>(1, step.model.layers / step.layout.pp);
  // Recipes of NeMo and of MLPerf interleave where they can.
  if (step.stack.name == "nemo" || step.stack.name.starts_with("mlperf"))
    return std::min(layers, kMegatronStages);
  return interleaved ? std::min<std::int64_t>(layers, 2) : 1;
}

void fill_jax(StepCase& step) {
  constexpr double kJaxBatch = 4;
  step.micro_batch = kJaxBatch;
  step.layout.dp = step.gpus;
  step.layout.sharding = Sharding::zero_3;
}

void fill_mlperf(const MlperfEntry& entry, StepCase& step) {
  const double at_once =
      std::max(1.0, step.global_batch / std::max(1.0, entry.accumulation));  // sequences of all replicas
  StepLayout& l = step.layout;
  if (entry.tp == 0) {
    infer_layout(at_once, step);
  } else {
    l.tp = entry.tp;
    l.pp = std::max<std::int64_t>(1, entry.pp);
    l.cp = std::max<std::int64_t>(1, entry.cp);
    step.micro_batch = entry.micro_batch;
  }
  l.dp = std::max<std::int64_t>(1, step.gpus / (l.tp * l.pp * l.cp));
  if (!(step.micro_batch > 0)) step.micro_batch = std::max(1.0, at_once / static_cast<double>(l.dp));
  if (entry.micro_batch > 0) step.micro_batch = entry.micro_batch;
  l.sequence_parallel = true;
  step.format = mlperf_format(entry, step);
  step.stack = mlperf_stack(entry, step);
  l.vp = entry.vp > 0 ? entry.vp : usual_stages(step, true);
}

}  // namespace sextant::llm
