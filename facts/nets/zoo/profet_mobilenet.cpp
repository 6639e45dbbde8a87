// MobileNetV2 as Keras lays it out (Sandler et al. 2018, arXiv 1801.04381): inverted residuals, with
// explicit zero padding before the depthwise convolutions that halve the map.
#include <array>

#include "profet_blocks.h"

namespace sextant::nets::zoo_profet_mobilenet {
namespace {

using namespace profet;

struct Stage {
  std::int64_t channels;
  int blocks;
  std::int64_t stride;  // of the first block
};

// After the first block, which does not expand.
constexpr std::array<Stage, 6> kStages = {
    {{24, 2, 2}, {32, 3, 2}, {64, 4, 2}, {96, 3, 1}, {160, 3, 2}, {320, 1, 1}}};
constexpr std::int64_t kExpansion = 6;

Tensor norm_relu6(KerasBuilder& g, Tensor x) {
  return g.activation(g.batch_norm(x), Function::relu6);
}

Tensor pointwise(KerasBuilder& g, Tensor x, std::int64_t channels) {
  return g.conv(x, channels, square(1), {.bias = false});
}

// With stride 2, one zero goes to the far side of an even extent, and one to each side of an odd one.
Tensor depthwise(KerasBuilder& g, Tensor x, std::int64_t stride) {
  const std::int64_t channels = g.channels(x);
  if (stride == 1) return g.same_conv(x, channels, square(3), {.groups = channels, .bias = false});
  const Shape& map = g.shape(x);
  const Padding padding = {map.at(2) % 2, 1, map.at(3) % 2, 1};
  x = g.add(ZeroPad{padding}, {x});
  return g.conv(x, channels, square(3), {.stride = square(stride), .groups = channels, .bias = false});
}

Tensor block(KerasBuilder& g, Tensor x, std::int64_t channels, std::int64_t stride) {
  Tensor y = norm_relu6(g, pointwise(g, x, kExpansion * g.channels(x)));
  y = norm_relu6(g, depthwise(g, y, stride));
  y = g.batch_norm(pointwise(g, y, channels));
  return g.shape(y) == g.shape(x) ? g.sum(x, y) : y;
}

Tensor mobilenet_v2(KerasBuilder& g, Tensor x, std::int64_t classes) {
  x = norm_relu6(g, g.same_conv(x, 32, square(3), {.stride = square(2), .bias = false}));
  x = g.batch_norm(pointwise(g, norm_relu6(g, depthwise(g, x, 1)), 16));
  for (const Stage& stage : kStages) {
    for (int i = 0; i < stage.blocks; ++i) x = block(g, x, stage.channels, i == 0 ? stage.stride : 1);
  }
  x = norm_relu6(g, pointwise(g, x, 1280));
  return g.classify(g.global_avg_pool(x), classes);
}

}  // namespace

std::vector<Network> plugin() {
  return {network({.name = "MobileNetV2",
                   .summary = "MobileNetV2, width 1.0, of keras.applications",
                   .smallest_image = 32,
                   .documented = Documented{3504872, 300774272,
                                            "Keras documentation: 3,538,984 less 34,112 moving statistics; "
                                            "MACs by hand count (published: 0.300 G)"}},
                  mobilenet_v2)};
}

}  // namespace sextant::nets::zoo_profet_mobilenet
