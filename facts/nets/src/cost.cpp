#include "sextant/nets/cost.h"

#include <algorithm>

#include "op_cost.h"
#include "overloaded.h"
#include "sextant/nets/parameters.h"

namespace sextant::nets {
namespace {

constexpr double kPoolIndexBytes = 8;  // PyTorch keeps where each maximum came from
constexpr double kMaskBytes = 1;
constexpr double kIndexBytes = 8;

// Functions whose gradient follows from the result; the others need the input.
bool gradient_from_output(Function function) {
  return function == Function::relu || function == Function::relu6 || function == Function::tanh ||
         function == Function::sigmoid || function == Function::softmax || function == Function::exp ||
         function == Function::sqrt || function == Function::reciprocal;
}

// What a node keeps for its own backward pass: input tensors, its output, or extra bytes.
struct Kept {
  bool inputs = false;
  bool output = false;
  double extra_bytes = 0;
};

Kept kept_by(const Graph& graph, const Node& node, double element) {
  const auto out = static_cast<double>(element_count(node.output));
  const double per_row =
      kStatisticBytes * out / static_cast<double>(node.output.empty() ? 1 : node.output.back());
  return std::visit(
      Overloaded{
          [](const Conv& op) {
            return Kept{true, op.activation.has_value(), 0};
          },
          [](const Linear& op) {
            return Kept{true, op.activation.has_value(), 0};
          },
          [](const MatMul&) {
            return Kept{true, false, 0};
          },
          [](const BatchNorm&) {
            return Kept{true, false, 0};
          },
          [](const ConvTranspose&) {
            return Kept{true, false, 0};
          },
          // PyTorch has no kernel of its own for RMSNorm: what is scaled by weights is kept too.
          [&](const LayerNorm& op) {
            return op.centre ? Kept{true, false, 2 * per_row} : Kept{true, false, per_row + element * out};
          },
          [&](const GroupNorm& op) {
            return Kept{true, false,
                        2 * kStatisticBytes * static_cast<double>(node.output.at(0) * op.groups)};
          },
          [&](const Recurrent& op) {
            return Kept{true, true, element * recurrent_states(op) * out};
          },
          [](const LocalResponseNorm&) {
            return Kept{true, true, 0};
          },
          [](const Activation& op) {
            const bool output = gradient_from_output(op.function);
            return Kept{!output, output, 0};
          },
          [&](const Pool& op) {
            return op.kind == PoolKind::max ? Kept{true, false, kPoolIndexBytes * out} : Kept{};
          },
          [](const Binary& op) {
            return Kept{op.kind != Arithmetic::add && op.kind != Arithmetic::subtract, false, 0};
          },
          [](const Scale& op) {
            return Kept{op.kind == Arithmetic::power, false, 0};
          },
          [&](const Where&) {
            return Kept{false, false, kMaskBytes * out};
          },
          [&](const Gather&) {
            return Kept{false, false,
                        kIndexBytes * static_cast<double>(element_count(graph.input_shapes(node)[1]))};
          },
          [](const Reduce& op) {
            const bool picks = op.kind == Reduction::max || op.kind == Reduction::min;
            return Kept{picks, picks, 0};
          },
          [&](const Dropout&) {
            return Kept{false, false, kMaskBytes * out};
          },
          [](const Embedding&) {
            return Kept{true, false, 0};
          },
          [](const Opaque&) {
            return Kept{true, false, 0};
          },
          [](const auto&) { return Kept{}; },
      },
      node.op);
}

class CostPass {
 public:
  CostPass(const Graph& graph, Precision precision) : graph_(graph), precision_(precision) {
    const std::size_t n = graph.nodes.size();
    trains_.resize(n);
    storage_.resize(n);
    keep_.resize(n);
    result_.ops.resize(n);
  }

  GraphCost run() {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) visit(i);
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      if (keep_[i]) result_.ops[i].saved += tensor_bytes(i);
      result_.total += result_.ops[i];
    }
    result_.live_peak = live_peak();
    return std::move(result_);
  }

