#include "memory_layer.h"

namespace sextant::llm {
namespace {

constexpr double kHalfValue = 2;   // bytes of a 16-bit value
constexpr double kScoreBytes = 5;  // scores and probabilities in 16 bits, and the mask of their dropout
// Of adapter_v2: a result before its scale, kept beside the one behind it.
constexpr double kScaledResult = 3;
// Of LoRA with dropout in eager PyTorch: the input, its mask, and padded results of both matrices.
constexpr double kEagerLora = 8;
constexpr double kFusedLora = 3;  // input and mask

struct Widths {
  double hidden, queries, keys, values;
};

Widths layer_widths(const nets::Decoder& d) {
  const auto heads = static_cast<double>(d.heads);
  Widths w{static_cast<double>(d.hidden), heads * static_cast<double>(d.head_dim),
           static_cast<double>(d.kv_heads * d.head_dim), static_cast<double>(d.kv_heads * d.head_dim)};
  if (d.attention == nets::AttentionKind::mla) {
    w.keys = w.queries;
    w.values = heads * static_cast<double>(d.latent.v_head_dim);
  }
  return w;
}

// An MLP keeps what its activation reads, and the operand of the last product.
double mlp_bytes(const MemoryQuestion& q, double width, double operand) {
  const bool gated = q.at.model.gated;
  double bytes = (gated ? 2 : 1) * kHalfValue * width;
  if (q.at.tuning.trained == Trained::everything || q.at.tuning.frozen != FrozenWeights::plain)
    bytes += operand * width;
  if (gated && q.stack.eager) bytes += kHalfValue * width;
  return bytes;
}

double mean_mlp_bytes(const MemoryQuestion& q, double operand) {
  const nets::Decoder& d = q.at.model;
  const auto routed_width = static_cast<double>(d.routed_width());
  const auto layers = static_cast<double>(d.layers);
  const double dense = mlp_bytes(q, static_cast<double>(d.ffn), operand);
  const double dense_share = static_cast<double>(d.layers_with(nets::LayerMlp::dense)) / layers;
  const double share = static_cast<double>(d.expert_layers()) / layers;
  if (share == 0) return dense_share * dense;
  // Tokens are copied to their experts, and the results back.
  const double routed =
      static_cast<double>(d.experts_per_token) *
      (mlp_bytes(q, static_cast<double>(d.expert_ffn), operand) + (operand + kHalfValue) * routed_width);
  const double shared =
      static_cast<double>(d.shared_experts) * mlp_bytes(q, static_cast<double>(d.shared_expert_ffn), operand);
  return dense_share * dense + share * (routed + shared);
}

double norm_bytes(const MemoryQuestion& q, double hidden) {
  double bytes = 2 * kHalfValue * hidden;
  if (!q.stack.eager) return bytes;
  if (q.at.tuning.trained == Trained::everything)
    return bytes + 8 * hidden;  // in fp32, before and behind the division
  return q.at.model.norm == nets::NormKind::rms ? bytes + 4 * hidden : bytes;  // in fp32, before it
}

double added_bytes(const MemoryQuestion& q, const Widths& w) {
  if (q.at.tuning.trained == Trained::lora) return (q.stack.eager ? kEagerLora : kFusedLora) * w.hidden;
  return 0;
}

double scaled_results(const MemoryQuestion& q, const Widths& w) {
  if (q.at.tuning.trained != Trained::adapter_v2) return 0;
  const double mlp = (q.at.model.gated ? 2.0 : 1.0) * static_cast<double>(q.at.model.ffn);
  return kScaledResult * (w.queries + w.keys + w.values + 2 * w.hidden + mlp);
}

// Of attention, or of a state: what its projection makes, its result, and with a state also what its
// convolution reads and the result before its gate.
double attention_bytes(const nets::Decoder& d, const Widths& w) {
  const auto layers = static_cast<double>(d.layers);
  const auto mamba = static_cast<double>(d.layers_with(nets::LayerAttention::mamba)) / layers;
  const double attending =
      1 - static_cast<double>(d.layers_with(nets::LayerAttention::none)) / layers - mamba;
  const auto inner = static_cast<double>(d.mamba.inner());
  const auto mixed = static_cast<double>(d.mamba.mixed());
  return kHalfValue * (attending * (2 * w.queries + w.keys + w.values) + mamba * (2 * mixed + 3 * inner));
}

}  // namespace

LayerBytes layer_bytes(const MemoryQuestion& q) {
  const nets::Decoder& d = q.at.model;
  const Widths w = layer_widths(d);
  const double whole = d.whole_layers() / static_cast<double>(d.layers);
  const bool low = q.stack.keeps_low_precision;
  const double operand = low ? 1 : kHalfValue;
  const bool operands_kept =
      q.at.tuning.trained == Trained::everything || q.at.tuning.frozen != FrozenWeights::plain;
  LayerBytes bytes;
  bytes.input = kHalfValue * w.hidden;
  bytes.shared = norm_bytes(q, w.hidden) + added_bytes(q, w);
  if (operands_kept) bytes.shared += 2 * operand * w.hidden;
  if (q.stack.dropout) bytes.shared += 2 * w.hidden;
  bytes.shared *= whole;
  bytes.split = attention_bytes(d, w) + mean_mlp_bytes(q, operand) + scaled_results(q, w);
  if (low) bytes.split += w.queries;  // the result of attention in 8 bits, for the next product
  if (q.stack.eager && d.positions == nets::Positions::rope) bytes.split += kHalfValue * (w.queries + w.keys);
  if (!q.stack.fused_attention)
    bytes.scores = kScoreBytes * static_cast<double>(d.heads) * static_cast<double>(q.at.sequence);
  bytes.chosen_shared = 2 * kHalfValue * w.hidden;
  bytes.chosen_split = kHalfValue * (2 * w.queries + w.values + static_cast<double>(d.ffn));
  return bytes;
}

}  // namespace sextant::llm
