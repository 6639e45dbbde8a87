#include "graph_model.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Functions.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "drawn_batch.h"
#include "sextant/core/error.h"
#include "sextant/core/rng.h"
#include "sextant/core/text.h"
#include "sextant/nets/single_values.h"

namespace sextant::engine {
namespace {

void refuse_unknown(const nets::Graph& graph) {
  const std::vector<std::string> unknown = unknown_operators(graph);
  if (unknown.empty()) return;
  throw InputError(
      {}, "network '" + graph.name + "' has operators that cannot be run: " + sextant::join(unknown, ", "),
      "its cost can be predicted, its execution cannot be measured");
}

void refuse_single_values(const nets::Graph& graph) {
  const nets::Node* norm = nets::single_value_norm(graph);
  if (norm == nullptr) return;
  throw InputError({},
                   "batch norm '" + norm->name + "' sees a single value for each channel (" +
                       nets::to_string(norm->output) + ")",
                   "use a batch of at least 2, or a larger image");
}

at::Tensor flat_array(std::int64_t count) {
  return at::zeros({count}, at::kFloat);
}

at::Tensor part_of(const at::Tensor& flat, const PlacedTensor& tensor) {
  // A storage of its own, so that autograd keeps no books about views.
  return at::from_blob(flat.data_ptr<float>() + tensor.offset, tensor.shape, at::kFloat);
}

at::Tensor index_tensor(const std::vector<std::int64_t>& ids, const nets::Shape& shape) {
  return at::from_blob(const_cast<std::int64_t*>(ids.data()), shape, at::kLong).clone();
}

// Token ids that a data set hands over as numbers.
at::Tensor ids_from_values(const std::vector<float>& values, const nets::Shape& shape, std::int64_t range) {
  std::vector<std::int64_t> ids;
  ids.reserve(values.size());
  for (const float value : values) {
    if (!(value >= 0 && value < static_cast<float>(range)) || value != std::floor(value)) {
      throw InputError("a batch holds the token id " + number_text(value) + ", the network knows 0 to " +
                       std::to_string(range - 1));
    }
    ids.push_back(static_cast<std::int64_t>(value));
  }
  return index_tensor(ids, shape);
}

// Dimension along which an output names classes; none: it is no classification.
bool classifies(const nets::Shape& output) {
  return output.size() == 2 || output.size() == 3;
}

bool ends_in_softmax(const nets::Node& node) {
  if (const auto* op = std::get_if<nets::Activation>(&node.op))
    return op->function == nets::Function::softmax;
  if (const auto* op = std::get_if<nets::Linear>(&node.op)) return op->activation == nets::Function::softmax;
  return false;
}

const nets::Node& node_at(const nets::Graph& graph, nets::NodeId id) {
  return graph.nodes[static_cast<std::size_t>(id)];
}

}  // namespace

GraphModel::GraphModel(const nets::Graph& graph, const EngineOptions& options)
    : graph_(graph),
      seed_(options.seed),
      drawn_inputs_(graph.nodes.size()),
      drawn_labels_(graph.nodes.size()) {
  refuse_unknown(graph);
  refuse_single_values(graph);
  layout_ = weight_layout(graph_);
  parameters_ = flat_array(layout_.parameter_count);
  statistics_ = flat_array(layout_.statistics_count);
  draw_initial_values(graph_, layout_, seed_, {parameters(), statistics()});
  const auto worker = static_cast<std::uint64_t>(options.worker);
  pass_.generator = at::detail::createCPUGenerator(Rng(seed_).stream("dropout", worker).bits());
  make_leaves();
  make_steps();
}

std::span<float> GraphModel::span_of(const at::Tensor& flat) {
  return {flat.data_ptr<float>(), static_cast<std::size_t>(flat.numel())};
}

void GraphModel::make_leaves() {
  for (const PlacedTensor& tensor : layout_.parameters) {
    leaves_.push_back(part_of(parameters_, tensor).set_requires_grad(true));
  }
  for (const PlacedTensor& tensor : layout_.statistics) moving_.push_back(part_of(statistics_, tensor));
}

OpWeights GraphModel::weights_of(nets::NodeId id) const {
  OpWeights weights;
  const auto take = [&](const PlacedTensor& tensor, const at::Tensor& values) {
    if (tensor.node == id && (tensor.role == "weight" || tensor.role == "value")) weights.weight = values;
    if (tensor.node == id && tensor.role == "bias") weights.bias = values;
    if (tensor.node == id && tensor.role == "running_mean") weights.running_mean = values;
    if (tensor.node == id && tensor.role == "running_var") weights.running_var = values;
  };
  for (std::size_t i = leaves_.size(); i-- > 0;) {  // the last layers stand first
    take(layout_.parameters[i], leaves_[i]);
    if (layout_.parameters[i].node == id) weights.all.push_back(leaves_[i]);
  }
  for (std::size_t i = 0; i < moving_.size(); ++i) take(layout_.statistics[i], moving_[i]);
  if (const auto owner = node_at(graph_, id).weight_of) weights.weight = weights_of(*owner).weight;
  return weights;
}

void GraphModel::make_steps() {
  const std::vector<int> overwritten = overwritten_inputs(graph_);
  std::vector<std::size_t> last_reader(graph_.nodes.size(), 0);
  for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
    const nets::Node& node = graph_.nodes[i];
    const auto id = static_cast<nets::NodeId>(i);
    if (Kernel kernel = make_kernel({graph_, node, weights_of(id), overwritten[i]})) {
      steps_.push_back({.node = id, .kernel = std::move(kernel)});
    }
    for (const nets::NodeId input : node.inputs) last_reader[static_cast<std::size_t>(input)] = i;
  }
  for (Step& step : steps_) {
    const auto self = static_cast<std::size_t>(step.node);
    for (const nets::NodeId input : node_at(graph_, step.node).inputs) {
      const bool kept = std::ranges::find(graph_.outputs, input) != graph_.outputs.end();
      if (!kept && last_reader[static_cast<std::size_t>(input)] == self) step.dead.push_back(input);
    }
  }
}

