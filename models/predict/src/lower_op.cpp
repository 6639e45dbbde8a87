#include "lower_op.h"

#include <algorithm>

#include "lower_transformer.h"

namespace sextant::predict {
namespace {

double count(const nets::Shape& shape) {
  return static_cast<double>(nets::element_count(shape));
}

double last(const nets::Shape& shape) {
  return static_cast<double>(shape.back());
}

// The three directions of a convolution, as kinds.
struct ConvKinds {
  KernelKind forward, input_grad, filter_grad;
};

ConvKinds kinds_of(std::int64_t groups, double channels_per_group) {
  if (groups == 1) return {KernelKind::conv, KernelKind::conv_input_grad, KernelKind::conv_filter_grad};
  if (channels_per_group == 1) {
    return {KernelKind::depthwise, KernelKind::depthwise_input_grad, KernelKind::depthwise_filter_grad};
  }
  return {KernelKind::grouped, KernelKind::grouped_input_grad, KernelKind::grouped_filter_grad};
}

// A convolution as matrix product: rows are output pixels of the batch, columns output channels,
// the contraction runs over the window and the input channels of a group.
struct ConvView {
  ConvKinds kinds;
  Kernel kernel;  // forward
  double input = 0;
  double weights = 0;
  double output = 0;
};

struct ConvSizes {
  double groups, channels, outputs;  // channels and outputs of one group
  double input, output;              // elements
};

template <class Layer>
ConvView view_of(const ConvSizes& s, const Layer& layer, double element_bytes) {
  const ConvKinds kinds = kinds_of(layer.groups, s.channels);
  const nets::Extent kernel = layer.kernel;
  const nets::Extent stride = layer.stride;
  const auto window = static_cast<double>(kernel.cells());
  ConvView v{.kinds = kinds, .kernel = {}, .input = s.input, .weights = 0, .output = s.output};
  v.weights = s.groups * s.outputs * s.channels * window;
  Kernel& k = v.kernel;
  k.kind = kinds.forward;
  k.gemm = {s.groups, s.output / (s.groups * s.outputs), s.outputs, s.channels * window};
  k.flop = 2 * s.output * s.channels * window;
  k.bytes = element_bytes * (v.input + v.weights + v.output);
  k.elements = v.output;
  k.window = window;
  k.stride = static_cast<double>(std::max(stride.height, stride.width));
  return v;
}

ConvView view(const LoweringContext& c, const nets::Node& node, const nets::Conv& op) {
  const nets::Shape in = c.graph.input_shapes(node).at(0);
  const auto groups = static_cast<double>(op.groups);
  const double channels = static_cast<double>(in.at(1)) / groups;
  return view_of(
      {groups, channels, static_cast<double>(op.out_channels) / groups, count(in), count(node.output)}, op,
      c.element_bytes);
}

// The convolution that this one turns around, from its result to its argument: forward is the gradient of
// that convolution's input, and the gradient of the argument is that convolution.
ConvView view(const LoweringContext& c, const nets::Node& node, const nets::ConvTranspose& op) {
  const nets::Shape in = c.graph.input_shapes(node).at(0);
  const auto groups = static_cast<double>(op.groups);
  const double channels = static_cast<double>(op.out_channels) / groups;
  return view_of({groups, channels, static_cast<double>(in.at(1)) / groups, count(node.output), count(in)},
                 op, c.element_bytes);
}

// Rows are now input pixels; the contraction runs over the window and the output channels.
Kernel input_grad(const ConvView& v) {
  Kernel k = v.kernel;
  k.kind = v.kinds.input_grad;
  const GemmShape& f = v.kernel.gemm;
  k.gemm = {f.batch, v.input / (f.batch * f.k / k.window), f.k / k.window, f.n * k.window};
  k.elements = v.input;
  return k;
}

// Rows are the weights of a filter; the contraction runs over all pixels of the batch.
Kernel filter_grad(const ConvView& v) {
  Kernel k = v.kernel;
  k.kind = v.kinds.filter_grad;
  const GemmShape& f = v.kernel.gemm;
  k.gemm = {f.batch, f.k, f.n, f.m};
  k.elements = v.weights;
  return k;
}

GemmShape linear_shape(const LoweringContext& c, const nets::Node& node) {
  const double features = last(c.graph.input_shapes(node).at(0));
  const double outputs = last(node.output);
  return {1, count(node.output) / outputs, outputs, features};
}

// One recurrent layer: all positions meet the input's weights at once, then one position after another the
// state's.
struct RecurrentView {
  double positions = 0;
  double directions = 1;
  GemmShape input;  // of one direction
  GemmShape state;  // of one position of one direction
};

RecurrentView recurrent_view(const LoweringContext& c, const nets::Node& node, const nets::Recurrent& op) {
  const nets::Shape in = c.graph.input_shapes(node).at(0);
  const auto rows = static_cast<double>(in.at(0) * in.at(1));
  const auto positions = static_cast<double>(in.at(op.time_first ? 0 : 1));
  const auto outputs = static_cast<double>(nets::gates(op.cell) * op.hidden);
  return {positions,
          op.bidirectional ? 2.0 : 1.0,
          {1, rows, outputs, last(in)},
          {1, rows / positions, outputs, static_cast<double>(op.hidden)}};
}

GemmShape matmul_shape(const LoweringContext& c, const nets::Node& node) {
  const nets::Shape a = c.graph.input_shapes(node).at(0);
  const double n = last(node.output);
  const auto m = static_cast<double>(node.output.at(node.output.size() - 2));
  return {count(node.output) / (m * n), m, n, last(a)};
}

// Kernels that a function takes, and the tensors that they move; PyTorch's tanh form of GELU is not
// one kernel but eight, its gradient eleven.
struct Passes {
  double launches = 1;
  double tensors = 2;  // moved by each
};

// PyTorch spells RMSNorm out: square, mean, root, two products.
constexpr Passes kRmsNorm = {5, 1.4};
constexpr Passes kRmsNormGrad = {8, 1.8};

Passes forward_passes(nets::Function function) {
  return function == nets::Function::gelu_tanh ? Passes{8, 2.25} : Passes{};
}

Passes backward_passes(nets::Function function) {
  return function == nets::Function::gelu_tanh ? Passes{11, 2.4} : Passes{1, 3};
}

class ForwardRules {
 public:
  ForwardRules(const LoweringContext& c, const nets::Node& node, std::vector<Kernel>& out)
      : c_(c), node_(node), out_(out), elements_(count(node.output)) {}

