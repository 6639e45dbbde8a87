#include "decoder_blocks.h"

#include "transformer_blocks.h"

namespace sextant::nets::transformer {
namespace {

Tensor multiply(GraphBuilder& g, Tensor a, Tensor b) {
  return g.add(Binary{Arithmetic::multiply}, {a, b});
}

// Rotary position embedding (Su et al. 2021, arXiv 2104.09864) of [batch, heads, position, head size]: each
// half of a head is turned against the other.
Tensor rotate(GraphBuilder& g, Tensor x, const Angles& by) {
  const std::int64_t size = g.shape(x).back();
  const Tensor front = g.add(Slice{.axis = 3, .begin = 0, .end = size / 2}, {x});
  const Tensor back = g.add(Slice{.axis = 3, .begin = size / 2, .end = size}, {x});
  const Tensor turned = g.concat({g.add(Scale{-1}, {back}), front}, 3);
  const Tensor along = multiply(g, x, by.cosines);
  return g.sum(along, multiply(g, turned, by.sines));
}

// [batch, kv heads, position, size] to [batch, heads, position, size], each head so many times in a row.
Tensor repeat_heads(GraphBuilder& g, Tensor x, std::int64_t times) {
  if (times == 1) return x;
  const Shape s = g.shape(x);
  const Tensor single = g.add(Reshape{{s.at(0), s.at(1), 1, s.at(2), s.at(3)}}, {x});
  const Tensor copies = g.add(Expand{{s.at(0), s.at(1), times, s.at(2), s.at(3)}}, {single});
  return g.add(Reshape{{s.at(0), s.at(1) * times, s.at(2), s.at(3)}}, {copies});
}

Tensor grouped_attention(GraphBuilder& g, Tensor x, const DecoderLayout& layout, const Angles& by) {
  const std::int64_t head_size = layout.hidden / layout.heads;
  const auto project = [&](std::int64_t heads) {
    return split_heads(g, g.linear(x, heads * head_size, false), heads);
  };
  const std::int64_t times = layout.heads / layout.kv_heads;
  const Tensor q = rotate(g, project(layout.heads), by);
  const Tensor k = repeat_heads(g, rotate(g, project(layout.kv_heads), by), times);
  const Tensor v = repeat_heads(g, project(layout.kv_heads), times);
  return g.linear(attention(g, {q, k, v}, {}), layout.hidden, false);
}

// Shazeer 2020, arXiv 2002.05202: silu(x G) * (x U), and back to the width of x.
Tensor gated_mlp(GraphBuilder& g, Tensor x, std::int64_t inner) {
  const std::int64_t width = g.shape(x).back();
  const Tensor gate = g.activation(g.linear(x, inner, false), Function::silu);
  return g.linear(multiply(g, gate, g.linear(x, inner, false)), width, false);
}

}  // namespace

Tensor rms_norm(GraphBuilder& g, Tensor x) {
  return g.add(LayerNorm{.bias = false, .centre = false}, {x});
}

Angles angles(GraphBuilder& g, std::int64_t length, std::int64_t head_size) {
  const Constant table{.shape = {length, head_size}};
  return {.cosines = g.add(table, {}, "cosines"), .sines = g.add(table, {}, "sines")};
}

Tensor decoder_layer(GraphBuilder& g, Tensor x, const DecoderLayout& layout, const Angles& by) {
  x = g.sum(x, grouped_attention(g, rms_norm(g, x), layout, by));
  return g.sum(x, gated_mlp(g, rms_norm(g, x), layout.inner));
}

}  // namespace sextant::nets::transformer
