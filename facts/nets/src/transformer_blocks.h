// Parts of transformers (Vaswani et al. 2017, arXiv 1706.03762) as eager frameworks run them: attention
// as two batched products with the scores in memory between them, no fused kernel. Causal masks are left
// out: they change values, not products.
#pragma once

#include <cstdint>
#include <optional>

#include "sextant/nets/builder.h"

namespace sextant::nets::transformer {

// Queries, keys and values [batch, heads, position, head size].
struct Heads {
  Tensor q;
  Tensor k;
  Tensor v;
};

enum class ScaleBy { scores, queries, nothing };

struct AttentionOptions {
  ScaleBy scale = ScaleBy::scores;  // by 1 / sqrt(head size)
  std::optional<Tensor> bias = {};  // added to the scores
  // Added to the scores [batch * windows, heads, ...] of attention within windows: [windows, 1, ...].
  std::optional<Tensor> window_mask = {};
  double dropout = 0;  // of the probabilities; 0 leaves it out
};

// [batch, position, heads * size] to [batch, heads, position, size], and back.
Tensor split_heads(GraphBuilder& g, Tensor x, std::int64_t heads);
Tensor merge_heads(GraphBuilder& g, Tensor x);

// Softmax(Q Kᵀ / sqrt(d)) V, heads merged again.
Tensor attention(GraphBuilder& g, Heads heads, const AttentionOptions& options);

// Queries, keys and values from one projection of x, and a projection of the result; both with bias.
Tensor fused_self_attention(GraphBuilder& g, Tensor x, std::int64_t heads, const AttentionOptions& options);

struct MlpOptions {
  std::int64_t inner = 0;
  Function activation = Function::gelu;
  bool bias = true;
  double dropout = 0;  // between the two layers; 0 leaves it out
};

// Widen, activate, return to the width of x.
Tensor mlp(GraphBuilder& g, Tensor x, const MlpOptions& options);

// Adds learned positions to [batch, position, feature]. The table has `entries` rows, of which the
// first `offset` are never used; a sequence that is longer than the table makes the table longer.
struct Positions {
  std::int64_t entries = 0;
  std::int64_t offset = 0;
};
Tensor add_positions(GraphBuilder& g, Tensor x, Positions positions);

}  // namespace sextant::nets::transformer