  void operator()(const nets::Conv& op) const {
    out_.push_back(view(c_, node_, op).kernel);
    if (op.bias && !op.activation) move(KernelKind::elementwise, 2);
  }
  void operator()(const nets::Linear& op) const {
    out_.push_back(product(KernelKind::gemm, linear_shape(c_, node_), c_.element_bytes));
    if (op.activation) activate(*op.activation);
  }
  void operator()(const nets::MatMul&) const {
    out_.push_back(product(KernelKind::batched_gemm, matmul_shape(c_, node_), c_.element_bytes));
  }
  void operator()(const nets::BatchNorm&) const { move(KernelKind::batch_norm, 3); }
  void operator()(const nets::ConvTranspose& op) const {
    out_.push_back(input_grad(view(c_, node_, op)));
    if (op.bias) move(KernelKind::elementwise, 2);
  }
  void operator()(const nets::LayerNorm& op) const {
    if (op.centre) return move(KernelKind::layer_norm, 2);
    move(KernelKind::elementwise, kRmsNorm.tensors);
    out_.back().launches = kRmsNorm.launches;
  }
  void operator()(const nets::GroupNorm&) const { move(KernelKind::batch_norm, 3); }
  void operator()(const nets::Recurrent& op) const {
    const RecurrentView v = recurrent_view(c_, node_, op);
    out_.push_back(product(KernelKind::gemm, v.input, c_.element_bytes));
    out_.back().launches = v.directions;
    out_.push_back(product(KernelKind::gemm, v.state, c_.element_bytes));
    out_.back().launches = v.directions * v.positions;
    const double elements = v.state.m * (v.state.n + v.state.k);
    out_.push_back(moving(KernelKind::elementwise, elements * c_.element_bytes, v.state.m * v.state.k));
    out_.back().launches = v.directions * v.positions;
  }
  void operator()(const nets::Attention& op) const { attention_kernels(c_, node_, op, out_); }
  void operator()(const nets::Experts& op) const { experts_kernels(c_, node_, op, out_); }
  void operator()(const nets::DeltaRule& op) const { delta_rule_kernels(c_, node_, op, out_); }
  void operator()(const nets::Rotary&) const { move(KernelKind::elementwise, 2); }
  void operator()(const nets::Resize&) const { move_between(KernelKind::copy); }
  void operator()(const nets::Where&) const { move_between(KernelKind::elementwise); }
  void operator()(const nets::Gather&) const { move(KernelKind::gather, 2); }
  void operator()(const nets::Expand&) const { move_between(KernelKind::copy); }
  void operator()(const nets::LocalResponseNorm&) const { move(KernelKind::elementwise, 3); }
  void operator()(const nets::Activation& op) const { activate(op.function); }
  void operator()(const nets::Pool&) const { move_between(KernelKind::pool); }
  void operator()(const nets::AdaptivePool&) const { move_between(KernelKind::pool); }
  void operator()(const nets::Binary&) const { move(KernelKind::elementwise, 3); }
  void operator()(const nets::Scale&) const { move(KernelKind::elementwise, 2); }
  void operator()(const nets::Concat&) const { move(KernelKind::copy, 2); }
  void operator()(const nets::Transpose&) const { move(KernelKind::copy, 2); }
  void operator()(const nets::ZeroPad&) const { move(KernelKind::copy, 2); }
  void operator()(const nets::Embedding&) const { move(KernelKind::gather, 2); }
  void operator()(const nets::Reduce&) const { move_between(KernelKind::reduction); }
  void operator()(const nets::Opaque&) const { move_between(KernelKind::elementwise); }
  // Views and values cost nothing; dropout is costed where it runs, in training.
  void operator()(const auto&) const {}

