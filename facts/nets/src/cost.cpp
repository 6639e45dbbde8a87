#include "sextant/nets/cost.h"

#include <algorithm>

#include "op_cost.h"
#include "sextant/nets/parameters.h"

namespace sextant::nets {
namespace {

constexpr double kMaskBytes = 1;
constexpr double kIndexBytes = 8;  // PyTorch keeps where each maximum came from as well

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

struct KeptRules {
  const Graph& graph;
  const Node& node;
  double element;  // bytes
  double out = static_cast<double>(element_count(node.output));

  [[nodiscard]] double per_row() const {
    return kStatisticBytes * out / static_cast<double>(node.output.empty() ? 1 : node.output.back());
  }
  static Kept its_inputs(double extra = 0) { return {true, false, extra}; }

  Kept operator()(const Conv& op) const { return {true, op.activation.has_value(), 0}; }
  Kept operator()(const Linear& op) const { return {true, op.activation.has_value(), 0}; }
  Kept operator()(const ConvTranspose&) const { return its_inputs(); }
  Kept operator()(const MatMul&) const { return its_inputs(); }
  Kept operator()(const BatchNorm&) const { return its_inputs(); }
  Kept operator()(const Embedding&) const { return its_inputs(); }
  Kept operator()(const Opaque&) const { return its_inputs(); }
  // PyTorch has no kernel of its own for RMSNorm: what is scaled by weights is kept too.
  Kept operator()(const LayerNorm& op) const {
    return its_inputs(op.centre ? 2 * per_row() : per_row() + element * out);
  }
  Kept operator()(const GroupNorm& op) const {
    return its_inputs(2 * kStatisticBytes * static_cast<double>(node.output.at(0) * op.groups));
  }
  Kept operator()(const Recurrent& op) const { return {true, true, element * recurrent_states(op) * out}; }
  // Of each query and head the sum of its weights; scores are made again.
  Kept operator()(const Attention& op) const {
    return {true, true, kStatisticBytes * static_cast<double>(node.output[0] * node.output[1] * op.heads)};
  }
  // Places in the order of their experts, and what stands between the products.
  Kept operator()(const Experts& op) const {
    const double chosen = out / static_cast<double>(node.output.back()) * static_cast<double>(op.per_token);
    const auto inner = static_cast<double>(op.inner);
    const double values = static_cast<double>(node.output.back()) + (op.gated ? 3 : 2) * inner;
    return its_inputs(chosen * (element * values + kIndexBytes));
  }
  // States are kept once for every 64 places and made again between.
  Kept operator()(const DeltaRule&) const { return {true, true, 0}; }
  Kept operator()(const LocalResponseNorm&) const { return {true, true, 0}; }
  Kept operator()(const Activation& op) const {
    const bool output = gradient_from_output(op.function);
    return {!output, output, 0};
  }
  Kept operator()(const Pool& op) const {
    return op.kind == PoolKind::max ? its_inputs(kIndexBytes * out) : Kept{};
  }
  Kept operator()(const Binary& op) const {
    return {op.kind != Arithmetic::add && op.kind != Arithmetic::subtract, false, 0};
  }
  Kept operator()(const Scale& op) const { return {op.kind == Arithmetic::power, false, 0}; }
  Kept operator()(const Where&) const { return {false, false, kMaskBytes * out}; }
  Kept operator()(const Dropout&) const { return {false, false, kMaskBytes * out}; }
  Kept operator()(const Gather&) const {
    return {false, false, kIndexBytes * static_cast<double>(element_count(graph.input_shapes(node).at(1)))};
  }
  Kept operator()(const Reduce& op) const {
    const bool picks = op.kind == Reduction::max || op.kind == Reduction::min;
    return {picks, picks, 0};
  }
  Kept operator()(const auto&) const { return {}; }
};

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
    const Kept kept = std::visit(KeptRules{graph_, node, element_size(precision_).value}, node.op);
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
