#include "sextant/llm/prompt.h"

#include <algorithm>
#include <cmath>

#include "sextant/core/error.h"

namespace sextant::llm {
namespace {

constexpr double kValueBytes = 2;
constexpr double kReachedBandwidth = 0.8;  // by kernels that only move bytes

// Kernels of one software err together, so that ends add up as the middles do.
class KernelSum {
 public:
  KernelSum(const KernelModel& kernels, const catalog::Gpu& gpu) : kernels_(kernels), gpu_(gpu) {}

  template <class Call>
  Seconds add(const Call& call, double times) {
    const KernelTime one = kernel_time(kernels_, gpu_, call);
    low_ += times * one.low;
    high_ += times * one.high;
    timed_ = timed_ && one.timed_architecture;
    return times * one.time;
  }
  Seconds add_bytes(double bytes, double times) {
    const Seconds one{times * bytes / (kReachedBandwidth * gpu_.memory_bandwidth.value)};
    low_ += kReachedBandwidth * one;
    high_ += (1 / kReachedBandwidth) * one;
    return one;
  }
  void finish(PromptTime& out) const {
    out.time = out.products + out.attention + out.memory + out.collectives;
    out.low = low_;
    out.high = high_;
    out.timed_architecture = timed_;
  }

 private:
  const KernelModel& kernels_;
  const catalog::Gpu& gpu_;
  Seconds low_{}, high_{};
  bool timed_ = true;
};

struct PromptSizes {
  double layers, hidden, queries, keys, ffn, tokens;
};

// Queries, keys and values are one product, as are both matrices in front of a gated activation.
Seconds layer_products(const PromptPass& p, const PromptSizes& s, KernelSum& sum) {
  const auto product = [&](double n, double k) {
    return sum.add(GemmCall{.m = s.tokens, .n = std::ceil(n), .k = std::ceil(k), .format = p.format},
                   s.layers);
  };
  const double width = (p.model.gated ? 2 : 1) * s.ffn / p.ranks;
  return product((s.queries + 2 * s.keys) / p.ranks, s.hidden) + product(s.hidden, s.queries / p.ranks) +
         product(width, s.hidden) + product(s.hidden, s.ffn / p.ranks);
}

Seconds layer_attention(const PromptPass& p, double layers, double window, KernelSum& sum) {
  if (layers == 0) return {};
  const AttentionCall call{.batch = p.prompts,
                           .length = p.length,
                           .heads = static_cast<double>(p.model.heads) / p.ranks,
                           .kv_heads = std::max(1.0, static_cast<double>(p.model.kv_heads) / p.ranks),
                           .head_dim = static_cast<double>(p.model.head_dim),
                           .window = window};
  return sum.add(call, layers);
}

// Both norms with their residuals, positions, and the activation: what is read and written of a token.
double moved_bytes(const PromptPass& p, const PromptSizes& s) {
  const double activation = ((p.model.gated ? 2 : 1) + 1) * s.ffn / p.ranks;
  const double positions = 2 * (s.queries + s.keys) / p.ranks;
  return s.tokens * kValueBytes * (2 * 4 * s.hidden + positions + activation);
}

}  // namespace

bool knows_prompts(const nets::Decoder& model) {
  return model.kind == nets::TransformerKind::decoder && model.experts == 0 &&
         model.attention != nets::AttentionKind::mla &&
         model.layers_with(nets::LayerAttention::full) + model.layers_with(nets::LayerAttention::window) ==
             model.layers;
}

PromptTime prompt_time(const KernelModel& kernels, const PromptPass& p) {
  const nets::Decoder& d = p.model;
  if (std::fmod(static_cast<double>(d.heads), p.ranks) != 0)
    throw InputError(at_field("tp"), std::to_string(d.heads) + " heads cannot be split so",
                     "use a divisor of the heads");
  const auto real = [](std::int64_t n) { return static_cast<double>(n); };
  const PromptSizes s{real(d.layers),
                      real(d.hidden),
                      real(d.heads * d.head_dim),
                      std::max(real(d.kv_heads), p.ranks) * real(d.head_dim),
                      real(d.ffn),
                      p.prompts * p.length};
  KernelSum sum(kernels, p.gpu);
  PromptTime out;
  out.products = layer_products(p, s, sum);
  // Only the last token of a prompt is asked for its successor.
  const GemmCall head{.m = p.prompts, .n = std::ceil(real(d.vocab) / p.ranks), .k = s.hidden};
  out.products += sum.add(head, 1);
  out.attention = layer_attention(p, real(d.layers_with(nets::LayerAttention::full)), 0, sum) +
                  layer_attention(p, real(d.layers_with(nets::LayerAttention::window)), real(d.window), sum);
  out.memory = sum.add_bytes(moved_bytes(p, s), s.layers);
  if (p.ranks > 1) {
    const NodeCollective reduce{.ranks = p.ranks, .bytes = Bytes{s.tokens * s.hidden * kValueBytes}};
    out.collectives = sum.add(reduce, 2 * s.layers);
  }
  sum.finish(out);
  return out;
}

}  // namespace sextant::llm
