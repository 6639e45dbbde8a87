// PROFET's ResNetSmall: a 7x7 stem, then four residual blocks whose convolutions are all 1x1; every
// other block halves the map. The stem's ReLU precedes its batch norm.
#include "profet_blocks.h"

namespace sextant::nets::zoo_profet_resnet_small {
namespace {

using namespace profet;

Tensor pointwise_norm(KerasBuilder& g, Tensor x, std::int64_t channels, Extent stride) {
  return g.batch_norm(g.conv(x, channels, square(1), {.stride = stride}));
}

Tensor block(KerasBuilder& g, Tensor x, std::int64_t channels, Extent stride) {
  const Tensor shortcut = stride == square(1) ? x : pointwise_norm(g, x, channels, stride);
  Tensor residual = g.relu(pointwise_norm(g, x, channels, stride));
  residual = pointwise_norm(g, residual, channels, square(1));
  return g.relu(g.sum(shortcut, residual));
}

Tensor resnet_small(KerasBuilder& g, Tensor x, std::int64_t classes) {
  x = g.batch_norm(g.same_conv(x, 64, square(7), {.stride = square(2), .activation = Function::relu}));
  x = g.same_max_pool(x, square(3), square(2));
  for (const std::int64_t channels : {64, 128}) {
    x = block(g, x, channels, square(2));
    x = block(g, x, channels, square(1));
  }
  return g.classify(g.global_avg_pool(x), classes);
}

}  // namespace

std::vector<Network> plugin() {
  return {network({.name = "ResNetSmall", .summary = "small residual network of 1x1 convolutions"},
                  resnet_small)};
}

}  // namespace sextant::nets::zoo_profet_resnet_small
