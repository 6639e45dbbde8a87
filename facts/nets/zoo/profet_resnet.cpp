// PROFET's residual networks 18, 34 and 50: pre-activation blocks (He et al. 2016, arXiv 1603.05027)
// with a bias on every convolution, a bare 1x1 projection, and the stride on a block's first
// convolution. Training adds an L2 penalty of 1e-4 on convolution kernels, which is not in the graph.
#include <array>

#include "profet_blocks.h"

namespace sextant::nets::zoo_profet_resnet {
namespace {

using namespace profet;

struct Variant {
  const char* name;
  std::array<int, 4> blocks;
  bool bottleneck;
};

constexpr std::array<Variant, 3> kVariants = {{
    {"ResNet18", {2, 2, 2, 2}, false},
    {"ResNet34", {3, 4, 6, 3}, false},
    {"ResNet50", {3, 4, 6, 3}, true},
}};

Tensor norm_relu(KerasBuilder& g, Tensor x) {
  return g.relu(g.batch_norm(x));
}

struct Block {
  std::int64_t channels;
  Extent stride;
  bool bottleneck;
  bool first;  // the very first block follows the stem's ReLU and has none of its own
};

// The convolutions of a block after its first batch norm and ReLU.
Tensor branch(KerasBuilder& g, Tensor x, const Block& block) {
  if (!block.bottleneck) {
    x = norm_relu(g, g.same_conv(x, block.channels, square(3), {.stride = block.stride}));
    return g.same_conv(x, block.channels, square(3));
  }
  x = norm_relu(g, g.same_conv(x, block.channels, square(1), {.stride = block.stride}));
  x = norm_relu(g, g.same_conv(x, block.channels, square(3)));
  return g.same_conv(x, 4 * block.channels, square(1));
}

Tensor add_block(KerasBuilder& g, Tensor x, const Block& block) {
  const Tensor residual = branch(g, block.first ? x : norm_relu(g, x), block);
  const bool reshaped = g.shape(residual) != g.shape(x);
  const Tensor shortcut = reshaped ? g.conv(x, g.channels(residual), square(1), {.stride = block.stride}) : x;
  return g.sum(shortcut, residual);
}

Tensor resnet(const Variant& v, KerasBuilder& g, Tensor x, std::int64_t classes) {
  x = norm_relu(g, g.same_conv(x, 64, square(7), {.stride = square(2)}));
  x = g.same_max_pool(x, square(3), square(2));
  for (std::size_t stage = 0; stage < v.blocks.size(); ++stage) {
    for (int i = 0; i < v.blocks[stage]; ++i) {
      g.scope("stage" + std::to_string(stage + 1) + "." + std::to_string(i) + ".");
      x = add_block(g, x,
                    {.channels = std::int64_t{64} << stage,
                     .stride = square(stage > 0 && i == 0 ? 2 : 1),
                     .bottleneck = v.bottleneck,
                     .first = stage == 0 && i == 0});
    }
  }
  g.scope("");
  x = norm_relu(g, x);
  const Extent whole_map = {g.shape(x).at(2), g.shape(x).at(3)};
  return g.classify(g.flatten(g.avg_pool(x, whole_map, {})), classes);
}

}  // namespace

std::vector<Network> plugin() {
  std::vector<Network> family;
  for (const Variant& v : kVariants) {
    family.push_back(
        network({.name = v.name,
                 .summary = "pre-activation residual network, biased convolutions (timed with L2 penalty)"},
                [v](KerasBuilder& g, Tensor x, std::int64_t classes) { return resnet(v, g, x, classes); }));
  }
  return family;
}

}  // namespace sextant::nets::zoo_profet_resnet
