// SqueezeNet (Iandola et al. 2016, arXiv 1602.07360): fire modules squeeze with 1x1 convolutions and
// expand with 1x1 and 3x3 side by side; the classifier is a convolution. Layout of torchvision.
#include <algorithm>
#include <array>

#include "layers.h"
#include "sextant/nets/network.h"

namespace sextant::nets::zoo_squeezenet {
namespace {

struct Variant {
  const char* id;
  std::int64_t stem;
  std::int64_t stem_kernel;
  std::array<int, 3> pools_before;  // fire modules that max pooling precedes
  std::int64_t parameters;
  std::int64_t macs;
  std::int64_t smallest_image;
};

constexpr std::array<std::int64_t, 8> kSqueeze = {16, 16, 32, 32, 48, 48, 64, 64};

Tensor fire(ImageNetBuilder& g, Tensor x, std::int64_t squeeze) {
  x = g.relu(g.conv(x, squeeze, square(1)));
  const Tensor narrow = g.relu(g.conv(x, 4 * squeeze, square(1)));
  const Tensor wide = g.relu(g.conv(x, 4 * squeeze, square(3), {.padding = pad_all(1)}));
  return g.concat({narrow, wide});
}

Graph build_squeezenet(const Variant& v, const Sizes& sizes) {
  ImageNetBuilder g(v.id);
  Tensor x = g.image(sizes.batch, 3, sizes.image, sizes.image);
  x = g.relu(g.conv(x, v.stem, square(v.stem_kernel), {.stride = square(2)}));
  for (int i = 0; i < static_cast<int>(kSqueeze.size()); ++i) {
    g.scope("fire" + std::to_string(i + 2) + ".");  // the paper counts the stem as 1
    if (std::ranges::find(v.pools_before, i) != v.pools_before.end()) {
      x = g.max_pool(x, square(3), {.stride = square(2), .ceil_mode = true});
    }
    x = fire(g, x, kSqueeze[static_cast<std::size_t>(i)]);
  }
  g.scope("classifier.");
  x = g.relu(g.conv(g.dropout(x, 0.5), sizes.classes, square(1)));
  return g.finish(g.pool_to_vector(x));
}

constexpr std::array<Variant, 2> kVariants = {{
    {"squeezenet1-0", 96, 7, {0, 3, 7}, 1248424, 818924576, 21},
    {"squeezenet1-1", 64, 3, {0, 2, 4}, 1235496, 349151936, 17},
}};

}  // namespace

std::vector<Network> plugin() {
  std::vector<Network> family;
  for (const Variant& v : kVariants) {
    family.push_back({.id = v.id,
                      .summary = "fire modules: few parameters, no linear layer",
                      .reference = "Iandola et al. 2016, arXiv 1602.07360; layout of torchvision",
                      .defaults = {.smallest_image = v.smallest_image},
                      .documented = Documented{v.parameters, v.macs, kTorchvisionTotals},
                      .build = [v](const Sizes& sizes) { return build_squeezenet(v, sizes); }});
  }
  return family;
}

}  // namespace sextant::nets::zoo_squeezenet
