// DenseNet (Huang et al. 2016, arXiv 1608.06993), bottleneck variant with compression one half: each
// layer reads the concatenation of all earlier maps of its block and adds `growth` maps to it.
// Normalisation and activation come before the convolution. Layout of torchvision.
#include <array>

#include "layers.h"
#include "sextant/nets/network.h"

namespace sextant::nets::zoo_densenet {
namespace {

struct Variant {
  const char* id;
  std::int64_t stem;
  std::int64_t growth;
  std::array<int, 4> layers;  // per block
  std::int64_t parameters;
  std::int64_t macs;
};

Tensor norm_relu_conv(ImageNetBuilder& g, Tensor x, std::int64_t channels, std::int64_t kernel) {
  const ConvOptions options = {.padding = pad_all(kernel / 2), .bias = false};
  return g.conv(g.relu(g.batch_norm(x)), channels, square(kernel), options);
}

Tensor dense_block(ImageNetBuilder& g, Tensor x, int layers, std::int64_t growth) {
  std::vector<Tensor> maps = {x};
  for (int i = 0; i < layers; ++i) {
    const Tensor all = maps.size() == 1 ? x : g.concat(maps);
    const Tensor narrow = norm_relu_conv(g, all, 4 * growth, 1);
    maps.push_back(norm_relu_conv(g, narrow, growth, 3));
  }
  return g.concat(maps);
}

Graph build_densenet(const Variant& v, const Sizes& sizes) {
  ImageNetBuilder g(v.id);
  Tensor x = g.image(sizes.batch, 3, sizes.image, sizes.image);
  x = g.conv_bn_relu(x, v.stem, square(7), {.stride = square(2), .padding = pad_all(3)});
  x = g.max_pool(x, square(3), {.stride = square(2), .padding = pad_all(1)});
  for (std::size_t block = 0; block < v.layers.size(); ++block) {
    g.scope("denseblock" + std::to_string(block + 1) + ".");
    x = dense_block(g, x, v.layers[block], v.growth);
    if (block + 1 == v.layers.size()) break;
    g.scope("transition" + std::to_string(block + 1) + ".");
    x = g.avg_pool(norm_relu_conv(g, x, g.channels(x) / 2, 1), square(2), {.stride = square(2)});
  }
  g.scope("");
  x = g.pool_to_vector(g.relu(g.batch_norm(x)));
  return g.finish(g.linear(x, sizes.classes));
}

constexpr std::array<Variant, 4> kVariants = {{
    {"densenet121", 64, 32, {6, 12, 24, 16}, 7978856, 2834161664},
    {"densenet161", 96, 48, {6, 12, 36, 24}, 28681000, 7727907072},
    {"densenet169", 64, 32, {6, 12, 32, 32}, 14149480, 3359843328},
    {"densenet201", 64, 32, {6, 12, 48, 32}, 20013928, 4291365888},
}};

}  // namespace

std::vector<Network> plugin() {
  std::vector<Network> family;
  for (const Variant& v : kVariants) {
    family.push_back({.id = v.id,
                      .summary = "dense blocks: every layer reads all earlier maps",
                      .reference = "Huang et al. 2016, arXiv 1608.06993; layout of torchvision",
                      .defaults = {.smallest_image = 29},
                      .documented = Documented{v.parameters, v.macs, kTorchvisionTotals},
                      .build = [v](const Sizes& sizes) { return build_densenet(v, sizes); }});
  }
  return family;
}

}  // namespace sextant::nets::zoo_densenet