 private:
  void visit(std::size_t i) {
    const Node& node = graph_.nodes[i];
    storage_[i] = is_view(node.op) ? storage_[at(node.inputs.at(0))] : i;
    GradientNeeds needs;
    needs.weights = node.weight_of.has_value();
    for (const auto& weight : weight_tensors(graph_, node)) needs.weights |= weight.trainable;
    for (const NodeId id : node.inputs) needs.inputs |= trains_[at(id)];
    trains_[i] = needs.weights || (needs.inputs && passes_gradient(node.op));
    result_.ops[i] = op_cost(graph_, node, needs, precision_);
    result_.ops[i].output = is_view(node.op) ? Bytes{} : tensor_bytes(i);
    if (!trains_[i]) return;
    const Kept kept = kept_by(graph_, node, element_size(precision_).value);
    result_.ops[i].saved += Bytes{kept.extra_bytes};
    if (kept.output) keep_[i] = true;
    if (!kept.inputs) return;
    for (const NodeId id : node.inputs) {
      if (read_again(node, id)) keep_[storage_[at(id)]] = true;
    }
  }

  // A factor is needed for the gradient of the other one alone: nothing is kept for a constant's.
  [[nodiscard]] bool read_again(const Node& node, NodeId id) const {
    const auto* binary = std::get_if<Binary>(&node.op);
    if (binary == nullptr || binary->kind != Arithmetic::multiply) return true;
    const NodeId other = node.inputs.at(node.inputs[0] == id ? 1 : 0);
    return trains_[at(other)];
  }

  // Forward pass that frees each tensor after its last reader.
  [[nodiscard]] Bytes live_peak() const {
    const std::size_t n = graph_.nodes.size();
    std::vector<std::size_t> last_use(n);
    for (std::size_t i = 0; i < n; ++i) {
      last_use[i] = i;
      for (const NodeId id : graph_.nodes[i].inputs) last_use[storage_[at(id)]] = i;
    }
    for (const NodeId id : graph_.outputs) last_use[storage_[at(id)]] = n;
    std::vector<std::vector<std::size_t>> dies_after(n);
    Bytes live;
    Bytes peak;
    for (std::size_t i = 0; i < n; ++i) {
      if (storage_[i] == i) {
        live += tensor_bytes(i);
        if (last_use[i] < n) dies_after[last_use[i]].push_back(i);
      }
      peak = std::max(peak, live);
      for (const std::size_t dead : dies_after[i]) live = live - tensor_bytes(dead);
    }
    return peak;
  }

  // Token ids take 8 bytes; weights that stand in the graph as values are not activations.
  [[nodiscard]] Bytes tensor_bytes(std::size_t i) const {
    const Node& node = graph_.nodes[i];
    if (std::holds_alternative<Parameter>(node.op)) return Bytes{};
    const auto* input = std::get_if<Input>(&node.op);
    const auto* constant = std::get_if<Constant>(&node.op);
    const bool indices = (input != nullptr && input->indices) || (constant != nullptr && constant->indices);
    const Bytes element = indices ? Bytes{kIndexBytes} : element_size(precision_);
    return static_cast<double>(element_count(node.output)) * element;
  }

  static std::size_t at(NodeId id) { return static_cast<std::size_t>(id); }

  const Graph& graph_;
  Precision precision_;
  std::vector<bool> trains_;          // a gradient flows through this node's output
  std::vector<std::size_t> storage_;  // node that owns the memory, looking through views
  std::vector<bool> keep_;            // its output is needed by the backward pass
  GraphCost result_;
};

}  // namespace

OpCost& OpCost::operator+=(const OpCost& other) {
  parameters = checked_sum(parameters, other.parameters);
  statistics = checked_sum(statistics, other.statistics);
  macs = checked_sum(macs, other.macs);
  forward += other.forward;
  backward += other.backward;
  forward_bytes += other.forward_bytes;
  backward_bytes += other.backward_bytes;
  output += other.output;
  saved += other.saved;
  return *this;
}

GraphCost cost(const Graph& graph, Precision precision) {
  return CostPass(graph, precision).run();
}

}  // namespace sextant::nets
