#include "sextant/predict/operator_calls.h"

#include <algorithm>
#include <cmath>
#include <variant>

namespace sextant::predict {
namespace {

// Coordinates are x / scale. Scales were found by marginal likelihood on operators of random networks, and
// rounded: over so many e-folds efficiency changes a good deal.
class Coordinates {
 public:
  Coordinates& log(double value, double scale) {
    values_.push_back(std::log(std::max(value, 1.0)) / scale);
    return *this;
  }
  Coordinates& mark(bool holds, double scale) {
    values_.push_back(holds ? 1 / scale : 0);
    return *this;
  }
  std::vector<double> take() { return std::move(values_); }

 private:
  std::vector<double> values_;
};

struct Place {
  const nets::Graph& graph;
  const nets::Node& node;
  bool input_gradient = false;

  [[nodiscard]] const nets::Shape& in(std::size_t i = 0) const {
    return graph.nodes.at(static_cast<std::size_t>(node.inputs.at(i))).output;
  }
  [[nodiscard]] const nets::Op& op_before() const {
    return graph.nodes.at(static_cast<std::size_t>(node.inputs.at(0))).op;
  }
  [[nodiscard]] double elements() const { return static_cast<double>(nets::element_count(node.output)); }
  [[nodiscard]] double input_elements() const { return static_cast<double>(nets::element_count(in())); }
  // What lies behind batch and channels.
  [[nodiscard]] double pixels() const {
    const nets::Shape& out = node.output;
    double product = 1;
    for (std::size_t i = 2; i < out.size(); ++i) product *= static_cast<double>(out[i]);
    return product;
  }
  [[nodiscard]] double batch() const { return static_cast<double>(node.output.at(0)); }
  [[nodiscard]] double width() const { return static_cast<double>(node.output.back()); }
  [[nodiscard]] bool contiguous() const {
    return !std::holds_alternative<nets::Slice>(op_before()) &&
           !std::holds_alternative<nets::Transpose>(op_before());
  }
};

struct Point {
  std::string kind;
  std::vector<double> coordinates;
};

// What was timed on maps of two dimensions says little about sequences and volumes: kinds of their own.
std::string over_map(const std::string& kind, const nets::Shape& shape) {
  return shape.size() == 4 ? kind : kind + "-" + std::to_string(shape.size() - 2) + "d";
}

double longest(nets::Extent stride) {
  return static_cast<double>(std::max({stride.height, stride.width, stride.depth}));
}

// Vector libraries work on blocks of 8 or 16 channels; what does not fill them takes another way.
struct Points {
  const Place& p;

  [[nodiscard]] Point conv(const nets::Conv& op) const {
    const std::int64_t inputs = p.in().at(1) / op.groups;
    const std::int64_t outputs = op.out_channels / op.groups;
    const bool depthwise = op.groups > 1 && inputs == 1 && outputs == 1;
    const double stride = longest(op.stride);
    Coordinates c;
    c.mark(p.input_gradient, 0.7);
    if (depthwise) {
      c.log(p.batch() * p.pixels(), 4)
          .log(static_cast<double>(op.kernel.cells()), 0.4)
          .log(stride, 1)
          .log(p.width(), 1.2);
      c.log(p.batch(), 4).log(static_cast<double>(op.groups), 3);
      return {over_map("depthwise", p.in()),
              c.mark(op.groups % 8 == 0, 2).mark(op.groups % 16 == 0, 1.2).take()};
    }
    c.log(p.batch() * p.pixels(), 1.8)
        .log(static_cast<double>(op.kernel.cells()), 0.75)
        .log(stride, 1)
        .log(p.width(), 0.7);
    c.log(p.batch(), 0.8).log(static_cast<double>(inputs), 1.2).log(static_cast<double>(outputs), 0.9);
    c.mark(inputs % 8 == 0, 2).mark(inputs % 16 == 0, 2).mark(outputs % 8 == 0, 1.5);
    c.mark(outputs % 16 == 0, 1.5).mark(op.kernel.height == op.kernel.width, 2);
    if (op.groups == 1) return {over_map("conv", p.in()), c.take()};
    return {over_map("grouped-conv", p.in()), c.log(static_cast<double>(op.groups), 1).take()};
  }

