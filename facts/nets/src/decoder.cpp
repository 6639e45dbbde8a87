#include "sextant/nets/decoder.h"

#include <algorithm>

namespace sextant::nets {
namespace {

std::int64_t matrices_of_mlp(const Decoder& d) {
  return d.gated ? 3 : 2;
}

std::int64_t mlp_biases(const Decoder& d, std::int64_t width) {
  return d.bias.mlp ? (matrices_of_mlp(d) - 1) * width + d.hidden : 0;
}

std::int64_t norm_values(const Decoder& d, std::int64_t width) {
  return d.bias.norm ? 2 * width : width;
}

std::int64_t embedding_width(const Decoder& d) {
  return d.embedding_width > 0 ? d.embedding_width : d.hidden;
}

void add_grouped_attention(const Decoder& d, ParameterCount& count) {
  const std::int64_t queries = d.heads * d.head_dim * (d.output_gate ? 2 : 1);
  const std::int64_t keys = d.kv_heads * d.head_dim;
  count.attention += d.hidden * (queries + 2 * keys) + d.heads * d.head_dim * d.hidden;
  if (d.bias.qkv) count.biases += queries + 2 * keys;
  if (d.bias.attention_output) count.biases += d.hidden;
  if (d.attention_sinks) count.biases += d.heads;
  if (d.query_norm == QueryNorm::head) count.norms += 2 * d.head_dim;
  if (d.query_norm == QueryNorm::all) count.norms += (d.heads + d.kv_heads) * d.head_dim;
}

void add_latent_attention(const Decoder& d, ParameterCount& count) {
  const LatentSizes& l = d.latent;
  const std::int64_t queries = d.heads * (l.qk_nope_head_dim + l.qk_rope_head_dim);
  const std::int64_t query_source = l.q_lora_rank > 0 ? l.q_lora_rank : d.hidden;
  if (l.q_lora_rank > 0) count.attention += d.hidden * l.q_lora_rank;
  count.attention += query_source * queries;
  count.attention += d.hidden * (l.kv_lora_rank + l.qk_rope_head_dim);
  count.attention += l.kv_lora_rank * d.heads * (l.qk_nope_head_dim + l.v_head_dim);
  count.attention += d.heads * l.v_head_dim * d.hidden;
  count.norms += l.q_lora_rank + l.kv_lora_rank;
  if (d.bias.qkv) count.biases += l.q_lora_rank + l.kv_lora_rank + l.qk_rope_head_dim;
  if (d.bias.attention_output) count.biases += d.hidden;
  if (l.index_tokens == 0) return;
  count.attention +=
      query_source * l.index_heads * l.index_head_dim + d.hidden * (l.index_head_dim + l.index_heads);
  count.norms += 2 * l.index_head_dim;
}

// Queries, keys and values from one projection, through a short convolution; a gate for the values, two
// numbers a head that steer the state.
void add_linear_attention(const Decoder& d, ParameterCount& count) {
  const LinearSizes& l = d.linear;
  const std::int64_t values = l.value_heads * l.value_head_dim;
  const std::int64_t mixed = 2 * l.key_heads * l.key_head_dim + values;
  count.attention += d.hidden * (mixed + values + 2 * l.value_heads) + mixed * l.conv_kernel;
  count.attention += values * d.hidden;
  count.biases += 2 * l.value_heads;
  count.norms += l.value_head_dim;
}

// What is read and written, its gate and a number a head come from one projection, part of it through a short
// convolution with a bias; a decay, a step and a share of the input for each head, and a norm before the
// result.
void add_mamba(const Decoder& d, ParameterCount& count) {
  const MambaSizes& m = d.mamba;
  count.attention += d.hidden * (m.mixed() + m.inner() + m.heads) + m.mixed() * m.conv_kernel;
  count.attention += m.inner() * d.hidden;
  count.biases += m.mixed() + 3 * m.heads;
  count.norms += m.inner();
}

void add_attention(const Decoder& d, LayerAttention kind, ParameterCount& count) {
  if (kind == LayerAttention::none) return;
  if (kind == LayerAttention::linear) return add_linear_attention(d, count);
  if (kind == LayerAttention::mamba) return add_mamba(d, count);
  if (d.attention == AttentionKind::mla) return add_latent_attention(d, count);
  add_grouped_attention(d, count);
}

void add_mlp(const Decoder& d, LayerMlp kind, ParameterCount& count) {
  const std::int64_t matrices = matrices_of_mlp(d);
  if (kind == LayerMlp::none) return;
  if (kind == LayerMlp::dense) {
    count.mlp += matrices * d.hidden * d.ffn;
    count.biases += mlp_biases(d, d.ffn);
    return;
  }
  count.experts += d.experts * matrices * d.routed_width() * d.expert_ffn;
  // Every token goes to the width of the experts and back, whichever are chosen.
  if (d.expert_width > 0) count.shared_experts += 2 * d.hidden * d.expert_width;
  count.shared_experts += d.shared_experts * matrices * d.hidden * d.shared_expert_ffn;
  if (d.shared_expert_gate) count.shared_experts += d.hidden;
  count.router += d.hidden * d.experts;
  if (d.bias.router) count.biases += d.experts;
  count.biases += d.experts * mlp_biases(d, d.expert_ffn);
}

ParameterCount& operator+=(ParameterCount& a, const ParameterCount& b) {
  a.embedding += b.embedding;
  a.attention += b.attention;
  a.mlp += b.mlp;
  a.experts += b.experts;
  a.shared_experts += b.shared_experts;
  a.router += b.router;
  a.head += b.head;
  a.norms += b.norms;
  a.biases += b.biases;
  return a;
}

std::int64_t patches(const Decoder& d) {
  const std::int64_t side = d.patch > 0 ? d.image / d.patch : 0;
  return side * side;
}

// All that stands before, between and after the layers.
ParameterCount around_layers(const Decoder& d) {
  ParameterCount count;
  const std::int64_t width = embedding_width(d);
  count.embedding = (d.vocab + d.segments) * width + d.position_rows * d.hidden;
  if (width != d.hidden) count.embedding += 2 * width * d.hidden;  // in, and out again
  if (d.kind == TransformerKind::vision) {
    count.embedding += d.channels * d.patch * d.patch * d.hidden + d.hidden;  // patches, and a class token
    count.biases += d.hidden;
    count.head = d.hidden * d.classes;
    count.biases += d.classes;
  } else if (d.head && !d.tied) {
    count.head = width * d.vocab;
  }
  if (d.bias.head && d.kind != TransformerKind::vision) count.biases += d.vocab;
  if (d.embedding_norm) count.norms += norm_values(d, d.hidden);
  if (d.final_norm) count.norms += norm_values(d, d.hidden);
  if (d.pooler) {
    count.head += d.hidden * d.hidden;
    count.biases += d.hidden;
  }
  return count;
}

// T5's: encoder layers without, decoder layers with attention to the encoder's result; learned distances.
ParameterCount encoder_parts(const Decoder& d) {
  ParameterCount count;
  for (std::int64_t i = 0; i < d.encoder_layers; ++i) {
    add_attention(d, LayerAttention::full, count);
    add_mlp(d, LayerMlp::dense, count);
    count.norms += 2 * norm_values(d, d.hidden);
  }
  for (std::int64_t i = 0; i < d.layers; ++i) {
    add_attention(d, LayerAttention::full, count);
    count.norms += norm_values(d, d.hidden);
  }
  count.norms += norm_values(d, d.hidden);
  count.embedding += 2 * d.relative_buckets * d.heads;
  return count;
}

// Of one query head: sizes of its key and of its value.
struct HeadSizes {
  std::int64_t key = 0;
  std::int64_t value = 0;
};

HeadSizes head_sizes(const Decoder& d) {
  if (d.attention != AttentionKind::mla) return {d.head_dim, d.head_dim};
  return {d.latent.qk_nope_head_dim + d.latent.qk_rope_head_dim, d.latent.v_head_dim};
}

double number(std::int64_t value) {
  return static_cast<double>(value);
}

// Of s positions, each of which sees those before it, itself included, and at most w of them.
double mean_within(double w, double s) {
  if (s <= w) return (s + 1) / 2;
  return (w * (w + 1) / 2 + (s - w) * w) / s;
}

// Queries by keys and weights by values of one layer, for one token.
double score_flops(const Decoder& d, std::int64_t layer, std::int64_t sequence) {
  const LayerAttention kind = d.attention_of(layer);
  if (kind == LayerAttention::none) return 0;
  if (kind == LayerAttention::linear) {
    // The state is read for the key, changed, and read for the query.
    return 6 * number(d.linear.value_heads * d.linear.key_head_dim * d.linear.value_head_dim);
  }
  // The state is changed and read.
  if (kind == LayerAttention::mamba) return 4 * number(d.mamba.inner() * d.mamba.state);
  const HeadSizes sizes = head_sizes(d);
  const double attended = 2 * number(d.heads * (sizes.key + sizes.value)) * mean_keys(d, layer, sequence);
  if (d.latent.index_tokens == 0) return attended;
  const double all = mean_within(number(sequence), number(sequence));
  return attended + 2 * number(d.latent.index_heads * d.latent.index_head_dim) * all;
}

}  // namespace

LayerMlp Decoder::mlp_of(std::int64_t layer) const {
  if (!layer_mlp.empty()) return layer_mlp.at(static_cast<std::size_t>(layer));
  if (experts == 0 || layer < dense_layers) return LayerMlp::dense;
  return (layer - dense_layers + 1) % expert_every == 0 ? LayerMlp::experts : LayerMlp::dense;
}

LayerAttention Decoder::attention_of(std::int64_t layer) const {
  if (!layer_attention.empty()) return layer_attention.at(static_cast<std::size_t>(layer));
  return window > 0 ? LayerAttention::window : LayerAttention::full;
}

std::int64_t Decoder::layers_with(LayerMlp follows) const {
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < layers; ++i) count += mlp_of(i) == follows ? 1 : 0;
  return count;
}

