// Blocks of convolutional networks with drawn widths and windows, for random_network.cpp.
#pragma once

#include <cmath>
#include <span>
#include <string>

#include "layers.h"
#include "sextant/core/rng.h"

namespace sextant::nets {

// One stream, read one draw at a time.
class Draws {
 public:
  explicit Draws(Rng rng) : rng_(rng) {}
  std::int64_t whole(std::int64_t low, std::int64_t high) {  // both included
    return low + static_cast<std::int64_t>(rng_.below(static_cast<std::uint64_t>(high - low + 1)));
  }
  double between(double low, double high) { return low + (high - low) * rng_.uniform(); }
  bool chance(double p) { return rng_.uniform() < p; }
  std::int64_t pick(std::span<const std::int64_t> values) { return values[rng_.below(values.size())]; }
  // Log-uniform, then rounded as designers do.
  std::int64_t channels(double low, double high) {
    return rounded(low * std::pow(high / low, rng_.uniform()));
  }
  // Mostly to multiples of 8 to 64, now and then to any even number.
  std::int64_t rounded(double channels);

 private:
  Rng rng_;
};

class RandomBlocks {
 public:
  RandomBlocks(const std::string& name, Draws& rng) : g_(name), rng_(rng) {}
  ImageNetBuilder& graph() { return g_; }
  std::int64_t side(Tensor x) { return g_.shape(x).at(2); }

  Tensor stage(Tensor x, std::int64_t blocks);  // of one style, drawn
  Tensor block(Tensor x) { return stage(x, 1); }
  Tensor normalised(Tensor x, std::int64_t channels, Extent kernel, ConvOptions options);
  Tensor pool(Tensor x);
  Tensor transition(Tensor x, std::int64_t channels);  // 1x1 convolution, then average pooling
  Tensor separable(Tensor x, std::int64_t channels, std::int64_t stride);
  Tensor limited(Tensor x);  // to so few channels that large maps stay affordable

 private:
  Tensor plain(Tensor x);
  Tensor residual(Tensor x);
  Tensor bottleneck(Tensor x);
  Tensor inverted(Tensor x);
  Tensor fire(Tensor x);
  Tensor inception(Tensor x);
  Tensor dense(Tensor x);
  Tensor shuffled(Tensor x);
  Tensor activated(Tensor x);
  Tensor same(Tensor x, std::int64_t channels, std::int64_t kernel);
  std::int64_t width(Tensor x);  // near that of x

  ImageNetBuilder g_;
  Draws& rng_;
};

}  // namespace sextant::nets