 private:
  void activate(nets::Function function) const {
    if (function == nets::Function::softmax) {
      if (node_.output.size() == 4) move(KernelKind::elementwise, 2);  // attention scores are masked first
      return move(KernelKind::softmax, 2);
    }
    const Passes p = forward_passes(function);
    move(KernelKind::elementwise, p.tensors);
    out_.back().launches = p.launches;
  }
  void move(KernelKind kind, double tensors) const {
    out_.push_back(moving(kind, tensors * elements_ * c_.element_bytes, elements_));
  }
  void move_between(KernelKind kind) const {
    double inputs = 0;
    for (const nets::Shape& shape : c_.graph.input_shapes(node_)) inputs += count(shape);
    out_.push_back(moving(kind, (inputs + elements_) * c_.element_bytes, elements_));
  }

  const LoweringContext& c_;
  const nets::Node& node_;
  std::vector<Kernel>& out_;
  double elements_;
};

class BackwardRules {
 public:
  BackwardRules(const LoweringContext& c, const nets::Node& node, bool input_gradient,
                std::vector<Kernel>& out)
      : c_(c), node_(node), input_gradient_(input_gradient), out_(out), elements_(count(node.output)) {}

  void operator()(const nets::Conv& op) const {
    if (op.activation) deactivate(*op.activation);
    if (op.bias) move(KernelKind::reduction, 1);
    const ConvView v = view(c_, node_, op);
    if (input_gradient_) out_.push_back(input_grad(v));
    out_.push_back(filter_grad(v));
  }
  void operator()(const nets::Linear& op) const {
    if (op.activation) deactivate(*op.activation);
    if (op.bias) move(KernelKind::reduction, 1);
    const GemmShape g = linear_shape(c_, node_);
    if (input_gradient_) out_.push_back(product(KernelKind::gemm, {1, g.m, g.k, g.n}, c_.element_bytes));
    out_.push_back(product(KernelKind::gemm, {1, g.k, g.n, g.m}, c_.element_bytes));
  }
  void operator()(const nets::MatMul&) const {
    const GemmShape g = matmul_shape(c_, node_);
    out_.push_back(product(KernelKind::batched_gemm, {g.batch, g.m, g.k, g.n}, c_.element_bytes));
    out_.push_back(product(KernelKind::batched_gemm, {g.batch, g.k, g.n, g.m}, c_.element_bytes));
  }
  void operator()(const nets::BatchNorm&) const { move(KernelKind::batch_norm_grad, 5); }
  void operator()(const nets::ConvTranspose& op) const {
    if (op.bias) move(KernelKind::reduction, 1);
    const ConvView v = view(c_, node_, op);
    if (input_gradient_) out_.push_back(v.kernel);
    out_.push_back(filter_grad(v));
  }
  void operator()(const nets::LayerNorm& op) const {
    if (op.centre) return move(KernelKind::layer_norm_grad, 5);
    move(KernelKind::elementwise, kRmsNormGrad.tensors);
    out_.back().launches = kRmsNormGrad.launches;
  }
  void operator()(const nets::GroupNorm&) const { move(KernelKind::batch_norm_grad, 5); }
  // Positions are gone through backwards; the gradients of both matrices are one product each at the end.
  void operator()(const nets::Recurrent& op) const {
    const RecurrentView v = recurrent_view(c_, node_, op);
    const GemmShape& s = v.state;
    out_.push_back(moving(KernelKind::elementwise, 2 * s.m * (s.n + s.k) * c_.element_bytes, s.m * s.k));
    out_.back().launches = v.directions * v.positions;
    add(product(KernelKind::gemm, {1, s.m, s.k, s.n}, c_.element_bytes), v.directions * v.positions);
    add(product(KernelKind::gemm, {1, s.k, s.n, s.m * v.positions}, c_.element_bytes), v.directions);
    const GemmShape& i = v.input;
    add(product(KernelKind::gemm, {1, i.k, i.n, i.m}, c_.element_bytes), v.directions);
    if (input_gradient_) add(product(KernelKind::gemm, {1, i.m, i.k, i.n}, c_.element_bytes), v.directions);
  }
  void operator()(const nets::Attention& op) const { attention_grad_kernels(c_, node_, op, out_); }
  void operator()(const nets::Experts& op) const { experts_grad_kernels(c_, node_, op, out_); }
  void operator()(const nets::DeltaRule& op) const { delta_rule_grad_kernels(c_, node_, op, out_); }
  void operator()(const nets::Rotary&) const { move(KernelKind::elementwise, 2); }
  void operator()(const nets::Resize&) const { move_between(KernelKind::copy); }
  void operator()(const nets::Where&) const { move(KernelKind::elementwise, 3); }
  void operator()(const nets::Gather&) const { move(KernelKind::gather, 3); }
  void operator()(const nets::Expand&) const { move_between(KernelKind::reduction); }
  void operator()(const nets::LocalResponseNorm&) const { move(KernelKind::elementwise, 5); }
  void operator()(const nets::Activation& op) const { deactivate(op.function); }
  void operator()(const nets::Pool&) const { move_between(KernelKind::pool_grad); }
  void operator()(const nets::AdaptivePool&) const { move_between(KernelKind::pool_grad); }
  void operator()(const nets::Binary& op) const {
    // The gradient of a sum is passed on as it is; a product needs two of its own.
    if (op.kind == nets::Arithmetic::add || op.kind == nets::Arithmetic::subtract) return;
    move(KernelKind::elementwise, 3);
    out_.back().launches = 2;
  }
  void operator()(const nets::Scale&) const { move(KernelKind::elementwise, 2); }
  void operator()(const nets::Concat&) const { move(KernelKind::copy, 2); }
  void operator()(const nets::Transpose&) const { move(KernelKind::copy, 2); }
  void operator()(const nets::ZeroPad&) const { move(KernelKind::copy, 2); }
  void operator()(const nets::Slice&) const { move(KernelKind::copy, 2); }
  void operator()(const nets::Dropout&) const {
    move(KernelKind::elementwise, 2.25);
    out_.back().launches = 2;
  }
  void operator()(const nets::Embedding&) const { move(KernelKind::gather, 3); }
  void operator()(const nets::Reduce&) const { move_between(KernelKind::copy); }
  void operator()(const nets::Opaque&) const { move_between(KernelKind::elementwise); }
  void operator()(const auto&) const {}

