#include "random_blocks.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sextant::nets {
namespace {

// Elements of a map above which wide layers are left to later stages.
constexpr double kLargeMap = 1.2e6;

std::int64_t nearest_multiple(double value, std::int64_t unit) {
  return std::max(unit, unit * std::lround(value / static_cast<double>(unit)));
}

}  // namespace

std::int64_t Draws::rounded(double channels) {
  static constexpr std::array<std::int64_t, 10> kUnits = {2, 4, 8, 8, 8, 16, 16, 32, 32, 64};
  std::int64_t unit = pick(kUnits);
  while (unit > 2 && static_cast<double>(unit) > channels) unit /= 2;
  return nearest_multiple(channels, unit);
}

Tensor RandomBlocks::stage(Tensor x, std::int64_t blocks) {
  using Style = Tensor (RandomBlocks::*)(Tensor);
  static constexpr std::array<Style, 9> kStyles = {
      &RandomBlocks::plain,      &RandomBlocks::plain,    &RandomBlocks::residual,
      &RandomBlocks::bottleneck, &RandomBlocks::inverted, &RandomBlocks::fire,
      &RandomBlocks::inception,  &RandomBlocks::dense,    &RandomBlocks::shuffled};
  const Style style = kStyles.at(static_cast<std::size_t>(rng_.whole(0, kStyles.size() - 1)));
  for (std::int64_t i = 0; i < blocks; ++i) x = (this->*style)(limited(x));
  return x;
}

Tensor RandomBlocks::activated(Tensor x) {
  static constexpr std::array<Function, 4> kFunctions = {Function::relu6, Function::relu6, Function::silu,
                                                         Function::tanh};
  if (rng_.chance(0.8)) return g_.relu(x);
  return g_.activation(x, kFunctions.at(static_cast<std::size_t>(rng_.whole(0, kFunctions.size() - 1))));
}

// With batch normalisation and no bias, or the older way round.
Tensor RandomBlocks::normalised(Tensor x, std::int64_t channels, Extent kernel, ConvOptions options) {
  if (rng_.chance(0.7)) return activated(g_.conv_bn(x, channels, kernel, options));
  return activated(g_.conv(x, channels, kernel, options));
}

Tensor RandomBlocks::same(Tensor x, std::int64_t channels, std::int64_t kernel) {
  return normalised(x, channels, square(kernel), {.padding = pad_all(kernel / 2)});
}

std::int64_t RandomBlocks::width(Tensor x) {
  const auto channels = static_cast<double>(g_.channels(x));
  return std::clamp<std::int64_t>(rng_.channels(0.6 * channels, 1.7 * channels), 8, 1024);
}

Tensor RandomBlocks::limited(Tensor x) {
  const double pixels = static_cast<double>(side(x)) * static_cast<double>(side(x));
  const auto most = static_cast<std::int64_t>(kLargeMap / pixels);
  if (g_.channels(x) <= std::max<std::int64_t>(most, 16)) return x;
  return normalised(x, rng_.rounded(0.6 * static_cast<double>(std::max<std::int64_t>(most, 16))), square(1),
                    {});
}

Tensor RandomBlocks::pool(Tensor x) {
  const bool wide = rng_.chance(0.5) && side(x) >= 3;
  const PoolOptions options{.stride = square(2),
                            .padding = pad_all(wide && rng_.chance(0.6) ? 1 : 0),
                            .ceil_mode = wide && rng_.chance(0.3)};
  const Extent window = square(wide ? 3 : 2);
  return rng_.chance(0.8) ? g_.max_pool(x, window, options) : g_.avg_pool(x, window, options);
}

Tensor RandomBlocks::transition(Tensor x, std::int64_t channels) {
  const Tensor y = g_.conv(activated(g_.batch_norm(x)), channels, square(1), {.bias = false});
  return g_.avg_pool(y, square(2), {.stride = square(2)});
}

Tensor RandomBlocks::separable(Tensor x, std::int64_t channels, std::int64_t stride) {
  const std::int64_t kernel = rng_.chance(0.7) ? 3 : 5;
  Tensor y = activated(g_.depthwise_bn(x, kernel, stride));
  return activated(g_.conv_bn(y, channels, square(1)));
}

Tensor RandomBlocks::plain(Tensor x) {
  const bool narrow = rng_.chance(0.8);
  x = same(x, width(x), narrow ? 3 : 5);
  return rng_.chance(0.5) ? same(x, width(x), 3) : x;
}