double Decoder::whole_layers() const {
  const std::int64_t alone = layers_with(LayerAttention::none) + layers_with(LayerMlp::none);
  return number(layers) - number(alone) / 2;
}

std::int64_t Decoder::keeping_layers() const {
  return layers_with(LayerAttention::full) + layers_with(LayerAttention::window) +
         layers_with(LayerAttention::chunk);
}

std::int64_t Decoder::layers_with(LayerAttention attends) const {
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < layers; ++i) count += attention_of(i) == attends ? 1 : 0;
  return count;
}

std::int64_t ParameterCount::matrices() const {
  return embedding + attention + mlp + experts + shared_experts + router + head;
}

ParameterCount layer_parameters(const Decoder& decoder, std::int64_t layer) {
  ParameterCount count;
  add_attention(decoder, decoder.attention_of(layer), count);
  add_mlp(decoder, decoder.mlp_of(layer), count);
  count.norms += decoder.norms_per_layer * norm_values(decoder, decoder.hidden);
  return count;
}

ParameterCount parameters(const Decoder& decoder) {
  ParameterCount count = around_layers(decoder);
  for (std::int64_t i = 0; i < decoder.layers; ++i) count += layer_parameters(decoder, i);
  if (decoder.kind == TransformerKind::encoder_decoder) count += encoder_parts(decoder);
  return count;
}