  Point operator()(const nets::Conv& op) const { return conv(op); }
  Point operator()(const nets::Linear& op) const {
    const auto features = static_cast<double>(p.in().back());
    const auto outputs = static_cast<double>(op.out_features);
    Coordinates c;
    c.log(p.elements() / outputs, 0.6).log(features, 0.6).log(outputs, 1).log(features * outputs, 1.5);
    return {"linear", c.mark(p.input_gradient, 0.7).take()};
  }
  // As a convolution from its result to its argument; libraries have fewer ways to run it.
  Point operator()(const nets::ConvTranspose& op) const {
    const auto inputs = static_cast<double>(p.in().at(1));
    const auto outputs = static_cast<double>(op.out_channels);
    Coordinates c;
    c.mark(p.input_gradient, 0.7)
        .log(p.batch() * p.pixels(), 2)
        .log(static_cast<double>(op.kernel.cells()), 1);
    c.log(longest(op.stride), 1).log(inputs, 1.2).log(outputs, 1.2).log(static_cast<double>(op.groups), 1);
    return {over_map("conv-transpose", p.in()), c.take()};
  }
  Point operator()(const nets::MatMul&) const {
    const nets::Shape& out = p.node.output;
    const auto rows = static_cast<double>(out.at(out.size() - 2));
    const auto columns = static_cast<double>(out.back());
    Coordinates c;
    c.log(p.elements() / rows / columns, 1.5).log(rows, 1).log(columns, 1);
    return {"matmul", c.log(static_cast<double>(p.in().back()), 1).take()};
  }
  // A layout that it cannot read in order is copied first.
  Point operator()(const nets::LayerNorm&) const {
    Coordinates c;
    c.log(p.elements(), 2).log(static_cast<double>(p.in().back()), 1.5).mark(p.contiguous(), 0.7);
    return {type_name(p.node.op), c.take()};
  }
  Point operator()(const nets::Recurrent& op) const {
    const nets::Shape& in = p.in();
    Coordinates c;
    c.log(static_cast<double>(in.at(op.time_first ? 1 : 0)), 1)
        .log(static_cast<double>(in.at(op.time_first ? 0 : 1)), 1.5);
    c.log(static_cast<double>(in.back()), 1.5).log(static_cast<double>(op.hidden), 1);
    return {type_name(p.node.op), c.mark(op.bidirectional, 1).take()};
  }
  Point operator()(const nets::Resize& op) const {
    Coordinates c;
    c.log(p.elements(), 1.5).log(p.elements() / p.input_elements(), 1.5);
    return {over_map("resize", p.in()), c.mark(op.mode == nets::Interpolation::linear, 0.5).take()};
  }
  Point operator()(const nets::BatchNorm&) const {
    Coordinates c;
    c.log(p.elements(), 3).log(p.pixels(), 0.8);
    return {"batch-norm", c.log(static_cast<double>(p.node.output.at(1)), 4).take()};
  }
  Point operator()(const nets::Pool& op) const {
    Coordinates c;
    c.log(p.elements(), 3).log(static_cast<double>(op.kernel.cells()), 1).log(longest(op.stride), 0.8);
    return {over_map(op.kind == nets::PoolKind::max ? "max-pool" : "avg-pool", p.in()),
            c.log(p.width(), 2).take()};
  }
  Point operator()(const nets::AdaptivePool&) const {
    Coordinates c;
    return {over_map("adaptive-pool", p.in()),
            c.log(p.elements(), 1).log(p.input_elements() / p.elements(), 1).take()};
  }
  Point operator()(const nets::Concat&) const {
    Coordinates c;
    c.log(p.elements(), 0.8).log(p.pixels(), 1.2);
    return {"concat", c.log(static_cast<double>(p.node.inputs.size()), 1).take()};
  }
  // A copy where the layout does not allow a view.
  Point operator()(const nets::Reshape&) const { return moved(p.contiguous() ? "reshape" : "reshape-copy"); }
  Point operator()(const auto&) const { return moved(type_name(p.node.op)); }

