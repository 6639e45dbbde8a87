// Functions of one element and of two, as calls of libtorch.
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <stdexcept>

#include "kernels.h"

namespace sextant::engine {

namespace {

at::Tensor larger(const at::Tensor& a, const at::Tensor& b) {
  return at::maximum(a, b);
}
at::Tensor larger(const at::Tensor& a, double b) {
  return at::clamp_min(a, b);
}
at::Tensor smaller(const at::Tensor& a, const at::Tensor& b) {
  return at::minimum(a, b);
}
at::Tensor smaller(const at::Tensor& a, double b) {
  return at::clamp_max(a, b);
}

template <class Second>
at::Tensor combined(nets::Arithmetic kind, const at::Tensor& a, const Second& b) {
  switch (kind) {
    case nets::Arithmetic::add:
      return at::add(a, b);
    case nets::Arithmetic::subtract:
      return at::sub(a, b);
    case nets::Arithmetic::multiply:
      return at::mul(a, b);
    case nets::Arithmetic::divide:
      return at::div(a, b);
    case nets::Arithmetic::power:
      return at::pow(a, b);
    case nets::Arithmetic::maximum:
      return larger(a, b);
    case nets::Arithmetic::minimum:
      return smaller(a, b);
    case nets::Arithmetic::equal:
      return at::eq(a, b).to(at::kFloat);
    case nets::Arithmetic::less:
      return at::lt(a, b).to(at::kFloat);
    case nets::Arithmetic::greater:
      return at::gt(a, b).to(at::kFloat);
  }
  throw std::logic_error("unknown arithmetic");
}

}  // namespace

at::Tensor combine(nets::Arithmetic kind, const at::Tensor& a, const at::Tensor& b) {
  return combined(kind, a, b);
}

at::Tensor combine(nets::Arithmetic kind, const at::Tensor& a, double b) {
  return combined(kind, a, b);
}

at::Tensor activate(nets::Function function, const at::Tensor& x) {
  switch (function) {
    case nets::Function::relu:
      return at::relu(x);
    case nets::Function::relu6:
      return at::hardtanh(x, 0, 6);
    case nets::Function::gelu:
      return at::gelu(x, "none");
    case nets::Function::gelu_tanh:
      return at::gelu(x, "tanh");
    case nets::Function::tanh:
      return at::tanh(x);
    case nets::Function::sigmoid:
      return at::sigmoid(x);
    case nets::Function::silu:
      return at::silu(x);
    case nets::Function::hard_swish:
      return at::hardswish(x);
    case nets::Function::hard_sigmoid:
      return at::hardsigmoid(x);
    case nets::Function::softmax:
      return at::softmax(x, -1);
    case nets::Function::leaky_relu:
      return at::leaky_relu(x);
    case nets::Function::elu:
      return at::elu(x);
    case nets::Function::softplus:
      return at::softplus(x);
    case nets::Function::exp:
      return at::exp(x);
    case nets::Function::log:
      return at::log(x);
    case nets::Function::sqrt:
      return at::sqrt(x);
    case nets::Function::reciprocal:
      return at::reciprocal(x);
    case nets::Function::erf:
      return at::erf(x);
    case nets::Function::abs:
      return at::abs(x);
    case nets::Function::sin:
      return at::sin(x);
    case nets::Function::cos:
      return at::cos(x);
    case nets::Function::clip:
      break;  // has bounds, which Activation knows
  }
  throw std::logic_error("unknown activation");
}

bool gradient_from_result(nets::Function function) {
  return function == nets::Function::relu || function == nets::Function::relu6 ||
         function == nets::Function::tanh || function == nets::Function::sigmoid;
}

at::Tensor activate_in_place(nets::Function function, const at::Tensor& x) {
  switch (function) {
    case nets::Function::relu:
      return x.relu_();
    case nets::Function::relu6: {
      at::Tensor result = x;
      return at::hardtanh_(result, 0, 6);
    }
    case nets::Function::tanh:
      return x.tanh_();
    case nets::Function::sigmoid:
      return x.sigmoid_();
    default:
      return activate(function, x);
  }
}

}  // namespace sextant::engine
