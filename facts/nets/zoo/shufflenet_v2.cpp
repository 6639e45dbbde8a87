// ShuffleNet v2 (Ma et al. 2018, arXiv 1807.11164): a block works on one half of the channels, and a
// shuffle mixes the halves afterwards. Layout of torchvision.
#include <array>

#include "layers.h"
#include "sextant/nets/network.h"

namespace sextant::nets::zoo_shufflenet_v2 {
namespace {

struct Variant {
  const char* id;
  std::array<std::int64_t, 3> channels;  // per stage
  std::int64_t last;
  std::int64_t parameters;
  std::int64_t macs;
};

Tensor branch(ImageNetBuilder& g, Tensor x, std::int64_t channels, std::int64_t stride) {
  x = g.conv_bn_relu(x, channels, square(1));
  return g.conv_bn_relu(g.depthwise_bn(x, 3, stride), channels, square(1));
}

// Channels of two halves interleaved: a copy, by way of a five-dimensional view.
Tensor shuffle(ImageNetBuilder& g, Tensor x) {
  const Shape flat = g.shape(x);
  x = g.add(Reshape{{flat[0], 2, flat[1] / 2, flat[2], flat[3]}}, {x});
  x = g.add(Transpose{{0, 2, 1, 3, 4}}, {x});
  return g.add(Reshape{flat}, {x});
}

Tensor down_block(ImageNetBuilder& g, Tensor x, std::int64_t channels) {
  const Tensor left = g.conv_bn_relu(g.depthwise_bn(x, 3, 2), channels / 2, square(1));
  return shuffle(g, g.concat({left, branch(g, x, channels / 2, 2)}));
}

Tensor block(ImageNetBuilder& g, Tensor x) {
  const std::int64_t channels = g.channels(x);
  const Tensor kept = g.add(Slice{1, 0, channels / 2}, {x});
  const Tensor worked = g.add(Slice{1, channels / 2, channels}, {x});
  return shuffle(g, g.concat({kept, branch(g, worked, channels / 2, 1)}));
}

Graph build_shufflenet(const Variant& v, const Sizes& sizes) {
  constexpr std::array<int, 3> kRepeats = {4, 8, 4};
  ImageNetBuilder g(v.id);
  Tensor x = g.image(sizes.batch, 3, sizes.image, sizes.image);
  x = g.conv_bn_relu(x, 24, square(3), {.stride = square(2), .padding = pad_all(1)});
  x = g.max_pool(x, square(3), {.stride = square(2), .padding = pad_all(1)});
  for (std::size_t stage = 0; stage < kRepeats.size(); ++stage) {
    for (int i = 0; i < kRepeats[stage]; ++i) {
      g.scope("stage" + std::to_string(stage + 2) + "." + std::to_string(i) + ".");
      x = i == 0 ? down_block(g, x, v.channels[stage]) : block(g, x);
    }
  }
  g.scope("");
  x = g.pool_to_vector(g.conv_bn_relu(x, v.last, square(1)));
  return g.finish(g.linear(x, sizes.classes));
}

constexpr std::array<Variant, 4> kVariants = {{
    {"shufflenet-v2-x0-5", {48, 96, 192}, 1024, 1366792, 40476448},
    {"shufflenet-v2-x1-0", {116, 232, 464}, 1024, 2278604, 144907992},
    {"shufflenet-v2-x1-5", {176, 352, 704}, 1024, 3503624, 295759392},
    {"shufflenet-v2-x2-0", {244, 488, 976}, 2048, 7393996, 583253464},
}};

}  // namespace

std::vector<Network> plugin() {
  std::vector<Network> family;
  for (const Variant& v : kVariants) {
    family.push_back({.id = v.id,
                      .summary = "channel split and shuffle with depthwise convolutions",
                      .reference = "Ma et al. 2018, arXiv 1807.11164; layout of torchvision",
                      .defaults = {},
                      .documented = Documented{v.parameters, v.macs, kTorchvisionTotals},
                      .build = [v](const Sizes& sizes) { return build_shufflenet(v, sizes); }});
  }
  return family;
}

}  // namespace sextant::nets::zoo_shufflenet_v2