ParameterCount active_parameters(const Decoder& decoder) {
  ParameterCount count = parameters(decoder);
  if (decoder.experts == 0) return count;
  const std::int64_t idle = decoder.experts - decoder.experts_per_token;
  const std::int64_t with_experts = decoder.expert_layers();
  count.biases -= with_experts * idle * mlp_biases(decoder, decoder.expert_ffn);
  count.experts = count.experts / decoder.experts * decoder.experts_per_token;
  return count;
}

Flops TokenFlops::total() const {
  return embedding + projections + scores + mlp + experts + router + head;
}

double mean_keys(const Decoder& decoder, std::int64_t layer, std::int64_t sequence) {
  const double s = number(sequence);
  const double w = number(decoder.window);
  if (!decoder.causal()) return s;
  const LayerAttention kind = decoder.attention_of(layer);
  if (kind == LayerAttention::window) return mean_within(w, s);
  if (kind == LayerAttention::chunk) {
    const std::int64_t whole = sequence / decoder.window;
    const double rest = s - number(whole) * w;
    return (number(whole) * w * (w + 1) / 2 + rest * (rest + 1) / 2) / s;
  }
  const std::int64_t picked = decoder.latent.index_tokens;
  return mean_within(picked > 0 ? number(picked) : s, s);
}

