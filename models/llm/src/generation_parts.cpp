// What a pass of a decoder asks of the kernels, layer by layer.
#include <algorithm>
#include <cmath>

#include "kernel_law.h"
#include "sextant/core/error.h"
#include "sextant/llm/generation.h"

namespace sextant::llm {
namespace {

constexpr double kValue = 2;  // bytes of a value in 16 bits

// Where the catalogue says nothing of a device, a slow one of today is assumed.
KernelDevice pass_device(const catalog::Gpu& gpu) {
  constexpr int kProcessors = 100;
  constexpr double kClock = 1.6e9;  // Hz
  constexpr double kLink = 16e9;    // bytes/s, PCIe 3
  catalog::Gpu known = gpu;
  if (known.sms == 0) known.sms = kProcessors;
  if (!known.boost) known.boost = Hertz{kClock};
  KernelDevice device = kernel_device(known);
  if (device.link == 0) device.link = kLink;
  return device;
}

// Tokens that go through the network together.
struct PassSize {
  double tokens = 1;  // of all sequences
  bool decode = false;
  std::vector<double> lengths = {};  // at which attention is looked at, with the same weight
};

class PassCounter {
 public:
  PassCounter(const KernelModel& kernels, const GenerationCase& at, PassSize size)
      : kernels_(kernels), at_(at), model_(at.model), size_(std::move(size)), device_(pass_device(at.gpu)) {}

  [[nodiscard]] PassParts parts() const;

 private:
  [[nodiscard]] double time(const KernelLaw& law, const KernelShape& shape) const;
  [[nodiscard]] double product(double m, double n, double k) const;
  [[nodiscard]] double projections() const;
  [[nodiscard]] double mlp(double width) const;
  [[nodiscard]] double experts() const;
  [[nodiscard]] double attention() const;
  [[nodiscard]] double attention_call(double length, bool window) const;
  [[nodiscard]] double all_reduce() const;
  [[nodiscard]] double passing_bytes() const;

