// A step of the optimizer of a large language model, as its users describe it: network, device, layout over
// devices, batch, precision and software. The columns of files of cases have the same names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sextant/catalog/gpu.h"
#include "sextant/core/error.h"
#include "sextant/core/units.h"
#include "sextant/nets/decoder.h"

namespace sextant::llm {

// Which parts of the state are split over the replicas: nothing, the optimizer's, gradients too, weights too.
enum class Sharding { none, zero_1, zero_2, zero_3 };
// What the backward pass computes again instead of having kept it.
enum class Recompute { none, selective, full };
enum class Task { pretrain, sft, lora };
// Formats of the matrix products. `bf16_amp` keeps fp32 weights beside; `fp8_rowwise` has a scale for each
// row, `mxfp8` one for 32 values; nvfp4 one for 16.
enum class Format { fp16, bf16, bf16_amp, fp8, fp8_rowwise, mxfp8, nvfp4 };

// What is trained. All but the first freeze the weights and add something small: two thin matrices beside a
// product (LoRA), prompts of layers (adapter), or those and a scale and bias for each product (adapter_v2).
enum class Trained { everything, lora, adapter, adapter_v2 };
// How frozen weights of products are kept: as they are, in 8 bits, or in 4 bits with a scale for 64 values,
// whose scales `nf4_double` keeps in 8 bits (Dettmers et al. 2023, arXiv 2305.14314).
enum class FrozenWeights { plain, int8, nf4, nf4_double, fp4 };

struct Tuning {
  Trained trained = Trained::everything;
  FrozenWeights frozen = FrozenWeights::plain;
  double added_parameters = 0;  // beside frozen weights; 0: not known
};

// Degrees of parallelism; their product, without ep, is the number of devices.
struct StepLayout {
  std::int64_t dp = 1;
  std::int64_t tp = 1;
  std::int64_t pp = 1;
  std::int64_t vp = 1;  // stages of a device, interleaved
  std::int64_t cp = 1;
  std::int64_t ep = 1;  // of the experts, inside dp x cp x tp
  bool sequence_parallel = false;
  Sharding sharding = Sharding::zero_1;
  // Replicas that split the state among them; the others hold copies (HSDP). 0: all of dp x cp.
  std::int64_t shard = 0;
  std::optional<Recompute> recompute = {};  // none: as little as memory allows
};

// The software of a run. Departures of the law are learnt for each name, family and release.
struct StepStack {
  std::string name = {};            // "megatron-bridge"; of one that was never timed, the family answers
  std::string family = "megatron";  // megatron, megatron-moe, legacy, fsdp, nanotron, jax
  std::string release = {};         // "26.04"; empty: not known
  bool fused_attention = true;      // scores are never written to memory
  bool early_attention = false;     // the first generation of fused kernels (FlashAttention 1, Triton)
  bool offloads_optimizer = false;  // its state stands in the memory of the host
};

struct StepCase {
  nets::Decoder model;
  catalog::Gpu gpu;
  std::int64_t gpus = 1;
  std::int64_t gpus_per_node = 8;
  std::optional<Bandwidth> network = {};  // of a GPU, one direction; none: usual with the device
  Format format = Format::bf16;
  Task task = Task::pretrain;
  Tuning tuning = {};            // with the task lora
  std::int64_t sequence = 2048;  // tokens
  double micro_batch = 1;        // sequences of a replica at a time; below 1 where one is split over replicas
  double global_batch = 1;       // sequences of a step
  StepLayout layout = {};
  StepStack stack = {};

  [[nodiscard]] double micro_batches() const;  // that a replica handles in a step
  [[nodiscard]] double state_members() const;  // replicas over which sharded state is split
  [[nodiscard]] double tokens() const { return global_batch * static_cast<double>(sequence); }
};

// Of a GPU to other nodes, one direction, as is usual with the device; nothing where the case says it, or has
// no other nodes.
std::optional<Bandwidth> assumed_network(const StepCase& step);

// "zero-3", "full", "lora", "fp8-rowwise"; an InputError names what is known.
Sharding parse_sharding(const std::string& text, const SourcePos& at = {});
Recompute parse_recompute(const std::string& text, const SourcePos& at = {});
Task parse_task(const std::string& text, const SourcePos& at = {});
Format parse_format(const std::string& text, const SourcePos& at = {});

// The software of who names none: a Megatron of today.
inline constexpr const char* kUsualFramework = "Megatron-Bridge";
// What the free text of a column `framework` says: "Megatron-Bridge, NeMo container 26.04". A text that says
// nothing known is taken for something like Megatron that was never timed.
StepStack stack_of(const std::string& framework, const StepCase& step);

}  // namespace sextant::llm
