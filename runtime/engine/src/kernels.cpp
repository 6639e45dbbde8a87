#include "kernels.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace sextant::engine {
namespace {

// Constants that the graph leaves open are PyTorch's defaults.
constexpr double kNormEpsilon = 1e-5;
constexpr double kStatisticsMomentum = 0.1;
constexpr double kResponseAlpha = 1e-4;
constexpr double kResponseBeta = 0.75;
constexpr double kResponseK = 1;

using Sizes2 = std::array<std::int64_t, 2>;

Sizes2 sizes(nets::Extent extent) {
  return {extent.height, extent.width};
}

bool symmetric(const nets::Padding& p) {
  return p.top == p.bottom && p.left == p.right;
}

at::Tensor padded(const at::Tensor& x, const nets::Padding& p, double value) {
  return at::constant_pad_nd(x, {p.left, p.right, p.top, p.bottom}, value);
}

// Builds the kernel of one node; x and y are the places of its first two inputs.
class KernelMaker {
 public:
  explicit KernelMaker(const KernelRequest& request) : request_(request) {
    const auto& inputs = request.node.inputs;
    if (!inputs.empty()) x_ = static_cast<std::size_t>(inputs[0]);
    if (inputs.size() > 1) y_ = static_cast<std::size_t>(inputs[1]);
  }

  Kernel operator()(const nets::Input&) const { return {}; }

  Kernel operator()(const nets::Conv& op) const {
    const bool even = symmetric(op.padding);
    const Sizes2 padding = even ? Sizes2{op.padding.top, op.padding.left} : Sizes2{0, 0};
    return [x = x_, w = weights(), op, even, padding](const NodeValues& values, const Pass&) {
      const at::Tensor in = even ? values[x] : padded(values[x], op.padding, 0);
      const at::Tensor out =
          at::conv2d(in, w.weight, w.bias, sizes(op.stride), padding, sizes(op.dilation), op.groups);
      return op.activation ? activate_in_place(*op.activation, out) : out;
    };
  }

  Kernel operator()(const nets::Linear& op) const {
    return [x = x_, w = weights(), op](const NodeValues& values, const Pass&) {
      const at::Tensor out = at::linear(values[x], w.weight, w.bias);
      // Beyond two dimensions the result is a view, and views are costly to overwrite under autograd.
      if (!op.activation) return out;
      return out.dim() == 2 ? activate_in_place(*op.activation, out) : activate(*op.activation, out);
    };
  }

  Kernel operator()(const nets::MatMul& op) const {
    if (op.transpose_b) {
      return [x = x_, y = y_](const NodeValues& values, const Pass&) {
        return at::matmul(values[x], values[y].transpose(-1, -2));
      };
    }
    return
        [x = x_, y = y_](const NodeValues& values, const Pass&) { return at::matmul(values[x], values[y]); };
  }

  Kernel operator()(const nets::BatchNorm&) const {
    return [x = x_, w = weights()](const NodeValues& values, const Pass& pass) {
      return at::batch_norm(values[x], w.weight, w.bias, w.running_mean, w.running_var, pass.training,
                            kStatisticsMomentum, kNormEpsilon, false);
    };
  }

  Kernel operator()(const nets::LayerNorm&) const {
    return [x = x_, w = weights()](const NodeValues& values, const Pass&) {
      return at::layer_norm(values[x], w.weight.sizes(), w.weight, w.bias, kNormEpsilon);
    };
  }

  // x / (k + alpha * mean of squares over neighbouring channels)^beta, zeros beyond the ends.
  Kernel operator()(const nets::LocalResponseNorm& op) const {
    const nets::Shape& shape = request_.node.output;
    const nets::Shape columns = {shape.at(0), 1, shape.at(1),
                                 nets::element_count(shape) / (shape[0] * shape[1]), 1};
    return [x = x_, size = op.size, shape, columns](const NodeValues& values, const Pass&) {
      const at::Tensor& in = values[x];
      const at::Tensor squares =
          at::constant_pad_nd(at::mul(in, in).reshape(columns), {0, 0, 0, 0, size / 2, (size - 1) / 2}, 0);
      const at::Tensor mean = at::avg_pool3d(squares, {size, 1, 1}, 1).reshape(shape);
      return in / mean.mul(kResponseAlpha).add(kResponseK).pow(kResponseBeta);
    };
  }

  Kernel operator()(const nets::Activation& op) const {
    if (request_.overwrites == 0) {
      return [x = x_, f = op.function](const NodeValues& values, const Pass&) {
        return activate_in_place(f, values[x]);
      };
    }
    return
        [x = x_, f = op.function](const NodeValues& values, const Pass&) { return activate(f, values[x]); };
  }

