// Residual networks: He et al. 2015 (arXiv 1512.03385), with the stride in the 3x3 convolution as in
// torchvision; ResNeXt (Xie et al. 2016, 1611.05431) and wide variants (Zagoruyko & Komodakis 2016,
// 1605.07146) differ only in groups and in the width of the bottleneck.
#include <array>

#include "layers.h"
#include "sextant/nets/network.h"

namespace sextant::nets::zoo_resnet {
namespace {

struct Variant {
  const char* id;
  std::array<int, 4> blocks;
  bool bottleneck;
  std::int64_t groups;
  std::int64_t width_per_group;
  std::int64_t parameters;
  std::int64_t macs;
};

struct Step {
  std::int64_t channels;  // of the stage, before the bottleneck's factor 4
  Extent stride;
};

Tensor basic_branch(ImageNetBuilder& g, Tensor x, Step step) {
  x = g.conv_bn_relu(x, step.channels, square(3), {.stride = step.stride, .padding = pad_all(1)});
  return g.conv_bn(x, step.channels, square(3), {.padding = pad_all(1)});
}

Tensor bottleneck_branch(ImageNetBuilder& g, Tensor x, Step step, const Variant& v) {
  const std::int64_t width = step.channels * v.width_per_group / 64 * v.groups;
  x = g.conv_bn_relu(x, width, square(1));
  x = g.conv_bn_relu(x, width, square(3), {.stride = step.stride, .padding = pad_all(1), .groups = v.groups});
  return g.conv_bn(x, 4 * step.channels, square(1));
}

Tensor block(ImageNetBuilder& g, Tensor x, Step step, const Variant& v) {
  const Tensor branch = v.bottleneck ? bottleneck_branch(g, x, step, v) : basic_branch(g, x, step);
  const bool reshaped = g.shape(branch) != g.shape(x);
  const Tensor shortcut = reshaped ? g.conv_bn(x, g.channels(branch), square(1), {.stride = step.stride}) : x;
  return g.relu(g.sum(branch, shortcut));
}

Graph build_resnet(const Variant& v, const Sizes& sizes) {
  ImageNetBuilder g(v.id);
  Tensor x = g.image(sizes.batch, 3, sizes.image, sizes.image);
  x = g.conv_bn_relu(x, 64, square(7), {.stride = square(2), .padding = pad_all(3)});
  x = g.max_pool(x, square(3), {.stride = square(2), .padding = pad_all(1)});
  for (std::size_t stage = 0; stage < v.blocks.size(); ++stage) {
    for (int i = 0; i < v.blocks[stage]; ++i) {
      g.scope("layer" + std::to_string(stage + 1) + "." + std::to_string(i) + ".");
      const Extent stride = square(i == 0 && stage > 0 ? 2 : 1);
      x = block(g, x, {std::int64_t{64} << stage, stride}, v);
    }
  }
  g.scope("");
  return g.finish(g.linear(g.pool_to_vector(x), sizes.classes));
}

constexpr std::array<Variant, 9> kVariants = {{
    {"resnet18", {2, 2, 2, 2}, false, 1, 64, 11689512, 1814073344},
    {"resnet34", {3, 4, 6, 3}, false, 1, 64, 21797672, 3663761408},
    {"resnet50", {3, 4, 6, 3}, true, 1, 64, 25557032, 4089184256},
    {"resnet101", {3, 4, 23, 3}, true, 1, 64, 44549160, 7801405440},
    {"resnet152", {3, 8, 36, 3}, true, 1, 64, 60192808, 11513626624},
    {"resnext50-32x4d", {3, 4, 6, 3}, true, 32, 4, 25028904, 4230479872},
    {"resnext101-32x8d", {3, 4, 23, 3}, true, 32, 8, 88791336, 16414015488},
    {"wide-resnet50-2", {3, 4, 6, 3}, true, 1, 128, 68883240, 11398021120},
    {"wide-resnet101-2", {3, 4, 23, 3}, true, 1, 128, 126886696, 22753050624},
}};

const char* summary(const Variant& v) {
  if (v.groups > 1) return "residual network with grouped convolutions (ResNeXt)";
  return v.width_per_group > 64 ? "residual network with wide bottlenecks" : "residual network";
}

const char* reference(const Variant& v) {
  if (v.groups > 1) return "Xie et al. 2016, arXiv 1611.05431; layout of torchvision";
  return v.width_per_group > 64 ? "Zagoruyko & Komodakis 2016, arXiv 1605.07146; layout of torchvision"
                                : "He et al. 2015, arXiv 1512.03385; layout of torchvision";
}

}  // namespace

std::vector<Network> plugin() {
  std::vector<Network> family;
  for (const Variant& v : kVariants) {
    family.push_back({.id = v.id,
                      .summary = summary(v),
                      .reference = reference(v),
                      .defaults = {},
                      .documented = Documented{v.parameters, v.macs, kTorchvisionTotals},
                      .build = [v](const Sizes& sizes) { return build_resnet(v, sizes); }});
  }
  return family;
}

}  // namespace sextant::nets::zoo_resnet
