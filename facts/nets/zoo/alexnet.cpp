// AlexNet in its one-tower form: Krizhevsky 2014, "One weird trick for parallelizing convolutional
// neural networks" (arXiv 1404.5997), without local response normalisation, as in torchvision.
#include "layers.h"
#include "sextant/nets/network.h"

namespace sextant::nets::zoo_alexnet {
namespace {

Tensor shrink(ImageNetBuilder& g, Tensor x) {
  return g.max_pool(x, square(3), {.stride = square(2)});
}

Graph build_alexnet(const Sizes& sizes) {
  ImageNetBuilder g("alexnet");
  Tensor x = g.image(sizes.batch, 3, sizes.image, sizes.image);
  g.scope("features.");
  x = shrink(g, g.relu(g.conv(x, 64, square(11), {.stride = square(4), .padding = pad_all(2)})));
  x = shrink(g, g.relu(g.conv(x, 192, square(5), {.padding = pad_all(2)})));
  for (const std::int64_t channels : {384, 256, 256}) {
    x = g.relu(g.conv(x, channels, square(3), {.padding = pad_all(1)}));
  }
  x = shrink(g, x);
  g.scope("classifier.");
  x = g.flatten(g.adaptive_pool(x, square(6)));
  for (int i = 0; i < 2; ++i) x = g.relu(g.linear(g.dropout(x, 0.5), 4096));
  return g.finish(g.linear(x, sizes.classes));
}

}  // namespace

std::vector<Network> plugin() {
  return {{.id = "alexnet",
           .summary = "AlexNet in one tower: five convolutions, three large linear layers",
           .reference = "Krizhevsky 2014, arXiv 1404.5997; layout of torchvision",
           .defaults = {.smallest_image = 63},
           .documented = Documented{61100840, 714188480, kTorchvisionTotals},
           .build = build_alexnet}};
}

}  // namespace sextant::nets::zoo_alexnet
