// GoogLeNet (Szegedy et al. 2014, arXiv 1409.4842) with batch normalisation, as in torchvision: the
// branch that the paper draws with 5x5 windows has 3x3 there, and so here. The two auxiliary classifiers
// are left out: they exist only in training, and torchvision's documented totals leave them out too.
#include "layers.h"
#include "sextant/nets/network.h"

namespace sextant::nets::zoo_googlenet {
namespace {

// Output channels of the four branches, and of the 1x1 convolutions before the second and third.
struct Module {
  const char* name;
  std::int64_t single;
  std::int64_t reduce_double, out_double;
  std::int64_t reduce_triple, out_triple;
  std::int64_t pool;
};

Tensor inception(ImageNetBuilder& g, Tensor x, const Module& m) {
  g.scope(std::string("inception") + m.name + ".");
  const ConvOptions same = {.padding = pad_all(1)};
  const Tensor one = g.conv_bn_relu(x, m.single, square(1));
  const Tensor two =
      g.conv_bn_relu(g.conv_bn_relu(x, m.reduce_double, square(1)), m.out_double, square(3), same);
  const Tensor three =
      g.conv_bn_relu(g.conv_bn_relu(x, m.reduce_triple, square(1)), m.out_triple, square(3), same);
  const Tensor pooled = g.max_pool(x, square(3), {.padding = pad_all(1), .ceil_mode = true});
  return g.concat({one, two, three, g.conv_bn_relu(pooled, m.pool, square(1))});
}

Tensor shrink(ImageNetBuilder& g, Tensor x, std::int64_t window) {
  g.scope("");
  return g.max_pool(x, square(window), {.stride = square(2), .ceil_mode = true});
}

Graph build_googlenet(const Sizes& sizes) {
  ImageNetBuilder g("googlenet");
  Tensor x = g.image(sizes.batch, 3, sizes.image, sizes.image);
  x = shrink(g, g.conv_bn_relu(x, 64, square(7), {.stride = square(2), .padding = pad_all(3)}), 3);
  x = g.conv_bn_relu(g.conv_bn_relu(x, 64, square(1)), 192, square(3), {.padding = pad_all(1)});
  x = shrink(g, x, 3);
  x = inception(g, x, {"3a", 64, 96, 128, 16, 32, 32});
  x = inception(g, x, {"3b", 128, 128, 192, 32, 96, 64});
  x = shrink(g, x, 3);
  x = inception(g, x, {"4a", 192, 96, 208, 16, 48, 64});
  x = inception(g, x, {"4b", 160, 112, 224, 24, 64, 64});
  x = inception(g, x, {"4c", 128, 128, 256, 24, 64, 64});
  x = inception(g, x, {"4d", 112, 144, 288, 32, 64, 64});
  x = inception(g, x, {"4e", 256, 160, 320, 32, 128, 128});
  x = shrink(g, x, 2);
  x = inception(g, x, {"5a", 256, 160, 320, 32, 128, 128});
  x = inception(g, x, {"5b", 384, 192, 384, 48, 128, 128});
  g.scope("");
  x = g.dropout(g.pool_to_vector(x), 0.2);
  return g.finish(g.linear(x, sizes.classes));
}

}  // namespace

std::vector<Network> plugin() {
  return {{.id = "googlenet",
           .summary = "Inception v1 with batch normalisation, without auxiliary classifiers",
           .reference = "Szegedy et al. 2014, arXiv 1409.4842; layout of torchvision",
           .defaults = {.smallest_image = 15},
           .documented = Documented{6624904, 1498376192, kTorchvisionTotals},
           .aliases = {"inception-v1"},
           .build = build_googlenet}};
}

}  // namespace sextant::nets::zoo_googlenet
