#include "decoder_layers.h"

namespace sextant::nets {

Tensor DecoderLayers::norm(Tensor x) {
  return g_.add(LayerNorm{.bias = d_.bias.norm, .centre = d_.norm == NormKind::layer}, {x});
}

Tensor DecoderLayers::part(Tensor x, std::int64_t begin, std::int64_t end) {
  const int last = static_cast<int>(g_.shape(x).size()) - 1;
  return g_.add(Slice{.axis = last, .begin = begin, .end = end}, {x});
}

Tensor DecoderLayers::head_norm(Tensor x, std::int64_t heads) {
  const Shape s = g_.shape(x);
  const Tensor split = g_.add(Reshape{{s.at(0), s.at(1), heads, s.at(2) / heads}}, {x});
  return g_.add(Reshape{s}, {g_.add(LayerNorm{.bias = false, .centre = false}, {split})});
}

Tensor DecoderLayers::query_norm(Tensor x, std::int64_t heads) {
  if (d_.query_norm == QueryNorm::head) return head_norm(x, heads);
  return d_.query_norm == QueryNorm::all ? g_.add(LayerNorm{.bias = false, .centre = false}, {x}) : x;
}

Tensor DecoderLayers::place(Tensor x, std::int64_t heads, std::int64_t turned) {
  return d_.positions == Positions::rope ? g_.add(Rotary{heads, turned}, {x}) : x;
}

Tensor DecoderLayers::grouped(Tensor x, std::int64_t index) {
  const std::int64_t width = d_.heads * d_.head_dim;
  const std::int64_t narrow = d_.kv_heads * d_.head_dim;
  const Tensor first = g_.linear(x, d_.output_gate ? 2 * width : width, d_.bias.qkv);
  const Tensor queries = d_.output_gate ? part(first, 0, width) : first;
  const Tensor q = place(query_norm(queries, d_.heads), d_.heads, 0);
  const Tensor k = place(query_norm(g_.linear(x, narrow, d_.bias.qkv), d_.kv_heads), d_.kv_heads, 0);
  const Tensor v = g_.linear(x, narrow, d_.bias.qkv);
  const LayerAttention kind = d_.attention_of(index);
  const Mask mask{.causal = d_.causal(),
                  .window = kind == LayerAttention::full ? 0 : d_.window,
                  .chunked = kind == LayerAttention::chunk};
  Tensor mixed =
      g_.add(Attention{.heads = d_.heads, .kv_heads = d_.kv_heads, .mask = mask, .sinks = d_.attention_sinks},
             {q, k, v});
  if (d_.output_gate)
    mixed = multiply(mixed, g_.activation(part(first, width, 2 * width), Function::sigmoid));
  return g_.linear(mixed, d_.hidden, d_.bias.attention_output);
}

// Keys are made of a part that all heads share, which carries the place, and one of each head from the short
// vector.
Tensor DecoderLayers::latent(Tensor x) {
  const LatentSizes& l = d_.latent;
  const LayerNorm rms{.bias = false, .centre = false};
  const Shape s = g_.shape(x);
  Tensor source = x;
  if (l.q_lora_rank > 0) source = g_.add(rms, {g_.linear(x, l.q_lora_rank, d_.bias.qkv)});
  const Tensor q = place(g_.linear(source, d_.heads * d_.head_dim, false), d_.heads, l.qk_rope_head_dim);
  const Tensor shared = g_.linear(x, l.kv_lora_rank + l.qk_rope_head_dim, d_.bias.qkv);
  const Tensor turned =
      place(part(shared, l.kv_lora_rank, l.kv_lora_rank + l.qk_rope_head_dim), 1, l.qk_rope_head_dim);
  const Tensor narrow = g_.add(rms, {part(shared, 0, l.kv_lora_rank)});
  const std::int64_t both = l.qk_nope_head_dim + l.v_head_dim;
  const Tensor wide = g_.linear(narrow, d_.heads * both, false);
  const Tensor split = g_.add(Reshape{{s.at(0), s.at(1), d_.heads, both}}, {wide});
  const Tensor single = g_.add(Reshape{{s.at(0), s.at(1), 1, l.qk_rope_head_dim}}, {turned});
  const Tensor copies = g_.add(Expand{{s.at(0), s.at(1), d_.heads, l.qk_rope_head_dim}}, {single});
  const Tensor keys = g_.concat({part(split, 0, l.qk_nope_head_dim), copies}, 3);
  const Tensor k = g_.add(Reshape{{s.at(0), s.at(1), d_.heads * d_.head_dim}}, {keys});
  const Tensor values = part(split, l.qk_nope_head_dim, both);
  const Tensor v = g_.add(Reshape{{s.at(0), s.at(1), d_.heads * l.v_head_dim}}, {values});
  std::vector<Tensor> inputs = {q, k, v};
  if (l.index_tokens > 0) {
    const Tensor key = g_.add(LayerNorm{}, {g_.linear(x, l.index_head_dim, false)});
    inputs.push_back(g_.linear(source, l.index_heads * l.index_head_dim, false));
    inputs.push_back(key);
    inputs.push_back(g_.linear(x, l.index_heads, false));
  }
  const Tensor mixed = g_.add(Attention{.heads = d_.heads,
                                        .kv_heads = d_.heads,
                                        .mask = {.causal = d_.causal()},
                                        .picks = l.index_tokens,
                                        .index_heads = l.index_heads},
                              inputs);
  return g_.linear(mixed, d_.hidden, d_.bias.attention_output);
}

// Queries, keys and values pass a short convolution over the places before them.
Tensor DecoderLayers::linear(Tensor x) {
  const LinearSizes& l = d_.linear;
  const std::int64_t keys = l.key_heads * l.key_head_dim;
  const std::int64_t values = l.value_heads * l.value_head_dim;
  const std::int64_t mixed = 2 * keys + values;
  const Tensor turned = g_.add(Transpose{{0, 2, 1}}, {g_.linear(x, mixed, false)});
  const Tensor smooth = g_.conv(
      turned, mixed, along(l.conv_kernel),
      {.padding = {.left = l.conv_kernel - 1}, .groups = mixed, .bias = false, .activation = Function::silu});
  const Tensor back = g_.add(Transpose{{0, 2, 1}}, {smooth});
  const Tensor forget = g_.linear(x, l.value_heads, false);
  const Tensor write = g_.activation(g_.linear(x, l.value_heads, false), Function::sigmoid);
  const Tensor state =
      g_.add(DeltaRule{l.key_heads, l.value_heads},
             {part(back, 0, keys), part(back, keys, 2 * keys), part(back, 2 * keys, mixed), forget, write});
  const Tensor gate = g_.activation(g_.linear(x, values, false), Function::silu);
  return g_.linear(multiply(head_norm(state, l.value_heads), gate), d_.hidden, false);
}

// What is read, written and passed on goes through a short convolution; the result has a gate and a norm.
Tensor DecoderLayers::mamba(Tensor x) {
  const MambaSizes& m = d_.mamba;
  const std::int64_t shared = m.groups * m.state;
  const Tensor turned = g_.add(Transpose{{0, 2, 1}}, {g_.linear(x, m.mixed(), false)});
  const Tensor smooth =
      g_.conv(turned, m.mixed(), along(m.conv_kernel),
              {.padding = {.left = m.conv_kernel - 1}, .groups = m.mixed(), .activation = Function::silu});
  const Tensor back = g_.add(Transpose{{0, 2, 1}}, {smooth});
  const Tensor state = g_.add(
      DeltaRule{.key_heads = m.groups, .value_heads = m.heads, .corrects = false},
      {part(back, m.inner(), m.inner() + shared), part(back, m.inner() + shared, m.inner() + 2 * shared),
       part(back, 0, m.inner()), g_.linear(x, m.heads, false)});
  const Tensor gate = g_.activation(g_.linear(x, m.inner(), false), Function::silu);
  const Tensor normed = g_.add(LayerNorm{.bias = false, .centre = false}, {multiply(state, gate)});
  return g_.linear(normed, d_.hidden, false);
}

Tensor DecoderLayers::attend(Tensor x, std::int64_t index) {
  if (d_.attention_of(index) == LayerAttention::linear) return linear(x);
  if (d_.attention_of(index) == LayerAttention::mamba) return mamba(x);
  return d_.attention == AttentionKind::mla ? latent(x) : grouped(x, index);
}

// Shazeer 2020, arXiv 2002.05202: silu(x G) * (x U), and back to the width of x.
Tensor DecoderLayers::mlp(Tensor x, std::int64_t width) {
  const Function function = d_.gated ? Function::silu : Function::gelu;
  Tensor inner = g_.activation(g_.linear(x, width, d_.bias.mlp), function);
  if (d_.gated) inner = multiply(inner, g_.linear(x, width, d_.bias.mlp));
  return g_.linear(inner, d_.hidden, d_.bias.mlp);
}

Tensor DecoderLayers::experts(Tensor x) {
  const Tensor scores = g_.activation(g_.linear(x, d_.experts, d_.bias.router), Function::softmax);
  const Tensor given = d_.expert_width > 0 ? g_.linear(x, d_.expert_width, false) : x;
  Tensor routed = g_.add(Experts{.count = d_.experts,
                                 .per_token = d_.experts_per_token,
                                 .inner = d_.expert_ffn,
                                 .gated = d_.gated,
                                 .bias = d_.bias.mlp},
                         {given, scores});
  if (d_.expert_width > 0) routed = g_.linear(routed, d_.hidden, false);
  if (d_.shared_experts == 0) return routed;
  Tensor shared = mlp(x, d_.shared_experts * d_.shared_expert_ffn);
  if (d_.shared_expert_gate)
    shared = multiply(shared, g_.activation(g_.linear(x, 1, false), Function::sigmoid));
  return g_.sum(routed, shared);
}

Tensor DecoderLayers::feed_forward(Tensor x, std::int64_t index) {
  return d_.has_experts(index) ? experts(x) : mlp(x, d_.ffn);
}

// Norms stand before each half, after it too where there are four, and behind the sums of an encoder.
Tensor DecoderLayers::layer(Tensor x, std::int64_t index) {
  constexpr std::int64_t kSandwiched = 4;
  if (d_.kind == TransformerKind::encoder) {
    x = norm(g_.sum(x, attend(x, index)));
    return norm(g_.sum(x, feed_forward(x, index)));
  }
  const Tensor first = norm(x);
  if (d_.attention_of(index) == LayerAttention::none) return g_.sum(x, feed_forward(first, index));
  if (d_.mlp_of(index) == LayerMlp::none) return g_.sum(x, attend(first, index));
  if (d_.parallel) {
    const Tensor second = d_.norms_per_layer == 1 ? first : norm(x);
    return g_.sum(g_.sum(x, attend(first, index)), feed_forward(second, index));
  }
  const bool sandwiched = d_.norms_per_layer == kSandwiched;
  const Tensor mixed = attend(first, index);
  x = g_.sum(x, sandwiched ? norm(mixed) : mixed);
  const Tensor wide = feed_forward(norm(x), index);
  return g_.sum(x, sandwiched ? norm(wide) : wide);
}

}  // namespace sextant::nets