NodeValues GraphModel::bind(const input::Batch& batch) {
  NodeValues values(graph_.nodes.size());
  bool used = batch.values.empty();
  for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
    const auto* input = std::get_if<nets::Input>(&graph_.nodes[i].op);
    if (input == nullptr) continue;
    const auto id = static_cast<nets::NodeId>(i);
    const std::int64_t count = nets::element_count(input->shape);
    if (!used && static_cast<std::int64_t>(batch.values.size()) != count) {
      throw InputError("a batch of " + std::to_string(batch.values.size()) + " values for an input of " +
                       nets::to_string(input->shape));
    }
    if (!used) {
      used = true;
      values[i] = input->indices
                      ? ids_from_values(batch.values, input->shape, token_range(graph_, id))
                      // Read only: no kernel overwrites the value of an input.
                      : at::from_blob(const_cast<float*>(batch.values.data()), input->shape, at::kFloat);
      continue;
    }
    at::Tensor& drawn = drawn_inputs_[i];
    const Draw draw{seed_, "inputs", id};
    if (!drawn.defined() && input->indices) {
      drawn = index_tensor(drawn_indices(draw, count, token_range(graph_, id)), input->shape);
    } else if (!drawn.defined()) {
      drawn = at::from_blob(drawn_numbers(draw, count).data(), input->shape, at::kFloat).clone();
    }
    values[i] = drawn;
  }
  return values;
}

at::Tensor GraphModel::labels(nets::NodeId output, const input::Batch& batch) {
  const nets::Shape& shape = node_at(graph_, output).output;
  const std::int64_t rows = nets::element_count(shape) / shape.back();
  if (static_cast<std::int64_t>(batch.labels.size()) == rows) {
    const auto [low, high] = std::ranges::minmax(batch.labels);
    if (low < 0 || high >= shape.back()) {
      throw InputError("a batch holds the label " + std::to_string(low < 0 ? low : high) +
                       ", the network knows 0 to " + std::to_string(shape.back() - 1));
    }
    return index_tensor(batch.labels, {rows});
  }
  if (shape.size() == 2 && !batch.labels.empty()) {
    throw InputError(std::to_string(batch.labels.size()) + " labels for a batch of " + std::to_string(rows));
  }
  at::Tensor& drawn = drawn_labels_[static_cast<std::size_t>(output)];
  if (!drawn.defined())
    drawn = index_tensor(drawn_indices({seed_, "labels", output}, rows, shape.back()), {rows});
  return drawn;
}

at::Tensor GraphModel::loss(const NodeValues& values, const input::Batch& batch) {
  at::Tensor total;
  for (const nets::NodeId id : graph_.outputs) {
    const at::Tensor& value = values[static_cast<std::size_t>(id)];
    const nets::Shape& shape = node_at(graph_, id).output;
    at::Tensor part;
    if (!classifies(shape)) {
      part = at::mean(at::square(value));
    } else if (ends_in_softmax(node_at(graph_, id))) {
      const at::Tensor shares = value.reshape({-1, shape.back()});
      part =
          at::nll_loss(at::log(at::clamp_min(shares, std::numeric_limits<float>::min())), labels(id, batch));
    } else {
      part = at::cross_entropy_loss(value.reshape({-1, shape.back()}), labels(id, batch));
    }
    total = total.defined() ? at::add(total, part) : part;
  }
  return total;
}

measure::TestScore GraphModel::score(const NodeValues& values, const input::Batch& batch) {
  const nets::NodeId id = graph_.outputs.at(0);
  const nets::Shape& shape = node_at(graph_, id).output;
  if (!classifies(shape)) return {.samples = shape.at(0), .correct = 0};
  const at::Tensor truth = labels(id, batch);
  const at::Tensor guess = at::argmax(values[static_cast<std::size_t>(id)].reshape({-1, shape.back()}), 1);
  return {.samples = truth.numel(), .correct = at::eq(guess, truth).sum().item<std::int64_t>()};
}

}  // namespace sextant::engine