Tensor RandomBlocks::residual(Tensor x) {
  const std::int64_t channels = g_.channels(x);
  const Tensor y = same(x, channels, 3);
  return activated(g_.sum(g_.conv_bn(y, channels, square(3), {.padding = pad_all(1)}), x));
}

Tensor RandomBlocks::bottleneck(Tensor x) {
  const std::int64_t groups = rng_.chance(0.25) ? 8 << rng_.whole(0, 2) : 1;
  const std::int64_t outer = std::min<std::int64_t>(2048, rng_.whole(1, 4) * g_.channels(x));
  const std::int64_t inner =
      nearest_multiple(static_cast<double>(outer) / 4, std::max<std::int64_t>(groups, 4));
  Tensor y = g_.conv_bn_relu(x, inner, square(1));
  y = g_.conv_bn_relu(y, inner, square(3), {.padding = pad_all(1), .groups = groups});
  y = g_.conv_bn(y, outer, square(1));
  const Tensor shortcut = outer == g_.channels(x) ? x : g_.conv_bn(x, outer, square(1));
  return activated(g_.sum(y, shortcut));
}

Tensor RandomBlocks::inverted(Tensor x) {
  const std::int64_t channels = g_.channels(x);
  const std::int64_t kernel = rng_.chance(0.6) ? 3 : 5;
  Tensor y = activated(g_.conv_bn(x, channels * rng_.whole(2, 6), square(1)));
  y = activated(g_.depthwise_bn(y, kernel, 1));
  const std::int64_t out = rng_.chance(0.5) ? channels : width(x);
  y = g_.conv_bn(y, out, square(1));
  return out == channels ? g_.sum(y, x) : y;
}

Tensor RandomBlocks::fire(Tensor x) {
  const std::int64_t squeeze = std::max<std::int64_t>(8, width(x) / 4);
  x = g_.relu(g_.conv(x, squeeze, square(1)));
  const Tensor narrow = g_.relu(g_.conv(x, 4 * squeeze, square(1)));
  return g_.concat({narrow, g_.relu(g_.conv(x, 4 * squeeze, square(3), {.padding = pad_all(1)}))});
}

Tensor RandomBlocks::inception(Tensor x) {
  const auto branch = [&] { return std::max<std::int64_t>(8, width(x) / 4); };
  const std::int64_t first = branch();
  const std::int64_t second = branch();
  const std::int64_t third = branch();
  const Tensor one = same(x, first, 1);
  const Tensor two = same(same(x, second, 1), 2 * second, 3);
  Tensor three = same(x, third, 1);
  if (rng_.chance(0.4) && side(x) >= 7) {
    three = normalised(three, third, {1, 7}, {.padding = {.left = 3, .right = 3}});
    three = normalised(three, third, {7, 1}, {.padding = {.top = 3, .bottom = 3}});
  } else {
    three = same(three, third, rng_.chance(0.5) ? 5 : 3);
  }
  const Tensor pooled = g_.max_pool(x, square(3), {.padding = pad_all(1)});
  return g_.concat({one, two, three, same(pooled, first, 1)});
}

Tensor RandomBlocks::dense(Tensor x) {
  const std::int64_t growth = rng_.rounded(rng_.between(8, 48));
  std::vector<Tensor> maps = {x};
  const auto layers = rng_.whole(2, 4);
  for (std::int64_t i = 0; i < layers; ++i) {
    const Tensor all = maps.size() == 1 ? x : g_.concat(maps);
    const Tensor narrow = g_.conv(g_.relu(g_.batch_norm(all)), 4 * growth, square(1), {.bias = false});
    maps.push_back(
        g_.conv(g_.relu(g_.batch_norm(narrow)), growth, square(3), {.padding = pad_all(1), .bias = false}));
  }
  return g_.concat(maps);
}

Tensor RandomBlocks::shuffled(Tensor x) {
  const std::int64_t channels = g_.channels(x);
  if (channels % 2 != 0) return plain(x);
  const Tensor kept = g_.add(Slice{1, 0, channels / 2}, {x});
  Tensor worked = g_.add(Slice{1, channels / 2, channels}, {x});
  worked = g_.depthwise_bn(g_.conv_bn_relu(worked, channels / 2, square(1)), 3, 1);
  worked = g_.conv_bn_relu(worked, channels / 2, square(1));
  const Tensor whole = g_.concat({kept, worked});
  const Shape flat = g_.shape(whole);
  const Tensor halves = g_.add(Reshape{{flat[0], 2, flat[1] / 2, flat[2], flat[3]}}, {whole});
  return g_.add(Reshape{flat}, {g_.add(Transpose{{0, 2, 1, 3, 4}}, {halves})});
}

}  // namespace sextant::nets
