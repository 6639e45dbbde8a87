#include "sextant/nets/parameters.h"

#include "overloaded.h"

namespace sextant::nets {
namespace {

std::vector<WeightTensor> conv_weights(const Conv& conv, const Shape& in, bool tied) {
  std::vector<WeightTensor> weights;
  if (!tied) {
    Shape kernels = {conv.out_channels, in.at(1) / conv.groups};
    for (const std::int64_t extent : listed(conv.kernel, in.size() - 2)) kernels.push_back(extent);
    weights.push_back({"weight", kernels});
  }
  if (conv.bias) weights.push_back({"bias", {conv.out_channels}});
  return weights;
}

std::vector<WeightTensor> conv_transpose_weights(const ConvTranspose& conv, const Shape& in, bool tied) {
  std::vector<WeightTensor> weights;
  if (!tied) {
    Shape kernels = {in.at(1), conv.out_channels / conv.groups};
    for (const std::int64_t extent : listed(conv.kernel, in.size() - 2)) kernels.push_back(extent);
    weights.push_back({"weight", kernels});
  }
  if (conv.bias) weights.push_back({"bias", {conv.out_channels}});
  return weights;
}

// In the order in which libtorch takes them, one direction after the other.
std::vector<WeightTensor> recurrent_weights(const Recurrent& layer, const Shape& in) {
  const std::int64_t rows = checked_product({gates(layer.cell), layer.hidden});
  std::vector<WeightTensor> weights;
  for (const char* direction : {"", "_reverse"}) {
    if (*direction != '\0' && !layer.bidirectional) break;
    weights.push_back({std::string("weight_ih") + direction, {rows, in.back()}});
    weights.push_back({std::string("weight_hh") + direction, {rows, layer.hidden}});
    if (!layer.bias) continue;
    weights.push_back({std::string("bias_ih") + direction, {rows}});
    weights.push_back({std::string("bias_hh") + direction, {rows}});
  }
  return weights;
}

std::vector<WeightTensor> scale_and_bias(bool scale, bool bias, std::int64_t size) {
  std::vector<WeightTensor> weights;
  if (scale) weights.push_back({"weight", {size}});
  if (bias) weights.push_back({"bias", {size}});
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

// All experts in one tensor, gate and value one after the other.
std::vector<WeightTensor> expert_weights(const Experts& op, const Shape& in) {
  const std::int64_t rows = checked_product({op.gated ? 2 : 1, op.inner});
  std::vector<WeightTensor> weights = {{"up", {op.count, rows, in.back()}},
                                       {"down", {op.count, in.back(), op.inner}}};
  if (!op.bias) return weights;
  weights.push_back({"up_bias", {op.count, rows}});
  weights.push_back({"down_bias", {op.count, in.back()}});
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
          [&](const ConvTranspose& op) {
            return conv_transpose_weights(op, in(), node.weight_of.has_value());
          },
          [&](const LayerNorm& op) { return scale_and_bias(op.scale, op.bias, in().back()); },
          [&](const GroupNorm& op) { return scale_and_bias(op.scale, op.bias, in().at(1)); },
          [&](const Recurrent& op) { return recurrent_weights(op, in()); },
          [&](const Embedding& op) {
            return node.weight_of ? Weights{} : Weights{{"weight", {op.entries, op.features}}};
          },
          [&](const Experts& op) { return expert_weights(op, in()); },
          [](const Attention& op) {
            return op.sinks ? Weights{{"sinks", {op.heads}}} : Weights{};
          },
          [](const DeltaRule& op) {
            Weights weights = {{"decay", {op.value_heads}}, {"offset", {op.value_heads}}};
            if (!op.corrects) weights.push_back({"skip", {op.value_heads}});
            return weights;
          },
          [](const Parameter& op) {
            return Weights{{"value", op.shape}};
          },
          [](const auto&) { return Weights{}; },
      },
      node.op);
}

}  // namespace sextant::nets
