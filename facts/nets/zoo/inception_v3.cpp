// Inception v3 (Szegedy et al. 2015, arXiv 1512.00567), layout of torchvision, without the auxiliary
// classifier that exists only in training. Module letters are those of torchvision.
#include "layers.h"
#include "sextant/nets/network.h"

namespace sextant::nets::zoo_inception_v3 {
namespace {

constexpr Extent kWide3 = {1, 3};
constexpr Extent kTall3 = {3, 1};
constexpr Extent kWide7 = {1, 7};
constexpr Extent kTall7 = {7, 1};

struct Step {
  std::int64_t channels;
  Extent kernel;
};

Tensor same(ImageNetBuilder& g, Tensor x, Step step) {
  const std::int64_t rows = step.kernel.height / 2;
  const std::int64_t columns = step.kernel.width / 2;
  return g.conv_bn_relu(x, step.channels, step.kernel, {.padding = {rows, rows, columns, columns}});
}

Tensor chain(ImageNetBuilder& g, Tensor x, const std::vector<Step>& steps) {
  for (const Step& step : steps) x = same(g, x, step);
  return x;
}

Tensor halve(ImageNetBuilder& g, Tensor x, std::int64_t channels) {
  return g.conv_bn_relu(x, channels, square(3), {.stride = square(2)});
}

Tensor halve(ImageNetBuilder& g, Tensor x) {
  return g.max_pool(x, square(3), {.stride = square(2)});
}

Tensor pool_project(ImageNetBuilder& g, Tensor x, std::int64_t channels) {
  return same(g, g.avg_pool(x, square(3), {.padding = pad_all(1)}), {channels, square(1)});
}

Tensor module_a(ImageNetBuilder& g, Tensor x, std::int64_t pool_channels) {
  const Tensor one = same(g, x, {64, square(1)});
  const Tensor five = chain(g, x, {{48, square(1)}, {64, square(5)}});
  const Tensor twice = chain(g, x, {{64, square(1)}, {96, square(3)}, {96, square(3)}});
  return g.concat({one, five, twice, pool_project(g, x, pool_channels)});
}

Tensor module_b(ImageNetBuilder& g, Tensor x) {
  const Tensor three = halve(g, x, 384);
  const Tensor twice = halve(g, chain(g, x, {{64, square(1)}, {96, square(3)}}), 96);
  return g.concat({three, twice, halve(g, x)});
}

Tensor module_c(ImageNetBuilder& g, Tensor x, std::int64_t inner) {
  const Tensor one = same(g, x, {192, square(1)});
  const Tensor seven = chain(g, x, {{inner, square(1)}, {inner, kWide7}, {192, kTall7}});
  const Tensor twice =
      chain(g, x, {{inner, square(1)}, {inner, kTall7}, {inner, kWide7}, {inner, kTall7}, {192, kWide7}});
  return g.concat({one, seven, twice, pool_project(g, x, 192)});
}

Tensor module_d(ImageNetBuilder& g, Tensor x) {
  const Tensor three = halve(g, same(g, x, {192, square(1)}), 320);
  const Tensor seven = halve(g, chain(g, x, {{192, square(1)}, {192, kWide7}, {192, kTall7}}), 192);
  return g.concat({three, seven, halve(g, x)});
}

Tensor fork(ImageNetBuilder& g, Tensor x) {
  const Tensor wide = same(g, x, {384, kWide3});
  return g.concat({wide, same(g, x, {384, kTall3})});
}

Tensor module_e(ImageNetBuilder& g, Tensor x) {
  const Tensor one = same(g, x, {320, square(1)});
  const Tensor three = fork(g, same(g, x, {384, square(1)}));
  const Tensor twice = fork(g, chain(g, x, {{448, square(1)}, {384, square(3)}}));
  return g.concat({one, three, twice, pool_project(g, x, 192)});
}

Tensor stem(ImageNetBuilder& g, Tensor x) {
  x = g.conv_bn_relu(halve(g, x, 32), 32, square(3));
  x = halve(g, same(g, x, {64, square(3)}));
  return halve(g, g.conv_bn_relu(same(g, x, {80, square(1)}), 192, square(3)));
}

Graph build_inception(const Sizes& sizes) {
  ImageNetBuilder g("inception-v3");
  Tensor x = stem(g, g.image(sizes.batch, 3, sizes.image, sizes.image));
  g.scope("mixed5.");
  for (const std::int64_t pool_channels : {32, 64, 64}) x = module_a(g, x, pool_channels);
  g.scope("mixed6.");
  x = module_b(g, x);
  for (const std::int64_t inner : {128, 160, 160, 192}) x = module_c(g, x, inner);
  g.scope("mixed7.");
  x = module_e(g, module_e(g, module_d(g, x)));
  g.scope("");
  x = g.flatten(g.dropout(g.adaptive_pool(x, square(1)), 0.5));
  return g.finish(g.linear(x, sizes.classes));
}

}  // namespace

std::vector<Network> plugin() {
  return {{.id = "inception-v3",
           .summary = "Inception v3, factorised windows, without the auxiliary classifier",
           .reference = "Szegedy et al. 2015, arXiv 1512.00567; layout of torchvision",
           .defaults = {.image = 299, .smallest_image = 75},
           .documented = Documented{23834568, 5713216096,
                                    "torchvision model documentation: 27,161,264 parameters, of which the "
                                    "auxiliary classifier has 3,326,696; MACs counted over the layers"},
           .aliases = {"inceptionv3"},
           .build = build_inception}};
}

}  // namespace sextant::nets::zoo_inception_v3
