// Weights, cache and activations of a decoder that writes, on each of the GPUs that share its layers.
#include <algorithm>
#include <cmath>

#include "sextant/core/error.h"
#include "sextant/llm/generation.h"

namespace sextant::llm {
namespace {

constexpr double kSixteenBits = 2;                   // bytes
constexpr double kServerContext = 1.5 * 1073741824;  // bytes: of the device, recorded graphs, buffers
constexpr double kTokensOfPass = 8192;               // engines read longer prompts in parts
constexpr double kUnsure = 1.05;                     // engines reserve differently

// Matrices of layers in their format; the rest in 16 bits. Heads are shared; a group of queries that has
// fewer keys than there are GPUs keeps copies of them, which is little.
double weights_of(const GenerationCase& at) {
  const nets::ParameterCount count = parameters(at.model);
  const auto matrices =
      static_cast<double>(count.attention + count.mlp + count.experts + count.shared_experts);
  const double rest = static_cast<double>(count.total()) - matrices;
  return (matrices * weight_bytes(at.weights).value + rest * kSixteenBits) / at.tensor;
}

double cache_of(const GenerationCase& at) {
  const Bytes value{at.fp8_cache ? 1.0 : kSixteenBits};
  const auto length = static_cast<std::int64_t>(at.prompt + at.generate);
  const bool latent = at.model.attention == nets::AttentionKind::mla;
  const double shared =
      latent ? 1 : std::min(at.tensor, std::max(1.0, static_cast<double>(at.model.kv_heads)));
  return cache_of_sequence(at.model, length, value).value / shared;
}

// The widest moment of a pass: values of the MLP of the tokens that are read together, or logits.
double activations_of(const GenerationCase& at) {
  const nets::Decoder& m = at.model;
  const double tokens = std::min(at.batch * at.prompt, kTokensOfPass);
  const double width =
      m.experts > 0 ? static_cast<double>(m.expert_ffn * m.experts_per_token) : static_cast<double>(m.ffn);
  const double passing =
      tokens * kSixteenBits *
      (4 * static_cast<double>(m.hidden) + (m.gated ? 3 : 2) * std::max(width, 1.0) / at.tensor);
  constexpr double kLogit = 6;  // bytes: in 16 bits, and in 32 to draw from
  return std::max(passing, kLogit * at.batch * static_cast<double>(m.vocab));
}

}  // namespace

std::string to_string(WeightFormat format) {
  switch (format) {
    case WeightFormat::bf16:
      return "bf16";
    case WeightFormat::fp8:
      return "fp8";
    case WeightFormat::fp8_block:
      return "fp8-block";
    case WeightFormat::nvfp4:
      return "nvfp4";
    case WeightFormat::int8:
      return "int8";
    case WeightFormat::int4:
      return "int4";
  }
  return "bf16";
}

Bytes weight_bytes(WeightFormat format) {
  switch (format) {
    case WeightFormat::bf16:
      return Bytes{kSixteenBits};
    case WeightFormat::fp8:
    case WeightFormat::int8:
      return Bytes{1};
    case WeightFormat::fp8_block:
      return Bytes{1 + 4.0 / 16384};  // a scale in fp32 for 128 x 128
    case WeightFormat::nvfp4:
      return Bytes{0.5 + 1.0 / 16};  // a scale of 8 bits for 16
    case WeightFormat::int4:
      return Bytes{0.5 + 2.5 / 128};  // a scale in 16 bits and a zero in 4 for 128
  }
  return Bytes{kSixteenBits};
}

GenerationMemory generation_memory(const GenerationCase& at) {
  return {.weights = Bytes{weights_of(at)},
          .cache = Bytes{at.batch * cache_of(at)},
          .activations = Bytes{activations_of(at)},
          .context = Bytes{kServerContext}};
}

MemoryVerdict generation_verdict(const GenerationMemory& memory, Bytes capacity) {
  const Bytes need = memory.total();
  const bool over = need > capacity;
  const bool close = kUnsure * need > capacity;
  return {.fit = over    ? Fit::does_not_fit
                 : close ? Fit::tight
                         : Fit::fits,
          .need = need,
          .low = need / kUnsure,
          .high = kUnsure * need,
          .capacity = capacity};
}

double sequences_that_fit(const GenerationCase& at, Bytes capacity) {
  const GenerationMemory memory = generation_memory(at);
  const double room = (capacity - memory.weights - memory.activations - memory.context).value;
  return std::max(0.0, std::floor(room / cache_of(at)));
}

void check(const GenerationCase& at) {
  const auto positive = [](double value, const char* field, const char* what) {
    if (!(value >= 1) || value > 1e9) throw InputError(at_field(field), std::string(what) + " is at least 1");
  };
  positive(at.batch, "batch", "the number of sequences");
  positive(at.prompt, "prompt", "the length of a prompt");
  positive(at.generate, "generate", "the number of tokens to write");
  positive(at.tensor, "layout", "the tensor degree");
  if (std::fmod(static_cast<double>(at.model.heads), at.tensor) != 0) {
    throw InputError(at_field("layout"),
                     "the " + std::to_string(at.model.heads) + " heads of " + at.model.name +
                         " cannot be shared by " + std::to_string(static_cast<std::int64_t>(at.tensor)) +
                         " GPUs",
                     "the tensor degree divides the heads");
  }
}

}  // namespace sextant::llm
