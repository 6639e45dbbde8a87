// PROFET's AlexNet, which is not Krizhevsky's: the 11x11 convolution has stride 1, batch norm stands
// after every layer, the classes included, and the last three maps are zero-padded before convolutions
// that pad already. At 224 pixels it needs 29 GMAC and 0.84 billion parameters.
#include "profet_blocks.h"

namespace sextant::nets::zoo_profet_alexnet {
namespace {

using namespace profet;

Tensor norm_relu(KerasBuilder& g, Tensor x) {
  return g.relu(g.batch_norm(x));
}

Tensor padded_conv(KerasBuilder& g, Tensor x, std::int64_t channels) {
  x = g.add(ZeroPad{pad_all(1)}, {x});
  return norm_relu(g, g.same_conv(x, channels, square(3)));
}

Tensor alexnet(KerasBuilder& g, Tensor x, std::int64_t classes) {
  x = g.halve(norm_relu(g, g.same_conv(x, 96, square(11))));
  x = g.halve(norm_relu(g, g.same_conv(x, 256, square(5))));
  x = g.halve(padded_conv(g, x, 512));
  x = padded_conv(g, x, 1024);
  x = g.halve(padded_conv(g, x, 1024));
  x = g.flatten(x);
  for (const std::int64_t units : {3072, 4096}) x = g.dropout(norm_relu(g, g.linear(x, units)), 0.5);
  return g.activation(g.batch_norm(g.linear(x, classes)), Function::softmax);
}

}  // namespace

std::vector<Network> plugin() {
  return {network({.name = "AlexNet",
                   .summary = "wide stride-1 variant of AlexNet with batch norm (29 GMAC at 224 pixels)",
                   .smallest_image = 4},
                  alexnet)};
}

}  // namespace sextant::nets::zoo_profet_alexnet
