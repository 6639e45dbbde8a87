#include "op_cost.h"

#include "overloaded.h"
#include "sextant/nets/parameters.h"

namespace sextant::nets {
namespace {

constexpr double kTokenIdBytes = 8;

// Floating-point operations per element, forward and backward. Conventions: these operators are
// bound by memory, so the counts hardly matter.
struct PerElement {
  double forward;
  double backward;
};

PerElement function_flops(Function function) {
  switch (function) {
    case Function::relu:
    case Function::relu6:
    case Function::leaky_relu:
    case Function::clip:
    case Function::abs:
    case Function::sqrt:
    case Function::reciprocal:
      return {1, 1};
    case Function::hard_swish:
    case Function::hard_sigmoid:
      return {3, 3};
    case Function::tanh:
    case Function::sigmoid:
    case Function::silu:
    case Function::elu:
    case Function::softplus:
    case Function::exp:
    case Function::log:
    case Function::erf:
    case Function::sin:
    case Function::cos:
      return {4, 4};
    case Function::softmax:
      return {5, 4};
    case Function::gelu:
    case Function::gelu_tanh:
      return {8, 12};
  }
  return {1, 1};
}

// Sizes of one node in plain numbers; the rules below read like the table of the page.
struct TensorSizes {
  double element = 4;  // bytes
  double in = 0;       // elements of the first input
  double ins = 0;      // elements of all inputs
  double out = 0;      // elements
  double weights = 0;  // trainable elements, tied ones included
};

struct Rule {
  const Graph& graph;
  const Node& node;
  GradientNeeds needs;
  TensorSizes s;
  OpCost cost;

  [[nodiscard]] const Shape& input(std::size_t i) const {
    return graph.nodes.at(static_cast<std::size_t>(node.inputs.at(i))).output;
  }
  void forward(double flops, double elements) {
    cost.forward += Flops{flops};
    cost.forward_bytes += Bytes{elements * s.element};
  }
  void backward(double flops, double elements) {
    cost.backward += Flops{flops};
    cost.backward_bytes += Bytes{elements * s.element};
  }
  void element_wise(PerElement flops, double forward_tensors, double backward_tensors) {
    forward(flops.forward * s.out, forward_tensors * s.out);
    if (needs.inputs) backward(flops.backward * s.out, backward_tensors * s.out);
  }

  // Convolution and linear layers: dX and dW cost one forward each; the first layer makes no dX.
  void matrix(std::int64_t macs, bool bias, const std::optional<Function>& activation) {
    cost.macs = macs;
    const double work = 2 * static_cast<double>(macs);
    forward(work, s.in + s.weights + s.out);
    if (needs.weights) backward(work, s.in + s.out + s.weights);
    if (needs.inputs) backward(work, s.out + s.weights + s.in);
    if (bias) forward(s.out, 0);
    if (bias && needs.weights) backward(s.out, s.out);
    if (!activation) return;
    const PerElement flops = function_flops(*activation);
    forward(flops.forward * s.out, 0);  // in the same kernel
    if (needs.weights || needs.inputs) backward(flops.backward * s.out, 3 * s.out);
  }

