// Layers as Keras writes them, for the networks that PROFET timed (Lee et al. 2022, arXiv 2208.05130):
// TensorFlow's "same" padding, activations inside a layer, and the softmax at the end of the graph.
#pragma once

#include <functional>
#include <string>

#include "sextant/nets/builder.h"
#include "sextant/nets/network.h"

namespace sextant::nets::profet {

// What tells one PROFET network from another in the table of networks.
struct ProfetEntry {
  std::string name;  // as in the timing data; the id is "profet/" and this in lower case
  std::string summary;
  std::int64_t smallest_image = 1;
  std::optional<Documented> documented = {};
};

class KerasBuilder : public GraphBuilder {
 public:
  using GraphBuilder::GraphBuilder;

  Tensor same_conv(Tensor x, std::int64_t channels, Extent kernel, ConvOptions options = {});
  Tensor same_max_pool(Tensor x, Extent kernel, Extent stride);
  Tensor same_avg_pool(Tensor x, Extent kernel, Extent stride);
  Tensor halve(Tensor x);  // 2x2 max pooling, unpadded
  Tensor global_avg_pool(Tensor x);
  Tensor classify(Tensor x, std::int64_t classes);  // dense layer with softmax
};

using Body = std::function<Tensor(KerasBuilder&, Tensor image, std::int64_t classes)>;

// A network whose graph is the body applied to an RGB image.
Network network(const ProfetEntry& entry, Body body);

}  // namespace sextant::nets::profet