  const KernelModel& kernels_;
  const GenerationCase& at_;
  const nets::Decoder& model_;
  PassSize size_;
  KernelDevice device_;
};

double PassCounter::time(const KernelLaw& law, const KernelShape& shape) const {
  const auto found = kernels_.laws.find(law.id);
  if (found == kernels_.laws.end()) throw InputError(at_field("model"), "no coefficients of " + law.id);
  return std::exp(log_seconds(law, found->second, shape, device_));
}

// A format that the device has not in hardware is read as it is and computed in 16 bits.
double PassCounter::product(double m, double n, double k) const {
  const bool fp8 = at_.weights == WeightFormat::fp8 && device_.fp8 > 0;
  const bool block = at_.weights == WeightFormat::fp8_block && device_.fp8 > 0;
  const bool fp4 = at_.weights == WeightFormat::nvfp4 && device_.fp4 > 0;
  const GemmFormat format = fp8     ? GemmFormat::fp8
                            : block ? GemmFormat::fp8_block
                            : fp4   ? GemmFormat::nvfp4
                                    : GemmFormat::bf16;
  return time(gemm_law(format), {m, n, k, weight_bytes(at_.weights).value});
}

double PassCounter::projections() const {
  const auto hidden = static_cast<double>(model_.hidden);
  if (model_.attention == nets::AttentionKind::mla || model_.keeping_layers() < model_.layers) {
    double all = 0;  // as two products of a layer with as many parameters
    for (std::int64_t layer = 0; layer < model_.layers; ++layer)
      all += static_cast<double>(layer_parameters(model_, layer).attention);
    const double width = all / model_.whole_layers() / 2 / hidden / at_.tensor;
    return product(size_.tokens, width, hidden) + product(size_.tokens, hidden, width);
  }
  const auto dim = static_cast<double>(model_.head_dim);
  const double queries = dim * static_cast<double>(model_.heads) / at_.tensor;
  const double keys = dim * std::max(1.0, static_cast<double>(model_.kv_heads) / at_.tensor);
  return product(size_.tokens, queries + 2 * keys, hidden) + product(size_.tokens, hidden, queries);
}

double PassCounter::mlp(double width) const {
  const auto hidden = static_cast<double>(model_.hidden);
  const double up = (model_.gated ? 2 : 1) * width / at_.tensor;
  return product(size_.tokens, up, hidden) + product(size_.tokens, hidden, width / at_.tensor);
}

ExpertFormat expert_format(WeightFormat format) {
  switch (format) {
    case WeightFormat::fp8:
      return ExpertFormat::fp8;
    case WeightFormat::fp8_block:
      return ExpertFormat::fp8_block;
    case WeightFormat::nvfp4:
      return ExpertFormat::nvfp4;
    case WeightFormat::int8:
      return ExpertFormat::int8;
    case WeightFormat::int4:
      return ExpertFormat::int4;
    default:
      return ExpertFormat::bf16;
  }
}

// Experts without a gate have two matrices where the law counts three.
double PassCounter::experts() const {
  const double gated = model_.gated ? 1 : 2.0 / 3;
  const auto outer = static_cast<double>(model_.routed_width());
  const ExpertsCall call{.tokens = size_.tokens,
                         .hidden = outer,
                         .width = gated * static_cast<double>(model_.expert_ffn) / at_.tensor,
                         .experts = static_cast<double>(model_.experts),
                         .chosen = static_cast<double>(model_.experts_per_token),
                         .format = expert_format(at_.weights)};
  const double routed =
      time(experts_law(computed_format(call.format, device_)), experts_shape(call, device_));
  if (model_.expert_width == 0) return routed;
  const auto hidden = static_cast<double>(model_.hidden);
  return routed + product(size_.tokens, outer, hidden) + product(size_.tokens, hidden, outer);
}

// Latent attention keeps one vector that all heads read when they write, and heads of their own when they
// read a prompt.
double PassCounter::attention_call(double length, bool window) const {
  const auto& latent = model_.latent;
  const bool mla = model_.attention == nets::AttentionKind::mla;
  AttentionCall call{.batch = at_.batch,
                     .length = length,
                     .heads = std::max(1.0, static_cast<double>(model_.heads) / at_.tensor),
                     .kv_heads = std::max(1.0, static_cast<double>(model_.kv_heads) / at_.tensor),
                     .head_dim = static_cast<double>(model_.head_dim),
                     .window = window ? static_cast<double>(model_.window) : 0,
                     .fp8_cache = at_.fp8_cache,
                     .decode = size_.decode};
  if (mla && size_.decode) {
    call.kv_heads = 1;
    call.head_dim = static_cast<double>(latent.kv_lora_rank + latent.qk_rope_head_dim) / 2;
  } else if (mla) {
    call.kv_heads = call.heads;
    call.head_dim = static_cast<double>(model_.head_dim + latent.v_head_dim) / 2;
  }
  return time(size_.decode ? decode_law() : prefill_law(), attention_shape(call));
}

// A state of fixed size is read like a cache with as many values.
double PassCounter::attention() const {
  const auto& l = model_.linear;
  const auto pair = static_cast<double>(2 * model_.kv_heads * model_.head_dim);
  const double linear_state = static_cast<double>(l.value_heads * l.value_head_dim * l.key_head_dim) / pair;
  const double mamba_state = static_cast<double>(model_.mamba.inner() * model_.mamba.state) / pair;
  double sum = 0;
  for (const double length : size_.lengths) {
    const auto layers = [&](nets::LayerAttention kind) {
      return static_cast<double>(model_.layers_with(kind));
    };
    const double full = layers(nets::LayerAttention::full);
    const double window = layers(nets::LayerAttention::window) + layers(nets::LayerAttention::chunk);
    const double linear = layers(nets::LayerAttention::linear);
    const double mamba = layers(nets::LayerAttention::mamba);
    if (full > 0) sum += full * attention_call(length, false);
    if (window > 0) sum += window * attention_call(length, true);
    if (linear > 0) sum += linear * attention_call(std::min(length, linear_state), false);
    if (mamba > 0) sum += mamba * attention_call(std::min(length, mamba_state), false);
  }
  return sum / static_cast<double>(size_.lengths.size());
}

// Engines take the faster of NCCL's and their own.
double PassCounter::all_reduce() const {
  if (at_.tensor < 2) return 0;
  NodeCollective call{NodeOperation::all_reduce, at_.tensor,
                      Bytes{kValue * size_.tokens * static_cast<double>(model_.hidden)}};
  const double nccl = time(collective_law(), collective_shape(call));
  call.library = CollectiveLibrary::engine_graph;
  return std::min(nccl, time(engine_law(), collective_shape(call)));
}

// Of a layer: two norms that read and write twice, positions, and the product of gates; that of routed
// experts belongs to their law.
double PassCounter::passing_bytes() const {
  const auto hidden = static_cast<double>(model_.hidden);
  const auto heads = static_cast<double>((model_.heads + model_.kv_heads) * model_.head_dim);
  const double width = model_.experts > 0
                           ? static_cast<double>(model_.shared_expert_ffn * model_.shared_experts)
                           : static_cast<double>(model_.ffn);
  const double gate = (model_.gated ? 3 : 2) * width;
  return size_.tokens * kValue * (8 * hidden + (2 * heads + gate) / at_.tensor);
}

PassParts PassCounter::parts() const {
  const double layers = model_.whole_layers();
  const auto with_experts = static_cast<double>(model_.expert_layers());
  const auto dense = static_cast<double>(model_.layers_with(nets::LayerMlp::dense));
  PassParts parts;
  parts.products =
      layers * projections() + (model_.ffn > 0 ? dense * mlp(static_cast<double>(model_.ffn)) : 0);
  if (with_experts > 0) {
    const double shared = static_cast<double>(model_.shared_experts * model_.shared_expert_ffn);
    const double router =
        product(size_.tokens, static_cast<double>(model_.experts), static_cast<double>(model_.hidden));
    parts.products += with_experts * (router + (shared > 0 ? mlp(shared) : 0));
    parts.experts = with_experts * experts();
  }
  parts.products +=
      time(gemm_law(GemmFormat::bf16), {at_.batch, static_cast<double>(model_.vocab) / at_.tensor,
                                        static_cast<double>(model_.hidden), kValue});
  parts.attention = attention();
  parts.collectives = layers * (model_.parallel ? 1 : 2) * all_reduce();
  parts.memory = layers * passing_bytes() / device_.bandwidth;
  parts.layers = layers;
  parts.sequences = at_.batch;
  if (model_.attention != nets::AttentionKind::mla)
    parts.group = static_cast<double>(model_.heads) / static_cast<double>(model_.kv_heads);
  return parts;
}

}  // namespace

PassParts prompt_pass(const KernelModel& kernels, const GenerationCase& at) {
  return PassCounter(kernels, at, {at.batch * at.prompt, false, {at.prompt}}).parts();
}

PassParts token_pass(const KernelModel& kernels, const GenerationCase& at) {
  const double last = at.prompt + at.generate;
  const double middle = at.prompt + at.generate / 2;
  // Simpson's rule: the middle counts four times.
  return PassCounter(kernels, at, {at.batch, true, {at.prompt + 1, middle, middle, middle, middle, last}})
      .parts();
}

}  // namespace sextant::llm