 private:
  void deactivate(nets::Function function) const {
    if (function == nets::Function::softmax) return move(KernelKind::softmax_grad, 3);
    const Passes p = backward_passes(function);
    move(KernelKind::elementwise, p.tensors);
    out_.back().launches = p.launches;
  }
  void move(KernelKind kind, double tensors) const {
    out_.push_back(moving(kind, tensors * elements_ * c_.element_bytes, elements_));
  }
  void add(Kernel kernel, double launches) const {
    kernel.launches = launches;
    out_.push_back(kernel);
  }
  void move_between(KernelKind kind) const {
    const double inputs = count(c_.graph.input_shapes(node_).at(0));
    out_.push_back(moving(kind, (inputs + elements_) * c_.element_bytes, inputs));
  }

  const LoweringContext& c_;
  const nets::Node& node_;
  bool input_gradient_;
  std::vector<Kernel>& out_;
  double elements_;
};

}  // namespace

Kernel product(KernelKind kind, const GemmShape& g, double element_bytes) {
  Kernel k;
  k.kind = kind;
  k.gemm = g;
  k.flop = 2 * g.batch * g.m * g.n * g.k;
  k.elements = g.batch * g.m * g.n;
  k.bytes = element_bytes * (g.batch * (g.m * g.k + g.k * g.n) + k.elements);
  return k;
}

Kernel moving(KernelKind kind, double bytes, double elements) {
  Kernel k;
  k.kind = kind;
  k.bytes = bytes;
  k.elements = elements;
  return k;
}

void lower_forward(const LoweringContext& context, const nets::Node& node, std::vector<Kernel>& out) {
  std::visit(ForwardRules{context, node, out}, node.op);
}

void lower_backward(const LoweringContext& context, const nets::Node& node, bool input_gradient,
                    std::vector<Kernel>& out) {
  std::visit(BackwardRules{context, node, input_gradient, out}, node.op);
}

}  // namespace sextant::predict
