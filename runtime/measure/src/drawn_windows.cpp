// Drawn networks over images with channels last: attention in windows (Liu et al. 2021), wide depthwise
// windows between linear layers (Liu et al. 2022), channels weighed by what they hold (Hu et al. 2018).
#include "drawn_attention.h"

namespace sextant::measure {
namespace {

using nets::Function;
using nets::GraphBuilder;
using nets::Tensor;

struct WindowSizes {
  std::int64_t window = 4;
  std::int64_t heads = 2;
};

// Rolled by half a window along one axis.
Tensor rolled(GraphBuilder& g, Tensor x, int axis, std::int64_t by) {
  const std::int64_t extent = g.shape(x).at(static_cast<std::size_t>(axis));
  const Tensor tail = g.add(nets::Slice{.axis = axis, .begin = by, .end = extent}, {x});
  const Tensor front = g.add(nets::Slice{.axis = axis, .begin = 0, .end = by}, {x});
  return g.concat({tail, front}, axis);
}

// A learned value for each distance of two positions.
Tensor distance_bias(GraphBuilder& g, const WindowSizes& sizes) {
  const std::int64_t reach = 2 * sizes.window - 1;
  const std::int64_t positions = sizes.window * sizes.window;
  nets::Constant places{{positions * positions}, true, {}};
  for (std::int64_t i = 0; i < positions * positions; ++i)
    places.values.push_back(static_cast<double>(i % (reach * reach)));
  const Tensor table = g.add(nets::Parameter{{reach * reach, sizes.heads}}, {});
  const Tensor all = g.add(nets::Gather{.axis = 0}, {table, g.add(std::move(places), {})});
  const Tensor square = g.add(nets::Reshape{{positions, positions, sizes.heads}}, {all});
  return g.add(nets::Reshape{{1, sizes.heads, positions, positions}},
               {g.add(nets::Transpose{{2, 0, 1}}, {square})});
}

Tensor in_windows(GraphBuilder& g, LayerDraws& draws, Tensor x, const WindowSizes& sizes) {
  const nets::Shape s = g.shape(x);  // batch, height, width, channels
  const std::int64_t w = sizes.window;
  const std::int64_t count = s[0] * (s[1] / w) * (s[2] / w);
  const Tensor grid = g.add(nets::Reshape{{s[0], s[1] / w, w, s[2] / w, w, s[3]}}, {x});
  const Tensor split = g.add(nets::Transpose{{0, 1, 3, 2, 4, 5}}, {grid});
  const Tensor rows = g.add(nets::Reshape{{count, w * w, s[3]}}, {split});
  const std::int64_t size = s[3] / sizes.heads;
  const Tensor fused = g.add(nets::Reshape{{count, w * w, 3, sizes.heads, size}}, {g.linear(rows, 3 * s[3])});
  const Tensor parts = g.add(nets::Transpose{{2, 0, 3, 1, 4}}, {fused});
  const auto part = [&](std::int64_t i) {
    const Tensor one = g.add(nets::Slice{.axis = 0, .begin = i, .end = i + 1}, {parts});
    return g.add(nets::Reshape{{count, sizes.heads, w * w, size}}, {one});
  };
  const DrawnHeads heads{part(0), part(1), part(2)};
  const DrawnScores scores{.dropout = draws.chance(0.4) ? 0.1 : 0, .mask = distance_bias(g, sizes)};
  const Tensor y = g.linear(heads_together(g, drawn_products(g, draws, heads, scores)), s[3]);
  const Tensor apart = g.add(nets::Reshape{{s[0], s[1] / w, s[2] / w, w, w, s[3]}}, {y});
  return g.add(nets::Reshape{s}, {g.add(nets::Transpose{{0, 1, 3, 2, 4, 5}}, {apart})});
}

Tensor window_block(GraphBuilder& g, LayerDraws& draws, Tensor x, const WindowSizes& sizes) {
  const std::int64_t by = sizes.window / 2;
  const bool shifts = draws.chance(0.5);
  Tensor y = g.layer_norm(x);
  if (shifts) y = rolled(g, rolled(g, y, 1, by), 2, by);
  y = in_windows(g, draws, y, sizes);
  if (shifts) y = rolled(g, rolled(g, y, 1, g.shape(y)[1] - by), 2, g.shape(y)[2] - by);
  return drawn_feed_forward(g, draws, g.sum(x, y));
}

// x and the result have channels first.
Tensor wide_window_block(GraphBuilder& g, LayerDraws& draws, Tensor x) {
  const std::int64_t channels = g.channels(x);
  const std::int64_t kernel = draws.pick<std::int64_t>({5, 7, 7});
  const Tensor deep =
      g.conv(x, channels, nets::square(kernel), {.padding = nets::pad_all(kernel / 2), .groups = channels});
  const Tensor y = g.layer_norm(g.add(nets::Transpose{{0, 2, 3, 1}}, {deep}));
  const Tensor inner = g.linear(g.activation(g.linear(y, 4 * channels), Function::gelu), channels);
  const Tensor gains = g.add(nets::Parameter{{channels}}, {});
  const Tensor scaled = g.add(nets::Binary{nets::Arithmetic::multiply}, {inner, gains});
  return g.sum(x, g.add(nets::Transpose{{0, 3, 1, 2}}, {scaled}));
}

Tensor weighed_channels(GraphBuilder& g, LayerDraws& draws, Tensor x) {
  const std::int64_t channels = g.channels(x);
  const bool hard = draws.chance(0.3);
  Tensor y = g.activation(x, hard ? Function::hard_swish : Function::silu);
  const Tensor inner =
      g.conv(g.adaptive_pool(y, nets::square(1)), std::max<std::int64_t>(8, channels / 4), nets::square(1));
  const Tensor outer =
      g.conv(g.activation(inner, hard ? Function::relu : Function::silu), channels, nets::square(1));
  const Tensor gains = g.activation(outer, hard ? Function::hard_sigmoid : Function::sigmoid);
  return g.add(nets::Binary{nets::Arithmetic::multiply}, {y, gains});
}

// A quarter of the positions, twice the channels.
Tensor merged(GraphBuilder& g, Tensor x) {
  std::vector<Tensor> parts;
  for (const std::int64_t row : {0, 1}) {
    for (const std::int64_t column : {0, 1}) {
      const nets::Shape s = g.shape(x);
      const Tensor rows = g.add(nets::Slice{.axis = 1, .begin = row, .end = s[1], .step = 2}, {x});
      parts.push_back(g.add(nets::Slice{.axis = 2, .begin = column, .end = s[2], .step = 2}, {rows}));
    }
  }
  const Tensor all = g.layer_norm(g.concat(parts, 3));
  return g.linear(all, g.shape(all).back() / 2, false);
}

}  // namespace

nets::Graph drawn_windows(const std::string& name, LayerDraws draws, std::int64_t batch) {
  GraphBuilder g(name);
  const WindowSizes sizes{.window = draws.pick<std::int64_t>({4, 7, 7, 8}),
                          .heads = draws.pick<std::int64_t>({2, 3, 4, 6})};
  const std::int64_t channels = sizes.heads * draws.pick<std::int64_t>({16, 24, 32});
  // Windows of all samples, an even number along each side.
  const double most =
      std::sqrt(6e4 / static_cast<double>(batch * channels)) * 8 / static_cast<double>(sizes.window);
  const std::int64_t side =
      2 * sizes.window * std::max<std::int64_t>(1, std::lround(draws.about(1, std::clamp(most, 1.0, 4.0))));
  const Tensor image = g.image(batch, 3, 4 * side, 4 * side);
  const Tensor patches = g.conv(image, channels, nets::square(4), {.stride = nets::square(4)});
  Tensor x = g.layer_norm(g.add(nets::Transpose{{0, 2, 3, 1}}, {patches}));
  x = window_block(g, draws, x, sizes);
  Tensor map = g.add(nets::Transpose{{0, 3, 1, 2}}, {x});
  map = weighed_channels(g, draws, wide_window_block(g, draws, map));
  x = merged(g, g.add(nets::Transpose{{0, 2, 3, 1}}, {map}));
  x = window_block(g, draws, x, {.window = sizes.window, .heads = sizes.heads});
  map = wide_window_block(g, draws, g.add(nets::Transpose{{0, 3, 1, 2}}, {x}));
  map = weighed_channels(g, draws, map);
  return g.finish(g.linear(g.flatten(g.adaptive_pool(map, nets::square(1))), 100));
}

}  // namespace sextant::measure
