// VGG (Simonyan & Zisserman 2014, arXiv 1409.1556, configurations A, B, D, E): 3x3 convolutions in five
// stages, each halved by max pooling; with and without batch normalisation. Layout of torchvision, whose
// normalised variants keep the biases of the convolutions.
#include <array>

#include "layers.h"
#include "sextant/nets/network.h"

namespace sextant::nets::zoo_vgg {
namespace {

enum class Norm { none, batch };

struct Variant {
  const char* id;
  std::array<int, 5> convolutions;  // per stage
  Norm norm;
  std::int64_t parameters;
  std::int64_t macs;
};

constexpr std::array<std::int64_t, 5> kChannels = {64, 128, 256, 512, 512};

Tensor stage(ImageNetBuilder& g, Tensor x, const Variant& v, std::size_t i) {
  for (int layer = 0; layer < v.convolutions[i]; ++layer) {
    x = g.conv(x, kChannels[i], square(3), {.padding = pad_all(1)});
    if (v.norm == Norm::batch) x = g.batch_norm(x);
    x = g.relu(x);
  }
  return g.max_pool(x, square(2), {.stride = square(2)});
}

Graph build_vgg(const Variant& v, const Sizes& sizes) {
  ImageNetBuilder g(v.id);
  Tensor x = g.image(sizes.batch, 3, sizes.image, sizes.image);
  g.scope("features.");
  for (std::size_t i = 0; i < kChannels.size(); ++i) x = stage(g, x, v, i);
  g.scope("classifier.");
  x = g.flatten(g.adaptive_pool(x, square(7)));
  for (int i = 0; i < 2; ++i) x = g.dropout(g.relu(g.linear(x, 4096)), 0.5);
  return g.finish(g.linear(x, sizes.classes));
}

constexpr std::array<Variant, 8> kVariants = {{
    {"vgg11", {1, 1, 2, 2, 2}, Norm::none, 132863336, 7609090048},
    {"vgg13", {2, 2, 2, 2, 2}, Norm::none, 133047848, 11308466176},
    {"vgg16", {2, 2, 3, 3, 3}, Norm::none, 138357544, 15470264320},
    {"vgg19", {2, 2, 4, 4, 4}, Norm::none, 143667240, 19632062464},
    {"vgg11-bn", {1, 1, 2, 2, 2}, Norm::batch, 132868840, 7609090048},
    {"vgg13-bn", {2, 2, 2, 2, 2}, Norm::batch, 133053736, 11308466176},
    {"vgg16-bn", {2, 2, 3, 3, 3}, Norm::batch, 138365992, 15470264320},
    {"vgg19-bn", {2, 2, 4, 4, 4}, Norm::batch, 143678248, 19632062464},
}};

}  // namespace

std::vector<Network> plugin() {
  std::vector<Network> family;
  for (const Variant& v : kVariants) {
    family.push_back({.id = v.id,
                      .summary = v.norm == Norm::batch ? "stages of 3x3 convolutions with batch normalisation"
                                                       : "stages of 3x3 convolutions, large linear layers",
                      .reference = "Simonyan & Zisserman 2014, arXiv 1409.1556; layout of torchvision",
                      .defaults = {.smallest_image = 32},
                      .documented = Documented{v.parameters, v.macs, kTorchvisionTotals},
                      .build = [v](const Sizes& sizes) { return build_vgg(v, sizes); }});
  }
  return family;
}

}  // namespace sextant::nets::zoo_vgg
