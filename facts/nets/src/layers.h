// What several families of the zoo share: a builder with the usual groups of layers. Layouts follow
// torchvision: a convolution that batch normalisation follows has no bias.
#pragma once

#include "sextant/nets/builder.h"

namespace sextant::nets {

// Where the totals in `documented` come from, for the networks that torchvision defines.
inline constexpr const char* kTorchvisionTotals =
    "parameters: torchvision model documentation; MACs: counted over its convolution and linear layers";

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
