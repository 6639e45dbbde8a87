// Drawn networks over maps of one to three dimensions, which shrink, and grow again beside what they were.
#include <vector>

#include "drawn_layers.h"

namespace sextant::measure {
namespace {

using nets::Extent;
using nets::GraphBuilder;
using nets::Tensor;

constexpr double kLayerWork = 2.5e9;  // FLOP of a widest layer's step, both directions

class MapLayers {
 public:
  MapLayers(GraphBuilder& g, LayerDraws& draws, std::size_t dimensions)
      : g_(g), draws_(draws), dimensions_(dimensions) {}

  [[nodiscard]] Extent extent(std::int64_t size) const {
    if (dimensions_ == 1) return nets::along(size);
    return dimensions_ == 2 ? nets::square(size) : nets::cube(size);
  }
  [[nodiscard]] nets::Padding padding(std::int64_t size) const {
    if (dimensions_ == 1) return nets::pad_along(size);
    return dimensions_ == 2 ? nets::pad_all(size) : nets::pad_cube(size);
  }
  [[nodiscard]] double cells(Tensor x) const {
    return static_cast<double>(nets::element_count(g_.shape(x))) / static_cast<double>(g_.channels(x));
  }

  // So many channels on both sides of a window of 3 make the widest layer.
  std::int64_t width(Tensor x, double least) {
    const double window = std::pow(3.0, static_cast<double>(dimensions_));
    const double most = std::sqrt(kLayerWork / (6 * window * cells(x)));
    return draws_.width(std::clamp(most / 2, std::min(least, most), 250.0), std::min(most, 500.0));
  }

  Tensor conv(Tensor x, std::int64_t channels, std::int64_t kernel, std::int64_t groups = 1) {
    const nets::ConvOptions options{
        .stride = extent(1), .padding = padding(kernel / 2), .groups = groups, .bias = draws_.chance(0.3)};
    return activated(g_.conv(x, channels, extent(kernel), options));
  }

  Tensor activated(Tensor x) {
    const bool batches = draws_.chance(0.6) && cells(x) > 1;
    return g_.relu(batches ? g_.batch_norm(x) : g_.add(nets::GroupNorm{.groups = groups_of(x)}, {x}));
  }

  // Windows of several shapes, at the width of x.
  Tensor varied(Tensor x) {
    const std::int64_t channels = g_.channels(x);
    x = conv(x, channels, 3, groups_of(x));
    x = conv(x, channels, dimensions_ == 3 ? 3 : draws_.pick<std::int64_t>({3, 5, 7}), channels);
    return conv(x, channels, 1);
  }

  Tensor halved(Tensor x, bool max) {
    const bool wide = draws_.chance(0.5);
    const nets::PoolOptions options{.stride = extent(2), .padding = padding(wide ? 1 : 0)};
    return max ? g_.max_pool(x, extent(wide ? 3 : 2), options)
               : g_.avg_pool(x, extent(wide ? 3 : 2), options);
  }

  // Twice the extents by a learned layer.
  Tensor grown(Tensor x, std::int64_t channels) {
    nets::ConvTranspose up{.out_channels = channels,
                           .kernel = extent(2),
                           .stride = extent(2),
                           .padding = {},
                           .dilation = extent(1)};
    if (draws_.chance(0.3)) {
      up.kernel = extent(4);
      up.padding = padding(1);
    }
    return g_.add(up, {x});
  }

  // To the map of another tensor, and its channels beside.
  Tensor beside(Tensor x, Tensor other, nets::Interpolation mode) {
    const Extent map = nets::map_of(g_.shape(other));
    if (nets::map_of(g_.shape(x)) != map) x = g_.add(nets::Resize{map, mode}, {x});
    return g_.concat({other, x});
  }

  Tensor scores(Tensor x, std::int64_t count) {
    return g_.linear(g_.flatten(g_.adaptive_pool(x, extent(1))), count);
  }

 private:
  std::int64_t groups_of(Tensor x) {
    const std::int64_t channels = g_.channels(x);
    const std::int64_t groups = channels % 8 == 0 ? draws_.pick<std::int64_t>({4, 8}) : 2;
    return channels > groups ? groups : 1;
  }

  GraphBuilder& g_;
  LayerDraws& draws_;
  std::size_t dimensions_;
};

// Two levels down and up again; every kind of layer stands on both.
nets::Graph down_and_up(GraphBuilder& g, LayerDraws& draws, Tensor image, std::size_t dimensions) {
  using nets::Interpolation;
  MapLayers layers(g, draws, dimensions);
  const std::int64_t width = layers.width(image, 12);
  const Tensor first = layers.conv(layers.conv(image, width, 3), width, 3);
  Tensor x = layers.halved(first, true);
  const Tensor second = layers.varied(layers.conv(x, layers.width(x, 24), 3));
  x = layers.halved(layers.halved(second, false), true);
  x = layers.varied(layers.conv(x, layers.width(x, 48), 3));
  const Tensor kept = x;
  x = layers.grown(x, layers.width(x, 24));
  x = layers.beside(layers.grown(x, g.channels(second)), second, Interpolation::nearest);
  x = layers.conv(x, g.channels(second), 3);
  if (dimensions < 3) x = layers.halved(x, false);
  const auto mode = draws.chance(0.5) ? Interpolation::nearest : Interpolation::linear;
  x = layers.conv(layers.beside(x, first, mode), width, 3);
  x = g.conv(x, draws.whole(2, 24), layers.extent(1), {.stride = layers.extent(1)});
  Extent large = nets::map_of(g.shape(x));
  large.width *= 2;
  if (dimensions > 1) large.height *= 2;
  const Tensor map = g.add(nets::Resize{large, Interpolation::linear}, {x});
  const Tensor nearest = g.add(nets::Resize{large, Interpolation::nearest}, {g.add(nets::Scale{0.5}, {x})});
  return g.finish({g.sum(map, nearest), layers.scores(kept, draws.width(16, 500)),
                   layers.scores(second, draws.width(16, 500))});
}

}  // namespace

nets::Graph drawn_image_maps(const std::string& name, LayerDraws draws, std::int64_t batch) {
  GraphBuilder g(name);
  const double most = std::min(256.0, 500 / std::sqrt(static_cast<double>(batch)));
  const std::int64_t side = 16 * std::max<std::int64_t>(2, std::lround(draws.about(48, most) / 16));
  return down_and_up(g, draws, g.image(batch, 3, side, side), 2);
}

nets::Graph drawn_volume_maps(const std::string& name, LayerDraws draws, std::int64_t batch) {
  GraphBuilder g(name);
  const double most = std::max(24.0, 80 / std::sqrt(static_cast<double>(batch)));
  const std::int64_t side = 8 * std::max<std::int64_t>(2, std::lround(draws.about(20, most) / 8));
  const std::int64_t depth = draws.pick<std::int64_t>({8, 8, 16});
  return down_and_up(g, draws, g.add(nets::Input{{batch, 3, depth, side, side}}, {}), 3);
}

nets::Graph drawn_sequence_maps(const std::string& name, LayerDraws draws, std::int64_t batch) {
  GraphBuilder g(name);
  const double most = std::max(200.0, 12000 / static_cast<double>(batch));
  const std::int64_t length = 16 * std::max<std::int64_t>(2, std::lround(draws.about(100, most) / 16));
  const std::int64_t features = draws.pick<std::int64_t>({1, 20, 40, 80});
  return down_and_up(g, draws, g.add(nets::Input{{batch, features, length}}, {}), 1);
}

}  // namespace sextant::measure