  // libtorch pads both sides alike and by half a window at most; other paddings are written out, and what a
  // last window then reaches beyond the rule of `infer_shape` is cut off.
  Kernel operator()(const nets::Pool& op) const {
    const nets::Padding& p = op.padding;
    const bool inside = symmetric(p) && 2 * p.top <= op.kernel.height && 2 * p.left <= op.kernel.width;
    const Sizes2 padding = inside ? Sizes2{p.top, p.left} : Sizes2{0, 0};
    const bool largest = op.kind == nets::PoolKind::max;
    const double outside = largest ? -std::numeric_limits<double>::infinity() : 0;
    const nets::Shape& out = request_.node.output;
    const Sizes2 map = {out.at(2), out.at(3)};
    return [x = x_, op, inside, padding, largest, outside, map](const NodeValues& values, const Pass&) {
      const at::Tensor in = inside ? values[x] : padded(values[x], op.padding, outside);
      const at::Tensor y =
          largest ? at::max_pool2d(in, sizes(op.kernel), sizes(op.stride), padding, 1, op.ceil_mode)
                  : at::avg_pool2d(in, sizes(op.kernel), sizes(op.stride), padding, op.ceil_mode, true);
      return inside ? y : y.slice(2, 0, map[0]).slice(3, 0, map[1]);
    };
  }

  Kernel operator()(const nets::AdaptivePool& op) const {
    return [x = x_, output = sizes(op.output)](const NodeValues& values, const Pass&) {
      return at::adaptive_avg_pool2d(values[x], output);
    };
  }

  Kernel operator()(const nets::Binary& op) const {
    if (request_.overwrites == 0) {
      return [x = x_, y = y_](const NodeValues& values, const Pass&) { return values[x].add_(values[y]); };
    }
    if (request_.overwrites == 1) {
      return [x = x_, y = y_](const NodeValues& values, const Pass&) { return values[y].add_(values[x]); };
    }
    return [x = x_, y = y_, kind = op.kind](const NodeValues& values, const Pass&) {
      return combine(kind, values[x], values[y]);
    };
  }

  Kernel operator()(const nets::Scale& op) const {
    return [x = x_, factor = op.factor](const NodeValues& values, const Pass&) {
      return at::mul(values[x], factor);
    };
  }

  Kernel operator()(const nets::Concat& op) const {
    return [inputs = request_.node.inputs, axis = op.axis](const NodeValues& values, const Pass&) {
      std::vector<at::Tensor> parts;
      parts.reserve(inputs.size());
      for (const nets::NodeId id : inputs) parts.push_back(values[static_cast<std::size_t>(id)]);
      return at::cat(parts, axis);
    };
  }

  Kernel operator()(const nets::Flatten&) const { return rearrange(); }
  Kernel operator()(const nets::Reshape&) const { return rearrange(); }

  Kernel operator()(const nets::Transpose& op) const {
    return [x = x_, order = nets::Shape(op.order.begin(), op.order.end())](
               const NodeValues& values, const Pass&) { return values[x].permute(order); };
  }

  Kernel operator()(const nets::Slice& op) const {
    return [x = x_, op](const NodeValues& values, const Pass&) {
      return values[x].slice(op.axis, op.begin, op.end);
    };
  }

  Kernel operator()(const nets::ZeroPad& op) const {
    return
        [x = x_, p = op.padding](const NodeValues& values, const Pass&) { return padded(values[x], p, 0); };
  }

  // As at::dropout does it, but with a generator of its own.
  Kernel operator()(const nets::Dropout& op) const {
    return [x = x_, keep = 1 - op.rate](const NodeValues& values, const Pass& pass) {
      const at::Tensor& in = values[x];
      if (!pass.training || keep >= 1) return in;
      if (keep <= 0) return in * at::zeros_like(in);
      return in * at::empty_like(in).bernoulli_(keep, pass.generator).div_(keep);
    };
  }

  Kernel operator()(const nets::Embedding&) const {
    return [x = x_, w = weights()](const NodeValues& values, const Pass&) {
      return at::embedding(w.weight, values[x]);
    };
  }

  Kernel operator()(const nets::Parameter&) const {
    return [w = weights()](const NodeValues&, const Pass&) { return w.weight; };
  }

  Kernel operator()(const nets::Mean& op) const {
    return [x = x_, axis = op.axis](const NodeValues& values, const Pass&) {
      return at::mean(values[x], {axis});
    };
  }

  Kernel operator()(const nets::Opaque& op) const {
    throw std::logic_error("no kernel for the unknown operator " + op.type);
  }

 private:
  [[nodiscard]] const OpWeights& weights() const { return request_.weights; }

  [[nodiscard]] Kernel rearrange() const {
    return [x = x_, shape = request_.node.output](const NodeValues& values, const Pass&) {
      return values[x].reshape(shape);
    };
  }

  static at::Tensor combine(nets::Arithmetic kind, const at::Tensor& a, const at::Tensor& b) {
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
    }
    throw std::logic_error("unknown arithmetic");
  }

  const KernelRequest& request_;
  std::size_t x_ = 0;
  std::size_t y_ = 0;
};

}  // namespace

Kernel make_kernel(const KernelRequest& request) {
  return std::visit(KernelMaker(request), request.node.op);
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
