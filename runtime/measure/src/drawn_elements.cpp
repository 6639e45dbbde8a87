// Drawn networks of what exported graphs are full of: functions, arithmetic, reductions, moved values. Values
// stay between a half and three halves, where every function has one.
#include <vector>

#include "drawn_layers.h"

namespace sextant::measure {
namespace {

using nets::Arithmetic;
using nets::Function;
using nets::GraphBuilder;
using nets::Tensor;

// Every value of an enumeration, as long as its operator has a name of its own.
template <class Kind, class Op>
std::vector<Kind> named_kinds(Op (*make)(Kind), const std::string& unnamed) {
  std::vector<Kind> kinds;
  for (int i = 0; nets::type_name(make(static_cast<Kind>(i))) != unnamed; ++i)
    kinds.push_back(static_cast<Kind>(i));
  return kinds;
}

Tensor bounded(GraphBuilder& g, Tensor x) {
  return g.add(nets::Scale{0.5, Arithmetic::add}, {g.activation(x, Function::sigmoid)});
}

Tensor through_functions(GraphBuilder& g, Tensor x) {
  const auto functions =
      named_kinds<Function, nets::Activation>([](Function f) { return nets::Activation{f}; }, "activation");
  for (const Function function : functions) {
    nets::Activation op{function};
    if (function == Function::clip) op = {function, 0.1, 1.2};
    x = bounded(g, g.add(op, {x}));
  }
  return x;
}

// With a tensor of the same shape, then with one value for each channel.
Tensor through_arithmetic(GraphBuilder& g, Tensor x) {
  const auto kinds =
      named_kinds<Arithmetic, nets::Binary>([](Arithmetic k) { return nets::Binary{k}; }, "binary");
  const nets::Shape shape = g.shape(x);
  for (const Arithmetic kind : kinds) {
    const bool compares = !nets::passes_gradient(nets::Binary{kind});
    const Tensor same = g.add(nets::Scale{0.9}, {x});
    const Tensor y = g.add(nets::Binary{kind}, {x, same});
    x = bounded(g, compares ? g.add(nets::Where{}, {y, x, same}) : y);
    if (!compares) x = g.add(nets::Scale{1.5, kind}, {x});
    x = bounded(g, x);
    const Tensor each = g.add(nets::Parameter{{shape[1], 1, 1}}, {});
    const Tensor wide = g.add(nets::Binary{kind}, {x, g.activation(each, Function::exp)});
    x = bounded(g, compares ? g.add(nets::Where{}, {wide, x, same}) : wide);
  }
  return x;
}

// Along one axis and along two, each spread over the map again.
Tensor through_reductions(GraphBuilder& g, Tensor x) {
  using nets::Reduction;
  const auto kinds =
      named_kinds<Reduction, nets::Reduce>([](Reduction k) { return nets::Reduce{.kind = k}; }, "reduce");
  const nets::Shape s = g.shape(x);
  for (const Reduction kind : kinds) {
    const Tensor plane = g.add(nets::Reduce{kind, {2, 3}}, {x});
    const Tensor spread = g.add(nets::Expand{s}, {g.add(nets::Reshape{{s[0], s[1], 1, 1}}, {plane})});
    x = bounded(g, g.sum(x, spread));
    const Tensor across = g.add(nets::Reduce{kind, {1}}, {x});
    x = bounded(g, g.sum(x, g.add(nets::Reshape{{s[0], 1, s[2], s[3]}}, {across})));
  }
  return x;
}

// Rows that constants name, zeros around maps, neighbours in channels, other orders of axes.
Tensor through_moves(GraphBuilder& g, LayerDraws& draws, Tensor x) {
  const nets::Shape s = g.shape(x);
  nets::Constant places{{s[1]}, true, {}};
  for (std::int64_t i = 0; i < s[1]; ++i)
    places.values.push_back(static_cast<double>(draws.whole(0, s[1] - 1)));
  x = g.add(nets::Gather{.axis = 1}, {x, g.add(std::move(places), {})});
  x = g.add(nets::LocalResponseNorm{.size = 5}, {x});
  x = g.add(nets::ZeroPad{nets::pad_all(draws.whole(1, 3))}, {x});
  x = g.add(nets::Slice{.axis = 2, .begin = 1, .end = s[2] + 1}, {x});
  x = g.add(nets::Slice{.axis = 3, .begin = 1, .end = s[3] + 1}, {x});
  x = g.add(nets::Transpose{{0, 2, 3, 1}}, {x});
  x = g.add(nets::Reshape{{s[0], s[2] * s[3], s[1]}}, {x});
  x = g.dropout(g.activation(x, Function::softmax), 0.2);
  return g.add(nets::Reshape{s}, {g.add(nets::Transpose{{0, 2, 1}}, {x})});
}

Tensor everything(GraphBuilder& g, LayerDraws& draws, Tensor image, double elements) {
  const nets::Shape s = g.shape(image);
  const double pixels = static_cast<double>(s[0] * s[2] * s[3]);
  const std::int64_t channels = std::max<std::int64_t>(4, std::lround(elements / pixels));
  Tensor x = bounded(g, g.conv(image, channels, nets::square(1)));
  x = through_moves(g, draws, through_functions(g, x));
  x = through_moves(g, draws, through_reductions(g, through_arithmetic(g, bounded(g, x))));
  return g.linear(g.flatten(g.adaptive_pool(x, nets::square(1))), 20);
}

}  // namespace

// The same at two sizes: overheads show in one, rates in the other.
nets::Graph drawn_elements(const std::string& name, LayerDraws draws, std::int64_t batch) {
  GraphBuilder g(name);
  const std::int64_t side = draws.whole(7, 28);
  const Tensor image = g.add(nets::Input{{batch, 3, side, side}}, {});
  const Tensor large = everything(g, draws, image, draws.about(3e4, 2.5e5));
  const Tensor small = everything(g, draws, image, draws.about(2e3, 3e4));
  return g.finish({large, small});
}

}  // namespace sextant::measure
