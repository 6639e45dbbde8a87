#include "dense_chain.h"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "float_runs.h"
#include "sextant/nets/op.h"
#include "weight_layout.h"

namespace sextant::engine {
namespace {

// As CBLAS numbers them.
enum class Order { rows = 101 };
enum class Side { as_is = 111, transposed = 112 };
using Sgemm = void(Order, Side, Side, int, int, int, float, const float*, int, const float*, int, float,
                   float*, int);

// libtorch is linked with whatever provides libblas.so.3, so it is looked up.
Sgemm* find_sgemm() {
  return reinterpret_cast<Sgemm*>(dlsym(RTLD_DEFAULT, "cblas_sgemm"));
}

struct DenseLayer {
  int in = 0;
  int out = 0;
  bool relu = false;
  std::size_t weight = 0;  // offsets in the parameters; the weight is out x in
  std::optional<std::size_t> bias = {};
};

std::optional<std::size_t> offset_of(const WeightLayout& layout, nets::NodeId node, const char* role) {
  for (const PlacedTensor& tensor : layout.parameters) {
    if (tensor.node == node && tensor.role == role) return static_cast<std::size_t>(tensor.offset);
  }
  return {};
}

bool is_relu(const std::optional<nets::Function>& function) {
  return function == nets::Function::relu;
}

// Input, flatten, linear layers with relu between them, and a linear layer at the end; else nothing.
std::vector<DenseLayer> layers_of(const nets::Graph& graph) {
  const WeightLayout layout = weight_layout(graph);
  std::vector<DenseLayer> layers;
  if (graph.outputs.size() != 1 || layout.statistics_count > 0) return {};
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const nets::Node& node = graph.nodes[i];
    const bool follows =
        i == 0 ? node.inputs.empty() : node.inputs == std::vector<nets::NodeId>{static_cast<int>(i) - 1};
    if (!follows || node.weight_of) return {};
    if (const auto* linear = std::get_if<nets::Linear>(&node.op)) {
      if (linear->activation && !is_relu(linear->activation)) return {};
      if (!layers.empty() && !layers.back().relu) return {};
      const nets::Shape& from = graph.nodes[static_cast<std::size_t>(node.inputs[0])].output;
      const auto weight = offset_of(layout, static_cast<int>(i), "weight");
      if (!weight || from.size() != 2) return {};
      layers.push_back({.in = static_cast<int>(from[1]),
                        .out = static_cast<int>(linear->out_features),
                        .relu = linear->activation.has_value(),
                        .weight = *weight,
                        .bias = offset_of(layout, static_cast<int>(i), "bias")});
    } else if (const auto* activation = std::get_if<nets::Activation>(&node.op)) {
      if (layers.empty() || layers.back().relu || activation->function != nets::Function::relu) return {};
      layers.back().relu = true;
    } else if (!std::holds_alternative<nets::Input>(node.op) &&
               !std::holds_alternative<nets::Flatten>(node.op)) {
      return {};
    }
  }
  const bool ends = graph.outputs[0] == static_cast<int>(graph.nodes.size()) - 1;
  if (layers.empty() || layers.back().relu || !ends) return {};
  return layers;
}

class DenseChain final : public federated::LocalModel {
 public:
  DenseChain(std::vector<DenseLayer> layers, std::unique_ptr<measure::Replica> replica, Sgemm* sgemm)
      : layers_(std::move(layers)),
        replica_(std::move(replica)),
        sgemm_(sgemm),
        values_(layers_.size() + 1) {}

  std::span<float> parameters() override { return replica_->parameters(); }
  std::span<float> statistics() override { return replica_->statistics(); }

  double train(const federated::Samples& samples, const federated::LocalWork& work) override {
    work_ = &work;
    const std::span<float> weights = parameters();
    const bool keeps_velocity = work.momentum > 0 || work.proximal > 0;
    velocity_.assign(keeps_velocity ? weights.size() : 0, 0);
    if (work.proximal > 0) start_.assign(weights.begin(), weights.end());
    federated::BatchOrder order(samples.count(), work.batch, work.order);
    double sum = 0;
    for (std::int64_t step = 0; step < work.steps; ++step) {
      gather(samples, order.next());
      forward(static_cast<int>(work.batch));
      sum += loss_and_slope();
      backward(static_cast<int>(work.batch));
    }
    return sum / static_cast<double>(work.steps);
  }

  std::vector<float> scores(const federated::Samples& samples) override {
    constexpr std::int64_t kAtOnce = 256;
    std::vector<float> all;
    std::vector<std::int64_t> rows;
    for (std::int64_t first = 0; first < samples.count(); first += kAtOnce) {
      rows.clear();
      for (std::int64_t i = first; i < std::min(first + kAtOnce, samples.count()); ++i) rows.push_back(i);
      gather(samples, rows);
      forward(static_cast<int>(rows.size()));
      all.insert(all.end(), values_.back().begin(), values_.back().end());
    }
    return all;
  }

 private:
  void gather(const federated::Samples& samples, std::span<const std::int64_t> rows) {
    values_[0].resize(rows.size() * static_cast<std::size_t>(samples.width));
    labels_.resize(rows.size());
    auto place = values_[0].begin();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      place = std::ranges::copy(samples.sample(rows[i]), place).out;
      labels_[i] = samples.labels[static_cast<std::size_t>(rows[i])];
    }
  }

