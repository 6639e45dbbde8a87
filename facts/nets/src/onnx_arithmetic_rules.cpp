// Element-wise operators: functions, sums and products, comparisons, choices.
#include <algorithm>
#include <cmath>
#include <limits>

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

// Bounds are attributes up to opset 10, inputs afterwards. ReLU and ReLU6 have names of their own.
bool clip(OnnxStep& s) {
  if (!s.is_tensor(0) || s.is_tensor(1) || s.is_tensor(2)) return false;
  const auto bound = [&](const char* attribute, std::size_t i, double open) {
    if (const double* value = s.node.find<double>(attribute)) return *value;
    return s.given(i) ? s.number(i).value_or(open) : open;
  };
  constexpr double kOpen = std::numeric_limits<float>::max();
  const double low = bound("min", 1, -kOpen);
  const double high = bound("max", 2, kOpen);
  Activation op{Function::clip, low, high};
  if (low == 0 && high == 6) op = {Function::relu6};
  if (low == 0 && high > 1e30) op = {Function::relu};
  s.result(s.emit(op, {s.tensor(0)}));
  return true;
}

bool commutes(Arithmetic kind) {
  return kind != Arithmetic::subtract && kind != Arithmetic::divide && kind != Arithmetic::power &&
         kind != Arithmetic::less && kind != Arithmetic::greater;
}

// A number on the left of a tensor.
Tensor number_first(OnnxStep& s, Arithmetic kind, double value, Tensor x) {
  if (kind == Arithmetic::subtract) {
    const Tensor negated = s.emit(Scale{-1}, {x});
    return value == 0 ? negated : s.emit(Scale{value, Arithmetic::add}, {negated});
  }
  if (kind == Arithmetic::divide) {
    const Tensor inverse = s.emit(Activation{Function::reciprocal}, {x});
    return value == 1 ? inverse : s.emit(Scale{value}, {inverse});
  }
  if (kind == Arithmetic::less || kind == Arithmetic::greater) {
    return s.emit(Scale{value, kind == Arithmetic::less ? Arithmetic::greater : Arithmetic::less}, {x});
  }
  // value ^ x
  return s.emit(Activation{Function::exp}, {s.emit(Scale{value > 0 ? std::log(value) : 0}, {x})});
}

// A number that is as good as a scalar: spreading it over x gives x's shape.
std::optional<double> plain_number(const OnnxStep& s, std::size_t i, std::size_t other) {
  const OnnxConstant* c = s.constant(i);
  if (c == nullptr || !c->weight.empty() || c->dims.size() > s.shape(other).size()) return std::nullopt;
  const auto value = s.number(i);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

Tensor combined(OnnxStep& s, Arithmetic kind, std::size_t a, std::size_t b) {
  if (s.is_tensor(a)) {
    if (const auto value = plain_number(s, b, a)) return s.emit(Scale{*value, kind}, {s.tensor(a)});
  }
  if (s.is_tensor(b)) {
    if (const auto value = plain_number(s, a, b)) {
      return commutes(kind) ? s.emit(Scale{*value, kind}, {s.tensor(b)})
                            : number_first(s, kind, *value, s.tensor(b));
    }
  }
  return s.emit(Binary{kind}, {s.tensor(a), s.tensor(b)});
}

template <Arithmetic kind>
bool binary(OnnxStep& s) {
  if (!s.given(0) || !s.given(1) || s.node.inputs.size() != 2) return false;
  s.result(combined(s, kind, 0, 1));
  return true;
}

// Of any number of tensors.
template <Arithmetic kind>
bool extreme(OnnxStep& s) {
  if (s.node.inputs.size() == 2) return binary<kind>(s);
  if (s.node.inputs.empty() || !s.given(0)) return false;
  Tensor result = s.tensor(0);
  for (std::size_t i = 1; i < s.node.inputs.size(); ++i) result = s.emit(Binary{kind}, {result, s.tensor(i)});
  s.result(result);
  return true;
}

bool where(OnnxStep& s) {
  if (!s.given(0) || !s.given(1) || !s.given(2)) return false;
  s.result(s.emit(Where{}, {s.tensor(0), s.tensor(1), s.tensor(2)}));
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

bool negation(OnnxStep& s) {  // of a comparison's result
  if (!s.is_tensor(0)) return false;
  s.result(s.emit(Scale{0, Arithmetic::equal}, {s.tensor(0)}));
  return true;
}

bool mish(OnnxStep& s) {
  if (!s.is_tensor(0)) return false;
  const Tensor smooth = s.emit(Activation{Function::softplus}, {s.tensor(0)});
  const Tensor gate = s.emit(Activation{Function::tanh}, {smooth});
  s.result(s.emit(Binary{Arithmetic::multiply}, {s.tensor(0), gate}));
  return true;
}

// x where it is above 0, else x times a learned slope.
bool learned_leak(OnnxStep& s) {
  if (!s.is_tensor(0) || !s.given(1)) return false;
  const Tensor above = s.emit(Scale{0, Arithmetic::greater}, {s.tensor(0)});
  const Tensor leak = s.emit(Binary{Arithmetic::multiply}, {s.tensor(0), s.tensor(1)});
  s.result(s.emit(Where{}, {above, s.tensor(0), leak}));
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
      {"LeakyRelu", activation<Function::leaky_relu>},
      {"Elu", activation<Function::elu>},
      {"Celu", activation<Function::elu>},
      {"Selu", activation<Function::elu>},
      {"Softplus", activation<Function::softplus>},
      {"Exp", activation<Function::exp>},
      {"Log", activation<Function::log>},
      {"Sqrt", activation<Function::sqrt>},
      {"Reciprocal", activation<Function::reciprocal>},
      {"Erf", activation<Function::erf>},
      {"Abs", activation<Function::abs>},
      {"Sin", activation<Function::sin>},
      {"Cos", activation<Function::cos>},
      {"Mish", mish},
      {"PRelu", learned_leak},
      {"Clip", clip},
      {"Max", extreme<Arithmetic::maximum>},
      {"Min", extreme<Arithmetic::minimum>},
      {"Equal", binary<Arithmetic::equal>},
      {"Less", binary<Arithmetic::less>},
      {"LessOrEqual", binary<Arithmetic::less>},  // the same pass
      {"Greater", binary<Arithmetic::greater>},
      {"GreaterOrEqual", binary<Arithmetic::greater>},
      {"And", binary<Arithmetic::multiply>},  // of ones and zeros
      {"Or", binary<Arithmetic::maximum>},
      {"Not", negation},
      {"Where", where},
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
