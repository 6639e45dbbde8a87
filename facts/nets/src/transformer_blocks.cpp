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

Tensor attention(GraphBuilder& g, Heads heads, const AttentionOptions& options) {
  const Scale scale{1 / std::sqrt(static_cast<double>(g.shape(heads.q).back()))};
  if (options.scale == ScaleBy::queries) heads.q = g.add(scale, {heads.q});
  Tensor scores = g.add(MatMul{.transpose_b = true}, {heads.q, heads.k});
  if (options.scale == ScaleBy::scores) scores = g.add(scale, {scores});
  if (options.bias) scores = g.sum(scores, *options.bias);
  Tensor weights = g.activation(scores, Function::softmax);
  if (options.dropout > 0) weights = g.dropout(weights, options.dropout);
  return merge_heads(g, g.add(MatMul{}, {weights, heads.v}));
}

Tensor mlp(GraphBuilder& g, Tensor x, const MlpOptions& options) {
  const std::int64_t width = g.shape(x).back();
  const Tensor inner = g.activation(g.linear(x, options.inner, options.bias), options.activation);
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
