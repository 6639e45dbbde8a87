// MNASNet B1 (Tan et al. 2018, arXiv 1807.11626): inverted residuals whose window, expansion and depth
// were found by search; the number in the name multiplies the channels. Layout of torchvision.
#include <array>

#include "layers.h"
#include "sextant/nets/network.h"

namespace sextant::nets::zoo_mnasnet {
namespace {

struct Variant {
  const char* id;
  double width;
  std::int64_t parameters;
  std::int64_t macs;
};

struct Stack {
  std::int64_t channels, kernel, stride, expansion;
  int repeats;
};
constexpr std::array<Stack, 6> kStacks = {{{24, 3, 2, 3, 3},
                                           {40, 5, 2, 3, 3},
                                           {80, 5, 2, 6, 3},
                                           {96, 3, 1, 6, 2},
                                           {192, 5, 2, 6, 4},
                                           {320, 3, 1, 6, 1}}};

Tensor inverted_residual(ImageNetBuilder& g, Tensor x, const Stack& s) {
  const std::int64_t wide = g.channels(x) * s.expansion;
  Tensor y = g.conv_bn_relu(x, wide, square(1));
  y = g.relu(g.depthwise_bn(y, s.kernel, s.stride));
  y = g.conv_bn(y, s.channels, square(1));
  return s.stride == 1 && g.channels(x) == s.channels ? g.sum(y, x) : y;
}

Tensor stem(ImageNetBuilder& g, Tensor x, double width) {
  x = g.conv_bn_relu(x, scaled_channels(32, width), square(3), {.stride = square(2), .padding = pad_all(1)});
  x = g.relu(g.depthwise_bn(x, 3, 1));
  return g.conv_bn(x, scaled_channels(16, width), square(1));
}

Graph build_mnasnet(const Variant& v, const Sizes& sizes) {
  ImageNetBuilder g(v.id);
  Tensor x = stem(g, g.image(sizes.batch, 3, sizes.image, sizes.image), v.width);
  for (std::size_t stack = 0; stack < kStacks.size(); ++stack) {
    Stack s = kStacks[stack];
    s.channels = scaled_channels(s.channels, v.width);
    for (int i = 0; i < s.repeats; ++i) {
      g.scope("stack" + std::to_string(stack + 1) + "." + std::to_string(i) + ".");
      x = inverted_residual(g, x, s);
      s.stride = 1;
    }
  }
  g.scope("");
  x = g.pool_to_vector(g.conv_bn_relu(x, 1280, square(1)));
  return g.finish(g.linear(g.dropout(x, 0.2), sizes.classes));
}

constexpr std::array<Variant, 4> kVariants = {{
    {"mnasnet0-5", 0.5, 2218512, 104455968},
    {"mnasnet0-75", 0.75, 3170208, 215493104},
    {"mnasnet1-0", 1.0, 4383312, 314415872},
    {"mnasnet1-3", 1.3, 6282256, 526362432},
}};

}  // namespace

std::vector<Network> plugin() {
  std::vector<Network> family;
  for (const Variant& v : kVariants) {
    family.push_back({.id = v.id,
                      .summary = "inverted residuals found by architecture search",
                      .reference = "Tan et al. 2018, arXiv 1807.11626; layout of torchvision",
                      .defaults = {},
                      .documented = Documented{v.parameters, v.macs, kTorchvisionTotals},
                      .build = [v](const Sizes& sizes) { return build_mnasnet(v, sizes); }});
  }
  return family;
}

}  // namespace sextant::nets::zoo_mnasnet
