// ConvNeXt (Liu et al. 2022, arXiv 2201.03545): a ResNet brought close to a transformer, with 7x7 depthwise
// convolutions, layer norm over channels and MLPs at each pixel. Layout of torchvision, without stochastic
// depth, which skips whole branches in training.
#include <array>

#include "layers.h"
#include "sextant/nets/network.h"
#include "transformer_blocks.h"

namespace sextant::nets::zoo_convnext {
namespace {

struct Variant {
  const char* id;
  std::array<std::int64_t, 4> channels;
  std::array<int, 4> blocks;
  std::int64_t parameters;
};
constexpr std::array<Variant, 4> kVariants = {{
    {"convnext-tiny", {96, 192, 384, 768}, {3, 3, 9, 3}, 28589128},
    {"convnext-small", {96, 192, 384, 768}, {3, 3, 27, 3}, 50223688},
    {"convnext-base", {128, 256, 512, 1024}, {3, 3, 27, 3}, 88591464},
    {"convnext-large", {192, 384, 768, 1536}, {3, 3, 27, 3}, 197767336},
}};

Tensor channels_last(GraphBuilder& g, Tensor x) {
  return g.add(Transpose{{0, 2, 3, 1}}, {x});
}

Tensor channels_first(GraphBuilder& g, Tensor x) {
  return g.add(Transpose{{0, 3, 1, 2}}, {x});
}

Tensor norm_channels(GraphBuilder& g, Tensor x) {
  return channels_first(g, g.layer_norm(channels_last(g, x)));
}

Tensor block(ImageNetBuilder& g, Tensor x) {
  const std::int64_t channels = g.channels(x);
  Tensor y = g.conv(x, channels, square(7), {.padding = pad_all(3), .groups = channels});
  y = g.layer_norm(channels_last(g, y));
  y = channels_first(g, transformer::mlp(g, y, {.inner = 4 * channels}));
  const Tensor factors = g.add(Parameter{{channels, 1, 1}}, {}, "layer_scale");
  return g.sum(g.add(Binary{Arithmetic::multiply}, {y, factors}), x);
}

Graph build_convnext(const Variant& v, const Sizes& sizes) {
  ImageNetBuilder g(v.id);
  Tensor x = g.image(sizes.batch, 3, sizes.image, sizes.image);
  for (std::size_t stage = 0; stage < v.channels.size(); ++stage) {
    g.scope("stage" + std::to_string(stage + 1) + ".");
    x = stage == 0 ? norm_channels(g, g.conv(x, v.channels[0], square(4), {.stride = square(4)}))
                   : g.conv(norm_channels(g, x), v.channels.at(stage), square(2), {.stride = square(2)});
    for (int i = 0; i < v.blocks.at(stage); ++i) {
      g.scope("stage" + std::to_string(stage + 1) + "." + std::to_string(i) + ".");
      x = block(g, x);
    }
  }
  g.scope("");
  x = g.layer_norm(g.pool_to_vector(x));
  return g.finish(g.linear(x, sizes.classes));
}

}  // namespace

std::vector<Network> plugin() {
  std::vector<Network> family;
  for (const Variant& v : kVariants) {
    family.push_back({.id = v.id,
                      .summary = "large depthwise windows and MLPs at each pixel, with layer norm",
                      .reference = "Liu et al. 2022, arXiv 2201.03545; layout of torchvision",
                      .defaults = {.smallest_image = 32},
                      .documented = Documented{v.parameters, 0, kTorchvisionParameters},
                      .build = [v](const Sizes& sizes) { return build_convnext(v, sizes); }});
  }
  return family;
}

}  // namespace sextant::nets::zoo_convnext
