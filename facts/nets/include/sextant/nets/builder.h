// Builds a graph line by line, the way a paper draws it. Each call adds a node, infers its shape at
// once, and returns a handle that the next call takes.
#pragma once

#include <string>
#include <vector>

#include "sextant/nets/graph.h"

namespace sextant::nets {

// A tensor in a graph under construction.
struct Tensor {
  NodeId id = -1;
};

struct ConvOptions {
  Extent stride = square(1);
  Padding padding = {};
  Extent dilation = square(1);
  std::int64_t groups = 1;
  bool bias = true;
  std::optional<Function> activation = {};
};

struct PoolOptions {
  Extent stride = square(1);
  Padding padding = {};
  bool ceil_mode = false;
};

class GraphBuilder {
 public:
  explicit GraphBuilder(std::string name) { graph_.name = std::move(name); }

  // Names of nodes added from here on begin with this ("layer1.0.").
  void scope(std::string prefix) { scope_ = std::move(prefix); }

  Tensor image(std::int64_t batch, std::int64_t channels, std::int64_t height, std::int64_t width);
  Tensor tokens(std::int64_t batch, std::int64_t length);
  Tensor add(Op op, const std::vector<Tensor>& inputs, std::string name = {});

  Tensor conv(Tensor x, std::int64_t out_channels, Extent kernel, ConvOptions options = {});
  Tensor linear(Tensor x, std::int64_t out_features, bool bias = true,
                std::optional<Function> activation = {});
  Tensor batch_norm(Tensor x) { return add(BatchNorm{}, {x}); }
  Tensor layer_norm(Tensor x) { return add(LayerNorm{}, {x}); }
  Tensor relu(Tensor x) { return add(Activation{Function::relu}, {x}); }
  Tensor activation(Tensor x, Function f) { return add(Activation{f}, {x}); }
  Tensor max_pool(Tensor x, Extent kernel, PoolOptions options);
  Tensor avg_pool(Tensor x, Extent kernel, PoolOptions options);
  Tensor adaptive_pool(Tensor x, Extent output) { return add(AdaptivePool{output}, {x}); }
  Tensor sum(Tensor a, Tensor b) { return add(Binary{Arithmetic::add}, {a, b}); }
  Tensor concat(const std::vector<Tensor>& parts, int axis = 1) { return add(Concat{axis}, parts); }
  Tensor flatten(Tensor x) { return add(Flatten{}, {x}); }
  Tensor dropout(Tensor x, double rate) { return add(Dropout{rate}, {x}); }
  // Projection by the weights of an embedding: logits = x · Wᵀ, no bias, no parameters of its own.
  Tensor tied_linear(Tensor x, Tensor embedding);

  [[nodiscard]] const Node& node(Tensor x) const { return graph_.nodes.at(static_cast<std::size_t>(x.id)); }
  [[nodiscard]] const Shape& shape(Tensor x) const { return node(x).output; }
  [[nodiscard]] std::int64_t channels(Tensor x) const { return shape(x).at(1); }

  // Finishes with this result; the builder is empty afterwards.
  Graph finish(Tensor output);
  Graph finish(const std::vector<Tensor>& outputs);

 private:
  Graph graph_;
  std::string scope_;
};

}  // namespace sextant::nets
