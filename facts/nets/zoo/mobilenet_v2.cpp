// MobileNetV2 (Sandler et al. 2018, arXiv 1801.04381): inverted residuals, that is, a block widens with
// a 1x1 convolution, filters each channel alone, and narrows again without an activation.
#include <array>

#include "layers.h"
#include "sextant/nets/network.h"

namespace sextant::nets::zoo_mobilenet_v2 {
namespace {

// Table 2 of the paper: expansion factor, channels, repetitions, first stride.
struct Row {
  std::int64_t expansion, channels;
  int repeats;
  std::int64_t stride;
};
constexpr std::array<Row, 7> kRows = {{{1, 16, 1, 1},
                                       {6, 24, 2, 2},
                                       {6, 32, 3, 2},
                                       {6, 64, 4, 2},
                                       {6, 96, 3, 1},
                                       {6, 160, 3, 2},
                                       {6, 320, 1, 1}}};

Tensor relu6(ImageNetBuilder& g, Tensor x) {
  return g.activation(x, Function::relu6);
}

Tensor inverted_residual(ImageNetBuilder& g, Tensor x, const Row& row, std::int64_t stride) {
  const std::int64_t wide = g.channels(x) * row.expansion;
  Tensor y = row.expansion == 1 ? x : relu6(g, g.conv_bn(x, wide, square(1)));
  y = relu6(g, g.depthwise_bn(y, 3, stride));
  y = g.conv_bn(y, row.channels, square(1));
  return stride == 1 && g.channels(x) == row.channels ? g.sum(x, y) : y;
}

Graph build_mobilenet(const Sizes& sizes) {
  ImageNetBuilder g("mobilenet-v2");
  Tensor x = g.image(sizes.batch, 3, sizes.image, sizes.image);
  x = relu6(g, g.conv_bn(x, 32, square(3), {.stride = square(2), .padding = pad_all(1)}));
  int block = 1;
  for (const Row& row : kRows) {
    for (int i = 0; i < row.repeats; ++i) {
      g.scope("features." + std::to_string(block++) + ".");
      x = inverted_residual(g, x, row, i == 0 ? row.stride : 1);
    }
  }
  g.scope("");
  x = relu6(g, g.conv_bn(x, 1280, square(1)));
  x = g.dropout(g.pool_to_vector(x), 0.2);
  return g.finish(g.linear(x, sizes.classes));
}

}  // namespace

std::vector<Network> plugin() {
  return {{.id = "mobilenet-v2",
           .summary = "inverted residuals with depthwise convolutions, for phones",
           .reference = "Sandler et al. 2018, arXiv 1801.04381; layout of torchvision",
           .defaults = {},
           .documented = Documented{3504872, 300774272, kTorchvisionTotals},
           .aliases = {"mobilenetv2"},
           .build = build_mobilenet}};
}

}  // namespace sextant::nets::zoo_mobilenet_v2