  void operator()(const Conv& op) {
    const Shape& x = input(0);
    matrix(checked_product({element_count(node.output), x[1] / op.groups, op.kernel.depth, op.kernel.height,
                            op.kernel.width}),
           op.bias, op.activation);
  }
  // Every input element meets every weight of its filters once.
  void operator()(const ConvTranspose& op) {
    matrix(checked_product({element_count(input(0)), op.out_channels / op.groups, op.kernel.depth,
                            op.kernel.height, op.kernel.width}),
           op.bias, {});
  }
  void operator()(const Linear& op) {
    matrix(checked_product({element_count(node.output), input(0).back()}), op.bias, op.activation);
  }
  void operator()(const MatMul&) {
    cost.macs = checked_product({element_count(node.output), input(0).back()});
    const double work = 2 * static_cast<double>(cost.macs);
    forward(work, s.ins + s.out);
    if (needs.inputs) backward(2 * work, 2 * (s.ins + s.out));
  }
  void operator()(const BatchNorm&) {
    forward(8 * s.out, 3 * s.out);  // x twice, y once
    backward(11 * s.out, 5 * s.out);
  }
  void operator()(const LayerNorm& op) {
    const double rows = s.out / static_cast<double>(node.output.back());
    const double statistics = (op.centre ? 2 : 1) * kStatisticBytes * rows;  // mean and deviation of a row
    forward((op.centre ? 6 : 4) * s.out, 2 * s.out);
    cost.forward_bytes += Bytes{statistics};
    if (!needs.inputs && !needs.weights) return;
    backward((op.centre ? 11 : 8) * s.out, 3 * s.out);
    cost.backward_bytes += Bytes{statistics};
  }
  void operator()(const GroupNorm&) {  // as batch norm: a group is too long to be read once
    forward(8 * s.out, 3 * s.out);
    if (needs.inputs || needs.weights) backward(11 * s.out, 5 * s.out);
  }
  // Input projections of all positions are one product; those of the state follow each other. Gates and cell
  // states are written once and read once.
  void operator()(const Recurrent& op) {
    const std::int64_t units = element_count(node.output);  // directions included
    const std::int64_t from_input = checked_product({units, gates(op.cell), input(0).back()});
    const std::int64_t from_state = checked_product({units, gates(op.cell), op.hidden});
    cost.macs = checked_sum(from_input, from_state);
    const auto work = 2 * static_cast<double>(cost.macs);
    const double inner = 2 * recurrent_states(op) * s.out;
    const double point_wise = (op.cell == Cell::rnn ? 4 : op.cell == Cell::gru ? 18 : 24) * s.out;
    forward(work + point_wise, s.in + s.weights + s.out + inner);
    if (op.bias) forward(2 * static_cast<double>(gates(op.cell)) * s.out, 0);
    backward(work + 2 * static_cast<double>(from_state) + point_wise, s.in + s.weights + s.out + 2 * inner);
    backward(0, s.weights);
    if (needs.inputs) backward(2 * static_cast<double>(from_input), s.in);
  }
  // Queries by keys and weights by values, for the pairs that are seen; backward makes the scores again, so
  // it has five such products for the two of forward.
  void operator()(const Attention& op) {
    const Shape& q = input(0);
    const std::int64_t pairs = attended_pairs(op, q[1], input(1)[1]);
    cost.macs = checked_product({q[0], pairs, checked_sum(q[2], node.output[2])});
    if (op.picks > 0) {
      const std::int64_t all = attended_pairs(op.mask, q[1], input(1)[1]);
      cost.macs = checked_sum(cost.macs, checked_product({q[0], all, input(3)[2]}));
    }
    const double work = 2 * static_cast<double>(cost.macs);
    const double softmax = function_flops(Function::softmax).forward;
    const double scores = static_cast<double>(pairs) * static_cast<double>(checked_product({q[0], op.heads}));
    const double sums = kStatisticBytes * static_cast<double>(checked_product({q[0], q[1], op.heads}));
    forward(work + softmax * scores, s.ins + s.out);
    cost.forward_bytes += Bytes{sums};
    if (!needs.inputs) return;
    backward(2.5 * work + 2 * softmax * scores, 2 * s.ins + 2 * s.out);
    cost.backward_bytes += Bytes{2 * sums};
  }
  void operator()(const Rotary&) { element_wise({3, 3}, 2, 2); }
  // Places are sorted by expert and back; the weights of all experts are read, since some place meets each.
  void operator()(const Experts& op) {
    const std::int64_t places = checked_product({input(0)[0], input(0)[1], op.per_token});
    cost.macs = checked_product({places, op.gated ? 3 : 2, op.inner, input(0)[2]});
    const double work = 2 * static_cast<double>(cost.macs);
    const auto inner = static_cast<double>(checked_product({places, op.inner}));
    const auto outer = static_cast<double>(checked_product({places, input(0)[2]}));
    const double gates = (op.gated ? 2 : 1) * inner;
    const PerElement flops = function_flops(op.activation);
    forward(work + flops.forward * inner + 2 * outer, s.weights + 4 * outer + 2 * gates + 2 * inner);
    backward(2 * work + flops.backward * inner + 2 * outer,
             2 * s.weights + 7 * outer + 3 * gates + 3 * inner);
  }
  // The state is read for the key where that is corrected, changed, and read for the query: two or three
  // products a place and value head.
  void operator()(const DeltaRule& op) {
    const std::int64_t key = input(0)[2] / op.key_heads;
    cost.macs = checked_product({element_count(node.output), op.corrects ? 3 : 2, key});
    const double work = 2 * static_cast<double>(cost.macs);
    forward(work, s.ins + s.out);
    backward(2 * work, 2 * s.ins + 2 * s.out);
  }
  void operator()(const LocalResponseNorm&) { element_wise({5, 8}, 2, 4); }  // running sum over the window
  void operator()(const Activation& op) { element_wise(function_flops(op.function), 2, 3); }
  void operator()(const Pool& op) {
    const auto window = static_cast<double>(op.kernel.cells());
    forward(window * s.out, s.in + s.out);
    const double spread = op.kind == PoolKind::max ? 1 : window;
    if (needs.inputs) backward(spread * s.out, s.in + s.out);
  }
  void operator()(const AdaptivePool&) { reduce(); }
  void operator()(const Reduce&) { reduce(); }
  // Nearest copies; linear weighs the two neighbours of every dimension.
  void operator()(const Resize& op) {
    const double neighbours = static_cast<double>(std::size_t{1} << (node.output.size() - 2));
    const double flops = op.mode == Interpolation::nearest ? 0 : 2 * neighbours * s.out;
    forward(flops, s.in + s.out);
    if (needs.inputs) backward(op.mode == Interpolation::nearest ? s.out : flops, s.in + s.out);
  }
  void operator()(const Where&) {
    forward(s.out, s.ins + s.out);
    if (needs.inputs) backward(s.out, s.ins + s.out);
  }
  void operator()(const Binary&) {
    forward(s.out, s.ins + s.out);
    if (needs.inputs && passes_gradient(node.op)) backward(s.out, s.ins + s.out);
  }
  void operator()(const Scale&) {
    forward(s.out, 2 * s.out);
    if (needs.inputs && passes_gradient(node.op)) backward(s.out, 2 * s.out);
  }
  void operator()(const Dropout&) {
    element_wise({2, 1}, 2, 2);
    cost.forward_bytes += Bytes{s.out};  // the mask, a byte each
    if (needs.inputs) cost.backward_bytes += Bytes{s.out};
  }
  void operator()(const Concat&) { element_wise({0, 0}, 2, 2); }
  void operator()(const Transpose&) { element_wise({0, 0}, 2, 2); }
  void operator()(const ZeroPad&) {
    forward(0, s.in + s.out);
    if (needs.inputs) backward(0, s.in + s.out);
  }
  void operator()(const Expand&) {
    forward(0, s.in + s.out);
    if (needs.inputs) backward(s.out, s.in + s.out);  // a sum over the copies
  }
  void operator()(const Gather&) {
    const double indices = kTokenIdBytes * static_cast<double>(element_count(input(1)));
    forward(0, 2 * s.out);
    cost.forward_bytes += Bytes{indices};
    if (!needs.inputs) return;
    backward(s.out, s.in + 3 * s.out);  // zeros first, then scatter-add
    cost.backward_bytes += Bytes{indices};
  }
  void operator()(const Embedding&) {
    forward(0, 2 * s.out);
    cost.forward_bytes += Bytes{kTokenIdBytes * s.in};
    backward(s.out, 3 * s.out);  // scatter-add reads, adds, writes
    cost.backward_bytes += Bytes{kTokenIdBytes * s.in};
  }
  void operator()(const Opaque&) {  // a lower bound: it must at least read and write its tensors
    forward(0, s.ins + s.out);
    if (needs.inputs) backward(0, s.ins + s.out);
  }
  // Views of memory that is already there, and values that exist before the step.
  void operator()(const Flatten&) {}
  void operator()(const Reshape&) {}
  void operator()(const Slice&) {}
  void operator()(const Input&) {}
  void operator()(const Parameter&) {}
  void operator()(const Constant&) {}

