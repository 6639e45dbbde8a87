// Switch Transformer (Fedus et al. 2021, arXiv 2101.03961): a T5 encoder-decoder in which every other
// feed-forward layer sends each token to one of several experts. The graph assumes perfect balance:
// expert i gets the i-th block of tokens, up to its capacity; what is left over passes unchanged.
// Layer norm stands in for T5's root-mean-square norm (a bias of `hidden` more, the same traffic).
#include <algorithm>

#include "sextant/nets/network.h"
#include "transformer_blocks.h"

namespace sextant::nets::zoo_switch_transformer {
namespace {

using namespace transformer;

constexpr std::int64_t kVocabulary = 32128;
constexpr std::int64_t kHidden = 1024;
constexpr std::int64_t kHeads = 32;
constexpr std::int64_t kHeadSize = 128;
constexpr std::int64_t kInner = 16384;
constexpr int kLayers = 24;  // of the encoder, and again of the decoder
constexpr std::int64_t kExperts = 4;
constexpr std::int64_t kCapacity = 64;  // tokens of one sequence that one expert takes
constexpr std::int64_t kBuckets = 32;   // of distances between positions
constexpr double kDropout = 0.1;

constexpr MlpOptions kFeedForward = {.inner = kInner, .activation = Function::relu, .bias = false};

// A number per head for each pair of positions, shared by all layers of a stack.
Tensor position_bias(GraphBuilder& g, std::int64_t length) {
  const Tensor distances = g.add(Input{{length, length}, true}, {}, "distances");
  const Tensor bias = g.add(Embedding{kBuckets, kHeads}, {distances});
  return g.add(Transpose{{2, 0, 1}}, {bias});
}

// Queries from x, keys and values from the source (x itself, or the encoder's result).
Tensor attend(GraphBuilder& g, Tensor x, Tensor source, std::optional<Tensor> bias) {
  const Tensor normed = g.layer_norm(x);
  const Tensor from = source.id == x.id ? normed : source;
  const auto project = [&](Tensor t) {
    return split_heads(g, g.linear(t, kHeads * kHeadSize, false), kHeads);
  };
  const Tensor q = project(normed);
  const Tensor k = project(from);
  const Tensor v = project(from);
  const Tensor mixed =
      attention(g, {q, k, v}, {.scale = ScaleBy::nothing, .bias = bias, .dropout = kDropout});
  return g.sum(x, g.dropout(g.linear(mixed, kHidden, false), kDropout));
}

// With fewer tokens than experts, several experts get the same token and the surplus is cut off, so
// that no expert's weights disappear.
Tensor experts(GraphBuilder& g, Tensor x) {
  const std::int64_t length = g.shape(x).at(1);
  const std::int64_t share = std::clamp<std::int64_t>(length / kExperts, 1, kCapacity);
  const Tensor chances = g.activation(g.linear(x, kExperts, false), Function::softmax);
  std::vector<Tensor> parts;
  for (std::int64_t i = 0; i < kExperts; ++i) {
    const std::int64_t begin = std::min(i * share, length - share);
    parts.push_back(mlp(g, g.add(Slice{.axis = 1, .begin = begin, .end = begin + share}, {x}), kFeedForward));
  }
  const std::int64_t taken = kExperts * share;
  if (taken < length) parts.push_back(g.add(Slice{.axis = 1, .begin = taken, .end = length}, {x}));
  Tensor joined = g.concat(parts, 1);
  if (taken > length) joined = g.add(Slice{.axis = 1, .begin = 0, .end = length}, {joined});
  const Tensor chosen = g.add(Slice{.axis = 2, .begin = 0, .end = 1}, {chances});
  return g.add(Binary{Arithmetic::multiply}, {joined, chosen});
}

Tensor feed_forward(GraphBuilder& g, Tensor x, int layer) {
  const Tensor normed = g.layer_norm(x);
  const Tensor y = layer % 2 == 1 ? experts(g, normed) : mlp(g, normed, kFeedForward);
  return g.sum(x, g.dropout(y, kDropout));
}

// The decoder is the same stack with attention to the encoder's result in each layer.
Tensor stack(GraphBuilder& g, Tensor x, std::optional<Tensor> encoded) {
  const std::string name = encoded ? "decoder" : "encoder";
  g.scope(name + ".");
  const Tensor bias = position_bias(g, g.shape(x).at(1));
  x = g.dropout(x, kDropout);
  for (int i = 0; i < kLayers; ++i) {
    g.scope(name + std::to_string(i) + ".");
    x = attend(g, x, x, bias);
    if (encoded) x = attend(g, x, *encoded, {});
    x = feed_forward(g, x, i);
  }
  g.scope(name + ".");
  return g.dropout(g.layer_norm(x), kDropout);
}

Graph build_switch(const Sizes& sizes) {
  GraphBuilder g("switch-xl4");
  const Embedding table{kVocabulary, kHidden};
  const Tensor source = g.add(table, {g.tokens(sizes.batch, sizes.seq)}, "words");
  const Tensor encoded = stack(g, source, {});
  const Tensor target = g.add(table, {g.tokens(sizes.batch, sizes.seq)}, "words");
  const Tensor decoded = stack(g, target, encoded);
  g.scope("");
  Graph graph = g.finish(g.tied_linear(g.add(Scale{1.0 / 32}, {decoded}), source));  // 1 / sqrt(hidden)
  graph.nodes.at(static_cast<std::size_t>(target.id)).weight_of = source.id;
  return graph;
}

}  // namespace

std::vector<Network> plugin() {
  return {{.id = "switch-xl4",
           .summary = "Switch Transformer of XL width with 4 experts in every other layer",
           .reference = "Fedus et al. 2021, arXiv 2101.03961; configuration of NeuSight (arXiv 2407.13853)",
           .input = InputKind::tokens,
           .defaults = {.image = 0, .seq = 512, .classes = 0},
           .documented = {},
           .aliases = {"switchxl4"},
           .build = build_switch}};
}

}  // namespace sextant::nets::zoo_switch_transformer
