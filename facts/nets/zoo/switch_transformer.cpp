// Switch Transformer (Fedus et al. 2021, arXiv 2101.03961): a T5 encoder-decoder in which every other
// feed-forward layer sends each token to one of several experts. The graph assumes perfect balance:
// expert i gets the i-th block of tokens, up to its capacity; what is left over passes unchanged.
// Layer norm stands in for T5's root-mean-square norm (a bias of `hidden` more, the same traffic).
#include <algorithm>

#include "sextant/nets/network.h"
#include "t5_blocks.h"

namespace sextant::nets::zoo_switch_transformer {
namespace {

using namespace transformer;

constexpr T5Layout kLayout = {
    .id = "switch-xl4", .hidden = 1024, .heads = 32, .head_size = 128, .layers = 24};
constexpr std::int64_t kExperts = 4;
constexpr std::int64_t kCapacity = 64;  // tokens of one sequence that one expert takes

constexpr MlpOptions kFeedForward = {.inner = 16384, .activation = Function::relu, .bias = false};

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

// Of one layer, after its norm.
Tensor feed_forward(GraphBuilder& g, Tensor normed, int layer) {
  return layer % 2 == 1 ? experts(g, normed) : mlp(g, normed, kFeedForward);
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
           .build = [](const Sizes& sizes) { return build_t5(kLayout, feed_forward, sizes); }}};
}

}  // namespace sextant::nets::zoo_switch_transformer
