// EfficientNet B0 to B7 (Tan, Le 2019, arXiv 1905.11946): inverted residuals in which a small network weighs
// the channels (squeeze and excitation), made wider, deeper and larger in steps. Layout of torchvision,
// without stochastic depth, which skips whole branches in training. Image sizes are torchvision's too: B2
// reads 288 pixels there, 260 in the paper.
#include <array>
#include <cmath>

#include "layers.h"
#include "sextant/nets/network.h"

namespace sextant::nets::zoo_efficientnet {
namespace {

// Table 1 of the paper: expansion, channels, repetitions, first stride, window.
struct Row {
  std::int64_t expansion, channels;
  int repeats;
  std::int64_t stride, kernel;
};
constexpr std::array<Row, 7> kRows = {{{1, 16, 1, 1, 3},
                                       {6, 24, 2, 2, 3},
                                       {6, 40, 2, 2, 5},
                                       {6, 80, 3, 2, 3},
                                       {6, 112, 3, 1, 5},
                                       {6, 192, 4, 2, 5},
                                       {6, 320, 1, 1, 3}}};

struct Variant {
  const char* id;
  const char* alias;  // Keras's spelling
  double width, depth;
  std::int64_t image;
  double dropout;
  std::int64_t parameters;
};
constexpr std::array<Variant, 8> kVariants = {{
    {"efficientnet-b0", "efficientnetb0", 1.0, 1.0, 224, 0.2, 5288548},
    {"efficientnet-b1", "efficientnetb1", 1.0, 1.1, 240, 0.2, 7794184},
    {"efficientnet-b2", "efficientnetb2", 1.1, 1.2, 288, 0.3, 9109994},
    {"efficientnet-b3", "efficientnetb3", 1.2, 1.4, 300, 0.3, 12233232},
    {"efficientnet-b4", "efficientnetb4", 1.4, 1.8, 380, 0.4, 19341616},
    {"efficientnet-b5", "efficientnetb5", 1.6, 2.2, 456, 0.4, 30389784},
    {"efficientnet-b6", "efficientnetb6", 1.8, 2.6, 528, 0.5, 43040704},
    {"efficientnet-b7", "efficientnetb7", 2.0, 3.1, 600, 0.5, 66347960},
}};

Tensor silu(ImageNetBuilder& g, Tensor x) {
  return g.activation(x, Function::silu);
}

// Each channel times a number between 0 and 1 that follows from the means of all channels.
Tensor squeeze_excite(ImageNetBuilder& g, Tensor x, std::int64_t squeezed) {
  const Tensor means = g.adaptive_pool(x, square(1));
  const Tensor inner = silu(g, g.conv(means, squeezed, square(1)));
  const Tensor shares = g.activation(g.conv(inner, g.channels(x), square(1)), Function::sigmoid);
  return g.add(Binary{Arithmetic::multiply}, {x, shares});
}

Tensor inverted_residual(ImageNetBuilder& g, Tensor x, const Row& row) {
  const std::int64_t channels = g.channels(x);
  Tensor y = row.expansion == 1 ? x : silu(g, g.conv_bn(x, channels * row.expansion, square(1)));
  y = silu(g, g.depthwise_bn(y, row.kernel, row.stride));
  y = squeeze_excite(g, y, channels / 4);
  y = g.conv_bn(y, row.channels, square(1));
  return row.stride == 1 && channels == row.channels ? g.sum(y, x) : y;
}

Graph build_efficientnet(const Variant& v, const Sizes& sizes) {
  ImageNetBuilder g(v.id);
  Tensor x = g.image(sizes.batch, 3, sizes.image, sizes.image);
  x = silu(
      g, g.conv_bn(x, scaled_channels(32, v.width), square(3), {.stride = square(2), .padding = pad_all(1)}));
  for (std::size_t stage = 0; stage < kRows.size(); ++stage) {
    Row row = kRows[stage];
    row.channels = scaled_channels(row.channels, v.width);
    const int repeats = static_cast<int>(std::ceil(row.repeats * v.depth));
    for (int i = 0; i < repeats; ++i) {
      g.scope("stage" + std::to_string(stage + 1) + "." + std::to_string(i) + ".");
      x = inverted_residual(g, x, row);
      row.stride = 1;
    }
  }
  g.scope("");
  x = silu(g, g.conv_bn(x, 4 * g.channels(x), square(1)));
  return g.finish(g.linear(g.dropout(g.pool_to_vector(x), v.dropout), sizes.classes));
}

}  // namespace

std::vector<Network> plugin() {
  std::vector<Network> family;
  for (const Variant& v : kVariants) {
    family.push_back(
        {.id = v.id,
         .summary = "inverted residuals with squeeze and excitation, scaled in width, depth and image",
         .reference = "Tan, Le 2019, arXiv 1905.11946; layout of torchvision",
         .defaults = {.image = v.image},
         .documented = Documented{v.parameters, 0, kTorchvisionParameters},
         .aliases = {v.alias},
         .build = [v](const Sizes& sizes) { return build_efficientnet(v, sizes); }});
  }
  return family;
}

}  // namespace sextant::nets::zoo_efficientnet