  void forward(int rows) {
    const std::span<const float> weights = parameters();
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      const DenseLayer& layer = layers_[l];
      std::vector<float>& to = values_[l + 1];
      const auto width = static_cast<std::size_t>(layer.out);
      to.resize(static_cast<std::size_t>(rows) * width);
      for (std::size_t i = 0; i < to.size(); i += width) {
        if (layer.bias) {
          std::ranges::copy(weights.subspan(*layer.bias, width), to.begin() + static_cast<std::ptrdiff_t>(i));
        } else {
          std::fill_n(to.begin() + static_cast<std::ptrdiff_t>(i), width, 0.0F);
        }
      }
      sgemm_(Order::rows, Side::as_is, Side::transposed, rows, layer.out, layer.in, 1, values_[l].data(),
             layer.in, weights.data() + layer.weight, layer.in, 1, to.data(), layer.out);
      if (layer.relu) clear_negative(to);
    }
  }

  // Mean cross entropy; its slope at the scores is left in slope_.
  double loss_and_slope() {
    const auto width = static_cast<std::size_t>(layers_.back().out);
    const std::vector<float>& scores = values_.back();
    slope_.resize(scores.size());
    const float share = 1.0F / static_cast<float>(labels_.size());
    double sum = 0;
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      const float* row = scores.data() + i * width;
      float* slope = slope_.data() + i * width;
      const auto label = static_cast<std::size_t>(labels_[i]);
      if (label >= width) throw std::logic_error("a label that the network does not know");
      const float most = *std::max_element(row, row + width);
      float total = 0;
      for (std::size_t c = 0; c < width; ++c) total += slope[c] = std::exp(row[c] - most);
      for (std::size_t c = 0; c < width; ++c) slope[c] *= share / total;
      slope[label] -= share;
      sum += std::log(static_cast<double>(total)) + most - row[label];
    }
    return sum / static_cast<double>(labels_.size());
  }

  // From the last layer to the first; a layer's weights change after the slope below them is known.
  void backward(int rows) {
    float* weights = parameters().data();
    for (std::size_t l = layers_.size(); l-- > 0;) {
      const DenseLayer& layer = layers_[l];
      if (l > 0) {
        below_.resize(values_[l].size());
        sgemm_(Order::rows, Side::as_is, Side::as_is, rows, layer.in, layer.out, 1, slope_.data(), layer.out,
               weights + layer.weight, layer.in, 0, below_.data(), layer.in);
        clear_where_not_positive(below_, values_[l]);
      }
      update(l, rows);
      std::swap(slope_, below_);
    }
  }

  void update(std::size_t index, int rows) {
    const DenseLayer& layer = layers_[index];
    const auto rate = static_cast<float>(work_->learning_rate);
    const bool direct = velocity_.empty();
    float* to = direct ? parameters().data() : velocity_.data();
    const float factor = direct ? -rate : 1;
    const float kept = direct ? 1 : static_cast<float>(work_->momentum);
    sgemm_(Order::rows, Side::transposed, Side::as_is, layer.out, layer.in, rows, factor, slope_.data(),
           layer.out, values_[index].data(), layer.in, kept, to + layer.weight, layer.in);
    if (layer.bias) {
      const auto width = static_cast<std::size_t>(layer.out);
      sums_.assign(width, 0);
      for (int r = 0; r < rows; ++r)
        add(sums_, std::span(slope_).subspan(static_cast<std::size_t>(r) * width, width));
      float* bias = to + *layer.bias;
      for (std::size_t o = 0; o < width; ++o) bias[o] = kept * bias[o] + factor * sums_[o];
    }
    if (direct) return;
    move(layer.weight, static_cast<std::size_t>(layer.in) * static_cast<std::size_t>(layer.out));
    if (layer.bias) move(*layer.bias, static_cast<std::size_t>(layer.out));
  }

  // Along the velocity, to which the pull towards the start belongs.
  void move(std::size_t offset, std::size_t count) {
    const std::span<float> weight = parameters().subspan(offset, count);
    const std::span<float> velocity = std::span(velocity_).subspan(offset, count);
    if (work_->proximal > 0) {
      pull(velocity, static_cast<float>(work_->proximal), weight, std::span(start_).subspan(offset, count));
    }
    add_times(weight, -static_cast<float>(work_->learning_rate), velocity);
  }

  std::vector<DenseLayer> layers_;
  std::unique_ptr<measure::Replica> replica_;
  Sgemm* sgemm_;
  const federated::LocalWork* work_ = nullptr;
  std::vector<std::vector<float>> values_;  // the input, then each layer's
  std::vector<std::int64_t> labels_;
  std::vector<float> slope_;
  std::vector<float> below_;
  std::vector<float> sums_;
  std::vector<float> velocity_;
  std::vector<float> start_;
};

}  // namespace

std::unique_ptr<federated::LocalModel> dense_chain(const nets::Graph& graph,
                                                   std::unique_ptr<measure::Replica>& replica) {
  Sgemm* sgemm = find_sgemm();
  std::vector<DenseLayer> layers = layers_of(graph);
  if (sgemm == nullptr || layers.empty()) return nullptr;
  return std::make_unique<DenseChain>(std::move(layers), std::move(replica), sgemm);
}

}  // namespace sextant::engine
