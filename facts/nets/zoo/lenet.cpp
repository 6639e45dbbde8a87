// LeNet-5 (LeCun, Bottou, Bengio, Haffner 1998, "Gradient-based learning applied to document
// recognition"), as it is taught today: every map of the second convolution sees all six maps, pooling
// has no weights, the last layer is linear. One grey channel of 28 pixels, padded to the paper's 32.
#include "sextant/nets/builder.h"
#include "sextant/nets/network.h"

namespace sextant::nets::zoo_lenet {
namespace {

Tensor conv_pool(GraphBuilder& g, Tensor x, std::int64_t channels, Padding padding) {
  x = g.activation(g.conv(x, channels, square(5), {.padding = padding}), Function::tanh);
  return g.avg_pool(x, square(2), {.stride = square(2)});
}

Graph build_lenet(const Sizes& sizes) {
  GraphBuilder g("lenet5");
  Tensor x = g.image(sizes.batch, 1, sizes.image, sizes.image);
  x = conv_pool(g, x, 6, pad_all(2));
  x = conv_pool(g, x, 16, {});
  x = g.flatten(x);
  for (const std::int64_t width : {120, 84}) x = g.activation(g.linear(x, width), Function::tanh);
  return g.finish(g.linear(x, sizes.classes));
}

}  // namespace

std::vector<Network> plugin() {
  // 156 + 2,416 + 48,120 + 10,164 + 850 parameters.
  return {{.id = "lenet5",
           .summary = "the classic for handwritten digits; reads one grey channel",
           .reference = "LeCun et al. 1998, doi 10.1109/5.726791",
           .defaults = {.image = 28, .classes = 10, .smallest_image = 12},
           .documented = Documented{61706, 416520, "counted by hand from the paper's layer table"},
           .aliases = {"lenet-5", "lenet"},
           .build = build_lenet}};
}

}  // namespace sextant::nets::zoo_lenet