  [[nodiscard]] Point moved(const std::string& kind) const {
    Coordinates c;
    return {kind, c.log(p.elements(), 1).log(p.pixels(), 2).take()};
  }
};

// Positions follow each other, and each reads the weights of the state again; backward adds to their
// gradient, too.
double reread_weights(const Place& place, const nets::Recurrent& layer, Direction direction) {
  constexpr double kFloat = 4;
  const auto positions = static_cast<double>(place.in().at(layer.time_first ? 0 : 1));
  const auto weights = static_cast<double>(nets::gates(layer.cell) * layer.hidden * layer.hidden);
  const double passes = direction == Direction::forward ? 1 : 3;
  return kFloat * passes * weights * (positions - 1) * (layer.bidirectional ? 2 : 1);
}

// What the counts of operators take for a view, and what copies all the same: a layout that no view can have,
// and gradients of parts (a slice, looked-up rows), which are the whole tensor, zeros included.
double copied_bytes(const Place& place, Direction direction) {
  constexpr double kReadAndWritten = 8;
  const bool shuffles = std::holds_alternative<nets::Reshape>(place.node.op) && !place.contiguous();
  if (shuffles) return kReadAndWritten * place.elements();
  if (const auto* layer = std::get_if<nets::Recurrent>(&place.node.op))
    return reread_weights(place, *layer, direction);
  if (direction == Direction::forward) return 0;
  if (const auto* table = std::get_if<nets::Embedding>(&place.node.op))
    return kReadAndWritten * static_cast<double>(table->entries * table->features);
  const bool widens = std::holds_alternative<nets::Slice>(place.node.op) ||
                      std::holds_alternative<nets::Gather>(place.node.op);
  return widens ? kReadAndWritten * place.input_elements() : 0;
}

// Exporters keep layers of dropout that were switched off.
bool does_nothing(const nets::Op& op) {
  const auto* dropout = std::get_if<nets::Dropout>(&op);
  return dropout != nullptr && dropout->rate <= 0;
}

}  // namespace

std::vector<OperatorCall> operator_calls(const nets::Graph& graph, const nets::GraphCost& cost,
                                         jobs::Mode mode) {
  std::vector<OperatorCall> calls;
  std::vector<bool> needs_gradient(graph.nodes.size());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const nets::Node& node = graph.nodes[i];
    const nets::OpCost& work = cost.ops.at(i);
    Place place{graph, node};
    for (const nets::NodeId id : node.inputs) {
      place.input_gradient = place.input_gradient || needs_gradient[static_cast<std::size_t>(id)];
    }
    const bool passes = place.input_gradient && nets::passes_gradient(node.op);
    needs_gradient[i] = passes || work.parameters > 0 || node.weight_of.has_value();
    if (nets::is_given(node.op) || does_nothing(node.op)) continue;
    Point point = std::visit(Points{place}, node.op);
    const auto add = [&](Direction direction, Flops flop, Bytes bytes) {
      const double moved = bytes.value + copied_bytes(place, direction);
      calls.push_back({point.kind, direction, i, flop.value, moved, point.coordinates});
    };
    add(Direction::forward, work.forward, work.forward_bytes);
    if (mode == jobs::Mode::train && needs_gradient[i]) {
      add(Direction::backward, work.backward, work.backward_bytes);
    }
  }
  return calls;
}

OperatorCall update_call(const nets::GraphCost& cost, jobs::Optimizer optimizer) {
  const auto parameters = static_cast<double>(cost.total.parameters);
  const double passes = update_tensors(optimizer);
  Coordinates c;
  return {.kind = "update",
          .direction = Direction::backward,
          .node = 0,
          .flop = 0,
          .bytes = optimizer == jobs::Optimizer::none ? 0 : 4 * passes * parameters,
          .coordinates = c.log(parameters, 1).take()};
}

double input_values(const nets::Graph& graph) {
  double values = 0;
  for (const nets::Node& node : graph.nodes) {
    if (std::holds_alternative<nets::Input>(node.op))
      values += static_cast<double>(nets::element_count(node.output));
  }
  return values;
}

}  // namespace sextant::predict