TokenFlops forward_flops(const Decoder& decoder, std::int64_t sequence) {
  const ParameterCount active = active_parameters(decoder);
  TokenFlops flops;
  const auto twice = [](std::int64_t parameters) { return Flops{2 * number(parameters)}; };
  flops.projections = twice(active.attention);
  flops.mlp = twice(active.mlp);
  flops.experts = twice(active.experts + active.shared_experts);
  flops.router = twice(active.router);
  if (decoder.kind == TransformerKind::vision) {
    flops.embedding = twice(decoder.channels * decoder.patch * decoder.patch * decoder.hidden);
    flops.head = twice(active.head) / number(patches(decoder) + 1);
  } else if (decoder.head) {
    flops.head = twice(decoder.vocab * embedding_width(decoder));
  }
  double scores = 0;
  for (std::int64_t i = 0; i < decoder.layers; ++i) scores += score_flops(decoder, i, sequence);
  if (decoder.kind == TransformerKind::encoder_decoder) {
    // Each layer of the decoder attends twice: to half of its own tokens, and to all of the encoder's.
    const double full = 4 * number(decoder.heads * decoder.head_dim) * number(sequence);
    scores = full * (number(decoder.encoder_layers) + 1.5 * number(decoder.layers));
  }
  flops.scores = Flops{scores};
  return flops;
}

Bytes cache_of_token(const Decoder& decoder, Bytes value) {
  const std::int64_t layers = decoder.keeping_layers();
  const LatentSizes& l = decoder.latent;
  const std::int64_t values = decoder.attention == AttentionKind::mla
                                  ? l.kv_lora_rank + l.qk_rope_head_dim
                                  : 2 * decoder.kv_heads * decoder.head_dim;
  return number(layers * values) * value;
}

Bytes cache_of_sequence(const Decoder& decoder, std::int64_t context, Bytes value) {
  const std::int64_t keeping = decoder.keeping_layers();
  const LinearSizes& l = decoder.linear;
  const MambaSizes& m = decoder.mamba;
  const double state = number(decoder.layers_with(LayerAttention::linear)) *
                           number(l.value_heads * l.value_head_dim * l.key_head_dim) +
                       number(decoder.layers_with(LayerAttention::mamba)) * number(m.inner() * m.state);
  if (keeping == 0) return state * value;
  const std::int64_t narrow =
      decoder.layers_with(LayerAttention::window) + decoder.layers_with(LayerAttention::chunk);
  const Bytes of_layer = cache_of_token(decoder, value) / number(keeping);
  const double tokens = number(keeping - narrow) * number(context) +
                        number(narrow) * number(std::min(context, std::max<std::int64_t>(decoder.window, 1)));
  return tokens * of_layer + state * value;
}

}  // namespace sextant::nets
