#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "lower_op.h"
#include "sextant/nets/parameters.h"
#include "sextant/predict/kernel.h"

namespace sextant {
namespace {

constexpr std::array<std::string_view, kKernelKinds> kNames = {
    "conv",
    "conv-input-grad",
    "conv-filter-grad",
    "grouped",
    "grouped-input-grad",
    "grouped-filter-grad",
    "depthwise",
    "depthwise-input-grad",
    "depthwise-filter-grad",
    "gemm",
    "batched-gemm",
    "elementwise",
    "batch-norm",
    "batch-norm-grad",
    "layer-norm",
    "layer-norm-grad",
    "softmax",
    "softmax-grad",
    "pool",
    "pool-grad",
    "reduction",
    "copy",
    "gather",
    "update",
    "accumulate",
};

auto shape_key(const Kernel& k) {
  return std::tuple(k.kind, k.flop, k.bytes, k.elements, k.gemm.batch, k.gemm.m, k.gemm.n, k.gemm.k, k.window,
                    k.stride);
}

// Networks repeat their blocks; a device takes as long for each repetition.
void merge_equal(std::vector<Kernel>& kernels) {
  std::ranges::sort(kernels, {}, shape_key);
  std::vector<Kernel> merged;
  for (const Kernel& k : kernels) {
    if (!merged.empty() && shape_key(merged.back()) == shape_key(k)) {
      merged.back().launches += k.launches;
    } else {
      merged.push_back(k);
    }
  }
  kernels = std::move(merged);
}

class Lowering {
 public:
  Lowering(const Graph& graph, const TrainingJob& job)
      : graph_(graph), train_(job.mode == Mode::train), context_{graph, element_size(job.precision).value} {
    consumers_.resize(graph.nodes.size());
    needs_gradient_.resize(graph.nodes.size());
  }

  KernelList run(Optimizer optimizer) {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) visit(i);
    if (train_) {
      sum_gradients_at_forks();
      accumulate_gradients();
      if (optimizer != Optimizer::none) update_weights(optimizer);
    }
    for (const Kernel& k : out_.kernels) out_.gradients += k.launches;
    out_.gradients -= forward_launches_;
    merge_equal(out_.kernels);
    return std::move(out_);
  }

 private:
  void visit(std::size_t i) {
    const Node& node = graph_.nodes[i];
    if (const auto* input = std::get_if<Input>(&node.op)) {
      const double width = input->indices ? 8 : 4;  // images are copied as fp32 and cast on the device
      out_.input_bytes += width * static_cast<double>(element_count(node.output));
    }
    bool inputs = false;
    for (const NodeId id : node.inputs) {
      inputs = inputs || needs_gradient_[static_cast<std::size_t>(id)];
      ++consumers_[static_cast<std::size_t>(id)];
    }
    const bool weights = count_weights(node);
    needs_gradient_[i] = inputs || weights;
    if (!std::holds_alternative<Input>(node.op) && !std::holds_alternative<Parameter>(node.op)) ++out_.calls;
    const std::size_t before = out_.kernels.size();
    lower_forward(context_, node, out_.kernels);
    for (std::size_t k = before; k < out_.kernels.size(); ++k) forward_launches_ += out_.kernels[k].launches;
    if (train_ && needs_gradient_[i]) lower_backward(context_, node, inputs, out_.kernels);
  }

  bool count_weights(const Node& node) {
    bool trains = node.weight_of.has_value();
    for (const auto& weight : weight_tensors(graph_, node)) {
      if (!weight.trainable) continue;
      trains = true;
      weights_.push_back(static_cast<double>(element_count(weight.shape)));
    }
    return trains;
  }

  // A tensor that several operators read gets a gradient from each; they are added up.
  void sum_gradients_at_forks() {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      if (!needs_gradient_[i] || consumers_[i] < 2) continue;
      const auto elements = static_cast<double>(element_count(graph_.nodes[i].output));
      Kernel sum = moving(KernelKind::elementwise, 3 * elements * context_.element_bytes, elements);
      sum.launches = consumers_[i] - 1;
      out_.kernels.push_back(sum);
    }
  }

  // Kept between steps: set to zero (one pass), then added to (three).
  void accumulate_gradients() {
    for (const double elements : weights_) {
      Kernel k = moving(KernelKind::accumulate, 2 * context_.element_bytes * elements, elements);
      k.launches = 2;
      out_.kernels.push_back(k);
    }
  }

  // Reads weight and gradient, writes the weight; each state value is read and written.
  void update_weights(Optimizer optimizer) {
    const double passes = 3 + 2 * optimizer_state_values(optimizer);
    for (const double elements : weights_) {
      out_.kernels.push_back(moving(KernelKind::update, passes * 4 * elements, elements));
    }
  }

  const Graph& graph_;
  bool train_;
  LoweringContext context_;
  std::vector<int> consumers_;
  std::vector<bool> needs_gradient_;
  std::vector<double> weights_;  // elements of each trainable tensor
  double forward_launches_ = 0;
  KernelList out_;
};

}  // namespace

std::string_view to_string(KernelKind kind) {
  return kNames.at(static_cast<std::size_t>(kind));
}

bool is_matrix_like(KernelKind kind) {
  return kind <= KernelKind::batched_gemm;
}

KernelList lower(const Graph& graph, const TrainingJob& job) {
  return Lowering(graph, job).run(job.optimizer);
}

}  // namespace sextant
