// InceptionV3 (Szegedy et al. 2015, arXiv 1512.00567) and Inception-ResNet-v2 (Szegedy et al. 2016,
// arXiv 1602.07261) of keras.applications. Convolutions have no bias and their batch norm no gamma;
// only the 1x1 convolution that closes a residual block is biased and not normalised.
#include "profet_blocks.h"

namespace sextant::nets::zoo_profet_inception {
namespace {

using namespace profet;

constexpr Extent kRow = {1, 7};
constexpr Extent kColumn = {7, 1};

Tensor norm_relu(KerasBuilder& g, Tensor x) {
  return g.relu(g.add(BatchNorm{.scale = false}, {x}));
}

Tensor unit(KerasBuilder& g, Tensor x, std::int64_t channels, Extent kernel) {
  return norm_relu(g, g.same_conv(x, channels, kernel, {.bias = false}));
}

Tensor valid_unit(KerasBuilder& g, Tensor x, std::int64_t channels, Extent kernel) {
  return norm_relu(g, g.conv(x, channels, kernel, {.bias = false}));
}

Tensor halving_unit(KerasBuilder& g, Tensor x, std::int64_t channels) {
  return norm_relu(g, g.conv(x, channels, square(3), {.stride = square(2), .bias = false}));
}

Tensor shrink(KerasBuilder& g, Tensor x) {
  return g.max_pool(x, square(3), {.stride = square(2)});
}

struct Step {
  std::int64_t channels;
  Extent kernel;
};

Tensor chain(KerasBuilder& g, Tensor x, const std::vector<Step>& steps) {
  for (const Step& step : steps) x = unit(g, x, step.channels, step.kernel);
  return x;
}

Tensor pooled(KerasBuilder& g, Tensor x, std::int64_t channels) {
  return unit(g, g.same_avg_pool(x, square(3), square(1)), channels, square(1));
}

// Both networks begin alike, and their first mixed block differs in two widths.
Tensor stem(KerasBuilder& g, Tensor x) {
  x = halving_unit(g, x, 32);
  x = valid_unit(g, x, 32, square(3));
  x = shrink(g, unit(g, x, 64, square(3)));
  x = valid_unit(g, x, 80, square(1));
  return shrink(g, valid_unit(g, x, 192, square(3)));
}

Tensor mixed_35(KerasBuilder& g, Tensor x, std::int64_t direct, std::int64_t after_pool) {
  const Tensor a = unit(g, x, direct, square(1));
  const Tensor b = chain(g, x, {{48, square(1)}, {64, square(5)}});
  const Tensor c = chain(g, x, {{64, square(1)}, {96, square(3)}, {96, square(3)}});
  return g.concat({a, b, c, pooled(g, x, after_pool)});
}

Tensor mixed_17(KerasBuilder& g, Tensor x, std::int64_t width) {
  const Tensor a = unit(g, x, 192, square(1));
  const Tensor b = chain(g, x, {{width, square(1)}, {width, kRow}, {192, kColumn}});
  const Tensor c =
      chain(g, x, {{width, square(1)}, {width, kColumn}, {width, kRow}, {width, kColumn}, {192, kRow}});
  return g.concat({a, b, c, pooled(g, x, 192)});
}

Tensor fork(KerasBuilder& g, Tensor x) {
  const Tensor row = unit(g, x, 384, {1, 3});
  const Tensor column = unit(g, x, 384, {3, 1});
  return g.concat({row, column});
}

Tensor mixed_8(KerasBuilder& g, Tensor x) {
  const Tensor a = unit(g, x, 320, square(1));
  const Tensor b = fork(g, unit(g, x, 384, square(1)));
  const Tensor c = fork(g, chain(g, x, {{448, square(1)}, {384, square(3)}}));
  return g.concat({a, b, c, pooled(g, x, 192)});
}

Tensor reduce_17_v3(KerasBuilder& g, Tensor x) {
  const Tensor a = halving_unit(g, x, 384);
  const Tensor b = halving_unit(g, chain(g, x, {{64, square(1)}, {96, square(3)}}), 96);
  return g.concat({a, b, shrink(g, x)});
}

Tensor reduce_8_v3(KerasBuilder& g, Tensor x) {
  const Tensor a = halving_unit(g, unit(g, x, 192, square(1)), 320);
  const Tensor b = halving_unit(g, chain(g, x, {{192, square(1)}, {192, kRow}, {192, kColumn}}), 192);
  return g.concat({a, b, shrink(g, x)});
}

Tensor inception_v3(KerasBuilder& g, Tensor x, std::int64_t classes) {
  x = stem(g, x);
  for (const std::int64_t after_pool : {32, 64, 64}) x = mixed_35(g, x, 64, after_pool);
  x = reduce_17_v3(g, x);
  for (const std::int64_t width : {128, 160, 160, 192}) x = mixed_17(g, x, width);
  x = reduce_8_v3(g, x);
  for (int i = 0; i < 2; ++i) x = mixed_8(g, x);
  return g.classify(g.global_avg_pool(x), classes);
}

// x + factor * (1x1 convolution of the branches)
Tensor residual(KerasBuilder& g, Tensor x, const std::vector<Tensor>& branches, double factor) {
  const Tensor up = g.same_conv(g.concat(branches), g.channels(x), square(1));
  return g.sum(x, g.add(Scale{factor}, {up}));
}

Tensor block_35(KerasBuilder& g, Tensor x) {
  const Tensor a = unit(g, x, 32, square(1));
  const Tensor b = chain(g, x, {{32, square(1)}, {32, square(3)}});
  const Tensor c = chain(g, x, {{32, square(1)}, {48, square(3)}, {64, square(3)}});
  return g.relu(residual(g, x, {a, b, c}, 0.17));
}

Tensor block_17(KerasBuilder& g, Tensor x) {
  const Tensor a = unit(g, x, 192, square(1));
  const Tensor b = chain(g, x, {{128, square(1)}, {160, kRow}, {192, kColumn}});
  return g.relu(residual(g, x, {a, b}, 0.1));
}

Tensor block_8(KerasBuilder& g, Tensor x, double factor) {
  const Tensor a = unit(g, x, 192, square(1));
  const Tensor b = chain(g, x, {{192, square(1)}, {224, {1, 3}}, {256, {3, 1}}});
  return residual(g, x, {a, b}, factor);
}

Tensor reduce_17_resnet(KerasBuilder& g, Tensor x) {
  const Tensor a = halving_unit(g, x, 384);
  const Tensor b = halving_unit(g, chain(g, x, {{256, square(1)}, {256, square(3)}}), 384);
  return g.concat({a, b, shrink(g, x)});
}

Tensor reduce_8_resnet(KerasBuilder& g, Tensor x) {
  const Tensor a = halving_unit(g, unit(g, x, 256, square(1)), 384);
  const Tensor b = halving_unit(g, unit(g, x, 256, square(1)), 288);
  const Tensor c = halving_unit(g, chain(g, x, {{256, square(1)}, {288, square(3)}}), 320);
  return g.concat({a, b, c, shrink(g, x)});
}

Tensor inception_resnet_v2(KerasBuilder& g, Tensor x, std::int64_t classes) {
  x = mixed_35(g, stem(g, x), 96, 64);
  for (int i = 0; i < 10; ++i) x = block_35(g, x);
  x = reduce_17_resnet(g, x);
  for (int i = 0; i < 20; ++i) x = block_17(g, x);
  x = reduce_8_resnet(g, x);
  for (int i = 0; i < 9; ++i) x = g.relu(block_8(g, x, 0.2));
  x = block_8(g, x, 1.0);  // the last one: unscaled, no ReLU
  x = unit(g, x, 1536, square(1));
  return g.classify(g.global_avg_pool(x), classes);
}

}  // namespace

std::vector<Network> plugin() {
  return {network({.name = "InceptionV3",
                   .summary = "InceptionV3 of keras.applications, without auxiliary head",
                   .smallest_image = 75,
                   .documented = Documented{23817352, 0,
                                            "Keras documentation: 23,851,784 less 34,432 moving statistics"}},
                  inception_v3),
          network({.name = "InceptionResNetV2",
                   .summary = "Inception-ResNet-v2 of keras.applications",
                   .smallest_image = 75,
                   .documented = Documented{55813192, 0,
                                            "Keras documentation: 55,873,736 less 60,544 moving statistics"}},
                  inception_resnet_v2)};
}

}  // namespace sextant::nets::zoo_profet_inception
