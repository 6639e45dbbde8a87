// What several families of the zoo share: a builder with the usual groups of layers. Layouts follow
// torchvision: a convolution that batch normalisation follows has no bias.
#pragma once

#include <algorithm>

#include "sextant/nets/builder.h"

namespace sextant::nets {

// Where the totals in `documented` come from, for the networks that torchvision defines.
inline constexpr const char* kTorchvisionTotals =
    "parameters: torchvision model documentation; MACs: counted over its convolution and linear layers";

// The same where the table of layers was not traced: torchvision's own figure has three digits after the
// point.
inline constexpr const char* kTorchvisionParameters = "torchvision model documentation (num_params)";

// Channels of a network that is made wider or narrower: the nearest multiple of 8, but never more than a
// tenth down.
inline std::int64_t scaled_channels(std::int64_t channels, double width) {
  const double exact = static_cast<double>(channels) * width;
  const auto nearest = std::max<std::int64_t>(8, static_cast<std::int64_t>(exact + 4) / 8 * 8);
  return static_cast<double>(nearest) >= 0.9 * exact ? nearest : nearest + 8;
}

class ImageNetBuilder : public GraphBuilder {
 public:
  using GraphBuilder::GraphBuilder;

  Tensor conv_bn(Tensor x, std::int64_t channels, Extent kernel, ConvOptions options = {}) {
    options.bias = false;
    return batch_norm(conv(x, channels, kernel, options));
  }
  Tensor conv_bn_relu(Tensor x, std::int64_t channels, Extent kernel, ConvOptions options = {}) {
    return relu(conv_bn(x, channels, kernel, options));
  }
  // One filter per channel; at stride 1 the map keeps its size.
  Tensor depthwise_bn(Tensor x, std::int64_t kernel, std::int64_t stride) {
    const ConvOptions options = {
        .stride = square(stride), .padding = pad_all(kernel / 2), .groups = channels(x)};
    return conv_bn(x, channels(x), square(kernel), options);
  }
  // Global average pooling to [batch, channels].
  Tensor pool_to_vector(Tensor x) { return flatten(adaptive_pool(x, square(1))); }
};

}  // namespace sextant::nets