 private:
  void reduce() {
    forward(s.in, s.in + s.out);
    if (needs.inputs) backward(s.in, s.in + s.out);
  }
};

double weight_elements(const Graph& graph, const Node& node) {
  double elements = 0;
  for (const auto& weight : weight_tensors(graph, node)) {
    if (weight.trainable) elements += static_cast<double>(element_count(weight.shape));
  }
  if (node.weight_of) {
    elements += weight_elements(graph, graph.nodes.at(static_cast<std::size_t>(*node.weight_of)));
  }
  return elements;
}

}  // namespace

double recurrent_states(const Recurrent& layer) {
  return static_cast<double>(gates(layer.cell)) + (layer.cell == Cell::lstm ? 1 : 0);
}

OpCost op_cost(const Graph& graph, const Node& node, GradientNeeds needs, Precision precision) {
  TensorSizes sizes{.element = element_size(precision).value,
                    .in = 0,
                    .ins = 0,
                    .out = static_cast<double>(element_count(node.output)),
                    .weights = weight_elements(graph, node)};
  for (const NodeId id : node.inputs) {
    const auto elements =
        static_cast<double>(element_count(graph.nodes.at(static_cast<std::size_t>(id)).output));
    if (id == node.inputs.front()) sizes.in = elements;
    sizes.ins += elements;
  }
  Rule rule{graph, node, needs, sizes, {}};
  std::visit([&](const auto& op) { rule(op); }, node.op);
  for (const auto& weight : weight_tensors(graph, node)) {
    (weight.trainable ? rule.cost.parameters : rule.cost.statistics) += element_count(weight.shape);
  }
  return rule.cost;
}

}  // namespace sextant::nets
