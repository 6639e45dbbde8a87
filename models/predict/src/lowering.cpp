#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "lower_op.h"
#include "sextant/nets/parameters.h"
#include "sextant/predict/kernel.h"

namespace sextant::predict {
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
  Lowering(const nets::Graph& graph, const jobs::Job& job)
      : graph_(graph),
        train_(job.mode == jobs::Mode::train),
        optimizer_(job.optimizer),
        context_{graph, element_size(job.precision).value} {
    consumers_.resize(graph.nodes.size());
    needs_gradient_.resize(graph.nodes.size());
    nodes_.resize(graph.nodes.size());
  }

  std::vector<NodeKernels> run() {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) visit(i);
    if (train_) sum_gradients_at_forks();
    return std::move(nodes_);
  }

 private:
  void visit(std::size_t i) {
    const nets::Node& node = graph_.nodes[i];
    bool inputs = false;
    for (const nets::NodeId id : node.inputs) {
      inputs = inputs || needs_gradient_[static_cast<std::size_t>(id)];
      ++consumers_[static_cast<std::size_t>(id)];
    }
    bool weights = node.weight_of.has_value();
    for (const auto& weight : weight_tensors(graph_, node)) {
      if (!weight.trainable) continue;
      weights = true;
      if (train_) keep_weight(static_cast<double>(nets::element_count(weight.shape)), nodes_[i]);
    }
    needs_gradient_[i] = weights || (inputs && nets::passes_gradient(node.op));
    lower_forward(context_, node, nodes_[i].forward);
    if (train_ && needs_gradient_[i]) lower_backward(context_, node, inputs, nodes_[i].backward);
  }

  // Gradients kept between steps are set to zero (one pass), then added to (three). The update reads weight
  // and gradient and writes the weight; each state value is read and written.
  void keep_weight(double elements, NodeKernels& node) const {
    node.update.push_back(moving(KernelKind::accumulate, 2 * context_.element_bytes * elements, elements));
    node.update.back().launches = 2;
    if (optimizer_ == jobs::Optimizer::none) return;
    const double passes = update_tensors(optimizer_);
    node.update.push_back(moving(KernelKind::update, passes * 4 * elements, elements));
  }

  // A tensor that several operators read gets a gradient from each; they are added up.
  void sum_gradients_at_forks() {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      if (!needs_gradient_[i] || consumers_[i] < 2) continue;
      const auto elements = static_cast<double>(nets::element_count(graph_.nodes[i].output));
      Kernel sum = moving(KernelKind::elementwise, 3 * elements * context_.element_bytes, elements);
      sum.launches = consumers_[i] - 1;
      nodes_[i].backward.push_back(sum);
    }
  }

  const nets::Graph& graph_;
  bool train_;
  jobs::Optimizer optimizer_;
  LoweringContext context_;
  std::vector<int> consumers_;
  std::vector<bool> needs_gradient_;
  std::vector<NodeKernels> nodes_;
};

// What the program calls and copies for a node, whatever its kernels.
void count_calls(const nets::Node& node, KernelList& list) {
  const auto* input = std::get_if<nets::Input>(&node.op);
  if (input != nullptr) {
    const double width = input->indices ? 8 : 4;  // images are copied as fp32 and cast on the device
    list.input_bytes += width * static_cast<double>(nets::element_count(node.output));
  }
  if (!nets::is_given(node.op)) ++list.calls;
}

}  // namespace

std::string_view to_string(KernelKind kind) {
  return kNames.at(static_cast<std::size_t>(kind));
}

bool is_matrix_like(KernelKind kind) {
  return kind <= KernelKind::batched_gemm;
}

std::vector<NodeKernels> lower_nodes(const nets::Graph& graph, const jobs::Job& job) {
  return Lowering(graph, job).run();
}

KernelList lower(const nets::Graph& graph, const jobs::Job& job) {
  KernelList list;
  for (const nets::Node& node : graph.nodes) count_calls(node, list);
  for (const NodeKernels& node : lower_nodes(graph, job)) {
    list.kernels.insert(list.kernels.end(), node.forward.begin(), node.forward.end());
    for (const auto* unasked : {&node.backward, &node.update}) {
      list.kernels.insert(list.kernels.end(), unasked->begin(), unasked->end());
      for (const Kernel& k : *unasked) list.gradients += k.launches;
    }
  }
  merge_equal(list.kernels);
  return list;
}

}  // namespace sextant::predict
