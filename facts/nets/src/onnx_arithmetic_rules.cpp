// Element-wise operators: activations, sums and products.
#include <algorithm>
#include <cmath>

#include "onnx_fold.h"
#include "onnx_translate.h"
#include "sextant/core/error.h"

namespace sextant::nets {
namespace {

template <Function function>
bool activation(OnnxStep& s) {
  if (!s.is_tensor(0)) return false;
  s.result(s.emit(Activation{function}, {s.tensor(0)}));
  return true;
}

// Bounds are attributes up to opset 10, inputs afterwards. Only ReLU and ReLU6 have a name here.
bool clip(OnnxStep& s) {
  if (!s.is_tensor(0)) return false;
  const auto bound = [&](const char* attribute, std::size_t i) -> std::optional<double> {
    if (const double* value = s.node.find<double>(attribute)) return *value;
    return s.given(i) ? std::optional(s.number(i).value_or(std::nan(""))) : std::nullopt;
  };
  const auto low = bound("min", 1);
  const auto high = bound("max", 2);
  if (low != 0.0 || (high && *high != 6.0 && *high < 1e30) || (high && std::isnan(*high))) return false;
  s.result(s.emit(Activation{high == 6.0 ? Function::relu6 : Function::relu}, {s.tensor(0)}));
  return true;
}

double factor(Arithmetic kind, std::optional<double> constant) {
  if (!constant || !std::isfinite(*constant)) return 1;
  if (kind == Arithmetic::multiply) return *constant;
  return kind == Arithmetic::divide && *constant != 0 ? 1 / *constant : 1;
}

bool spreads_over(const Shape& constant, const Shape& x) {
  if (constant.size() > x.size()) return false;
  return std::equal(constant.rbegin(), constant.rend(), x.rbegin(),
                    [](auto c, auto e) { return c == 1 || c == e; });
}

template <Arithmetic kind>
bool binary(OnnxStep& s) {
  if (!s.given(0) || !s.given(1) || s.node.inputs.size() != 2) return false;
  for (const std::size_t side : {0, 1}) {
    const OnnxConstant* c = s.constant(1 - side);
    // A number, or values that no training changes: a pass over the tensor with a constant.
    if (c == nullptr || !c->weight.empty() || !s.is_tensor(side)) continue;
    if (!spreads_over(c->dims, s.shape(side))) return false;
    const bool divisor = side == 0 || kind != Arithmetic::divide;
    s.result(s.emit(Scale{divisor ? factor(kind, s.number(1 - side)) : 1}, {s.tensor(side)}));
    return true;
  }
  s.result(s.emit(Binary{kind}, {s.tensor(0), s.tensor(1)}));
  return true;
}

bool sum(OnnxStep& s) {
  if (s.node.inputs.empty() || !s.given(0)) return false;
  Tensor total = s.tensor(0);
  for (std::size_t i = 1; i < s.node.inputs.size(); ++i) {
    if (s.given(i)) total = s.emit(Binary{Arithmetic::add}, {total, s.tensor(i)});
  }
  s.result(total);
  return true;
}

bool negate(OnnxStep& s) {
  if (!s.is_tensor(0)) return false;
  s.result(s.emit(Scale{-1}, {s.tensor(0)}));
  return true;
}

}  // namespace

const std::map<std::string, OnnxRule>& onnx_arithmetic_rules() {
  static const std::map<std::string, OnnxRule> rules = {
      {"Relu", activation<Function::relu>},
      {"Sigmoid", activation<Function::sigmoid>},
      {"Tanh", activation<Function::tanh>},
      {"Gelu", activation<Function::gelu>},
      {"Silu", activation<Function::silu>},
      {"HardSwish", activation<Function::hard_swish>},
      {"HardSigmoid", activation<Function::hard_sigmoid>},
      {"Softmax", activation<Function::softmax>},
      {"LogSoftmax", activation<Function::softmax>},  // the same passes, and a logarithm that is lost in them
      {"Clip", clip},
      {"Add", binary<Arithmetic::add>},
      {"Sub", binary<Arithmetic::subtract>},
      {"Mul", binary<Arithmetic::multiply>},
      {"Div", binary<Arithmetic::divide>},
      {"Pow", binary<Arithmetic::power>},
      {"Sum", sum},
      {"Neg", negate},
  };
  return rules;
}

}  // namespace sextant::nets
