#include "sextant/nets/parameters.h"

#include "overloaded.h"

namespace sextant::nets {
namespace {

std::vector<WeightTensor> conv_weights(const Conv& conv, const Shape& in, bool tied) {
  std::vector<WeightTensor> weights;
  if (!tied) {
    const Shape kernels = {conv.out_channels, in.at(1) / conv.groups, conv.kernel.height, conv.kernel.width};
    weights.push_back({"weight", kernels});
  }
  if (conv.bias) weights.push_back({"bias", {conv.out_channels}});
  return weights;
}

std::vector<WeightTensor> linear_weights(const Linear& linear, const Shape& in, bool tied) {
  std::vector<WeightTensor> weights;
  if (!tied) weights.push_back({"weight", {linear.out_features, in.back()}});
  if (linear.bias) weights.push_back({"bias", {linear.out_features}});
  return weights;
}

std::vector<WeightTensor> batch_norm_weights(const BatchNorm& norm, const Shape& in) {
  const Shape channels = {in.at(1)};
  std::vector<WeightTensor> weights;
  if (norm.scale) weights.push_back({"weight", channels});
  weights.push_back({"bias", channels});
  weights.push_back({"running_mean", channels, false});
  weights.push_back({"running_var", channels, false});
  return weights;
}

}  // namespace

std::vector<WeightTensor> weight_tensors(const Graph& graph, const Node& node) {
  using Weights = std::vector<WeightTensor>;
  const auto in = [&] { return graph.nodes.at(static_cast<std::size_t>(node.inputs.at(0))).output; };
  return std::visit(
      Overloaded{
          [&](const Conv& op) { return conv_weights(op, in(), node.weight_of.has_value()); },
          [&](const Linear& op) { return linear_weights(op, in(), node.weight_of.has_value()); },
          [&](const BatchNorm& op) { return batch_norm_weights(op, in()); },
          [&](const LayerNorm&) {
            return Weights{{"weight", {in().back()}}, {"bias", {in().back()}}};
          },
          [&](const Embedding& op) {
            return node.weight_of ? Weights{} : Weights{{"weight", {op.entries, op.features}}};
          },
          [](const Parameter& op) {
            return Weights{{"value", op.shape}};
          },
          [](const auto&) { return Weights{}; },
      },
      node.op);
}

}  // namespace sextant::nets
