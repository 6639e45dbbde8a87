// The smallest network: one convolution and a classifier. A test drops this file into facts/nets/zoo.
#include "sextant/nets/builder.h"
#include "sextant/nets/network.h"

namespace sextant::nets::zoo_my_tiny {

std::vector<Network> plugin() {
  const auto build = [](const Sizes& sizes) {
    GraphBuilder g("my-tiny");
    const Tensor image = g.image(sizes.batch, 3, sizes.image, sizes.image);
    const Tensor features = g.relu(g.conv(image, 8, square(3)));
    return g.finish(g.linear(g.flatten(g.adaptive_pool(features, square(1))), sizes.classes));
  };
  return {{.id = "my-tiny",
           .summary = "one convolution and a classifier",
           .reference = "none",
           .defaults = {.image = 32, .classes = 10, .smallest_image = 3},
           .build = build}};
}

}  // namespace sextant::nets::zoo_my_tiny
