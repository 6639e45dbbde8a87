#include "transformer_blocks.h"

#include <algorithm>
#include <cmath>

namespace sextant::nets::transformer {

Tensor split_heads(GraphBuilder& g, Tensor x, std::int64_t heads) {
  const Shape& s = g.shape(x);
  const Tensor split = g.add(Reshape{{s.at(0), s.at(1), heads, s.at(2) / heads}}, {x});
  return g.add(Transpose{{0, 2, 1, 3}}, {split});
}

Tensor merge_heads(GraphBuilder& g, Tensor x) {
  const Shape s = g.shape(x);
  const Tensor back = g.add(Transpose{{0, 2, 1, 3}}, {x});
  return g.add(Reshape{{s.at(0), s.at(2), s.at(1) * s.at(3)}}, {back});
}

namespace {

Tensor mask_windows(GraphBuilder& g, Tensor scores, Tensor mask) {
  const Shape s = g.shape(scores);
  const std::int64_t windows = g.shape(mask).at(0);
  const Tensor split = g.add(Reshape{{s.at(0) / windows, windows, s.at(1), s.at(2), s.at(3)}}, {scores});
  return g.add(Reshape{s}, {g.sum(split, mask)});
}

}  // namespace

Tensor attention(GraphBuilder& g, Heads heads, const AttentionOptions& options) {
  const Scale scale{1 / std::sqrt(static_cast<double>(g.shape(heads.q).back()))};
  if (options.scale == ScaleBy::queries) heads.q = g.add(scale, {heads.q});
  Tensor scores = g.add(MatMul{.transpose_b = true}, {heads.q, heads.k});
  if (options.scale == ScaleBy::scores) scores = g.add(scale, {scores});
  if (options.bias) scores = g.sum(scores, *options.bias);
  if (options.window_mask) scores = mask_windows(g, scores, *options.window_mask);
  Tensor weights = g.activation(scores, Function::softmax);
  if (options.dropout > 0) weights = g.dropout(weights, options.dropout);
  return merge_heads(g, g.add(MatMul{}, {weights, heads.v}));
}

Tensor fused_self_attention(GraphBuilder& g, Tensor x, std::int64_t heads, const AttentionOptions& options) {
  const std::int64_t hidden = g.shape(x).back();
  const Tensor fused = g.linear(x, 3 * hidden);
  const auto part = [&](std::int64_t i) {
    return split_heads(g, g.add(Slice{.axis = 2, .begin = i * hidden, .end = (i + 1) * hidden}, {fused}),
                       heads);
  };
  const Tensor q = part(0);
  const Tensor k = part(1);
  const Tensor v = part(2);
  return g.linear(attention(g, {q, k, v}, options), hidden);
}

Tensor mlp(GraphBuilder& g, Tensor x, const MlpOptions& options) {
  const std::int64_t width = g.shape(x).back();
  Tensor inner = g.activation(g.linear(x, options.inner, options.bias), options.activation);
  if (options.dropout > 0) inner = g.dropout(inner, options.dropout);
  return g.linear(inner, width, options.bias);
}

Tensor add_positions(GraphBuilder& g, Tensor x, Positions positions) {
  const std::int64_t end = positions.offset + g.shape(x).at(1);
  const std::int64_t features = g.shape(x).back();
  const Tensor table = g.add(Parameter{{std::max(positions.entries, end), features}}, {}, "positions");
  const Tensor used = g.add(Slice{.axis = 0, .begin = positions.offset, .end = end}, {table});
  return g.sum(x, used);
}

}  // namespace sextant::nets::transformer
