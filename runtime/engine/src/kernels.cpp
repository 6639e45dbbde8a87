#include "kernels.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "transformer_kernels.h"

namespace sextant::engine {
namespace {

// Constants that the graph leaves open are PyTorch's defaults.
constexpr double kNormEpsilon = 1e-5;
constexpr double kStatisticsMomentum = 0.1;
constexpr double kResponseAlpha = 1e-4;
constexpr double kResponseBeta = 0.75;
constexpr double kResponseK = 1;

bool symmetric(const nets::Padding& p) {
  return p.top == p.bottom && p.left == p.right && p.front == p.back;
}

// One side of each dimension.
nets::Extent near_side(const nets::Padding& p) {
  return {p.top, p.left, p.front};
}

// Zeros for `dimensions` of the map, as libtorch wants them: from the last dimension to the first.
nets::Shape padding_list(const nets::Padding& p, std::size_t dimensions) {
  nets::Shape list = {p.left, p.right, p.top, p.bottom, p.front, p.back};
  list.resize(2 * dimensions);
  return list;
}

at::Tensor pooled(const nets::Pool& op, const at::Tensor& x, const nets::Shape& padding) {
  const std::size_t n = padding.size();
  const nets::Shape kernel = nets::listed(op.kernel, n);
  const nets::Shape stride = nets::listed(op.stride, n);
  if (op.kind == nets::PoolKind::max) {
    if (n == 1) return at::max_pool1d(x, kernel, stride, padding, 1, op.ceil_mode);
    if (n == 2) return at::max_pool2d(x, kernel, stride, padding, 1, op.ceil_mode);
    return at::max_pool3d(x, kernel, stride, padding, 1, op.ceil_mode);
  }
  if (n == 1) return at::avg_pool1d(x, kernel, stride, padding, op.ceil_mode, true);
  if (n == 2) return at::avg_pool2d(x, kernel, stride, padding, op.ceil_mode, true);
  return at::avg_pool3d(x, kernel, stride, padding, op.ceil_mode, true);
}

at::Tensor resized(nets::Interpolation mode, const at::Tensor& x, const nets::Shape& map) {
  if (mode == nets::Interpolation::nearest) {
    if (map.size() == 1) return at::upsample_nearest1d(x, map);
    return map.size() == 2 ? at::upsample_nearest2d(x, map) : at::upsample_nearest3d(x, map);
  }
  if (map.size() == 1) return at::upsample_linear1d(x, map, false);
  return map.size() == 2 ? at::upsample_bilinear2d(x, map, false) : at::upsample_trilinear3d(x, map, false);
}

at::Tensor constant_tensor(const nets::Constant& op) {
  const auto kind = at::TensorOptions(op.indices ? at::kLong : at::kFloat);
  if (op.values.empty()) return op.indices ? at::zeros(op.shape, kind) : at::ones(op.shape, kind);
  if (op.values.size() == 1) return at::full(op.shape, op.values.front(), kind);
  const auto count = static_cast<std::int64_t>(op.values.size());
  const at::Tensor values = at::from_blob(const_cast<double*>(op.values.data()), {count}, at::kDouble);
  return values.to(kind).clone().reshape(op.shape);
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
    const std::size_t n = dimensions();
    const nets::Shape padding = even ? nets::listed(near_side(op.padding), n) : nets::Shape(n, 0);
    return [x = x_, w = weights(), activation = op.activation, groups = op.groups, even, padding,
            zeros = padding_list(op.padding, n), stride = nets::listed(op.stride, n),
            dilation = nets::listed(op.dilation, n),
            none = nets::Shape(n, 0)](const NodeValues& values, const Pass&) {
      const at::Tensor in = even ? values[x] : at::constant_pad_nd(values[x], zeros, 0);
      const at::Tensor out =
          at::convolution(in, w.weight, w.bias, stride, padding, dilation, false, none, groups);
      return activation ? activate_in_place(*activation, out) : out;
    };
  }

  // Paddings that differ between sides are cut off the whole result.
  Kernel operator()(const nets::ConvTranspose& op) const {
    const bool even = symmetric(op.padding);
    const std::size_t n = dimensions();
    const nets::Shape padding = even ? nets::listed(near_side(op.padding), n) : nets::Shape(n, 0);
    const nets::Shape first = nets::listed(near_side(op.padding), n);
    const nets::Shape more = even ? nets::listed(op.output_padding, n) : nets::Shape(n, 0);
    const nets::Shape& out_shape = request_.node.output;
    return
        [x = x_, w = weights(), even, padding, first, more,
         map = nets::Shape(out_shape.begin() + 2, out_shape.end()), stride = nets::listed(op.stride, n),
         dilation = nets::listed(op.dilation, n), groups = op.groups](const NodeValues& values, const Pass&) {
          at::Tensor out =
              at::convolution(values[x], w.weight, w.bias, stride, padding, dilation, true, more, groups);
          if (even) return out;
          for (std::size_t i = 0; i < map.size(); ++i)
            out = out.narrow(static_cast<std::int64_t>(i) + 2, first[i], map[i]);
          return out;
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

  Kernel operator()(const nets::LayerNorm& op) const {
    if (!op.centre) return rms_norm(op);
    return
        [x = x_, w = weights(), size = request_.node.output.back()](const NodeValues& values, const Pass&) {
          return at::layer_norm(values[x], {size}, w.weight, w.bias, kNormEpsilon);
        };
  }

  Kernel operator()(const nets::GroupNorm& op) const {
    return [x = x_, w = weights(), groups = op.groups](const NodeValues& values, const Pass&) {
      return at::group_norm(values[x], groups, w.weight, w.bias, kNormEpsilon);
    };
  }

  Kernel operator()(const nets::Recurrent& op) const {
    const nets::Shape& in = request_.graph.nodes[x_].output;
    const nets::Shape state = {op.bidirectional ? 2 : 1, in.at(op.time_first ? 1 : 0), op.hidden};
    return [x = x_, w = weights().all, op, state](const NodeValues& values, const Pass& pass) {
      const at::Tensor zero = at::zeros(state, at::kFloat);
      const bool batch_first = !op.time_first;
      if (op.cell == nets::Cell::lstm) {
        return std::get<0>(at::lstm(values[x], {zero, zero}, w, op.bias, 1, 0, pass.training,
                                    op.bidirectional, batch_first));
      }
      if (op.cell == nets::Cell::gru) {
        return std::get<0>(
            at::gru(values[x], zero, w, op.bias, 1, 0, pass.training, op.bidirectional, batch_first));
      }
      return std::get<0>(
          at::rnn_tanh(values[x], zero, w, op.bias, 1, 0, pass.training, op.bidirectional, batch_first));
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
    if (op.function == nets::Function::clip) {
      return [x = x_, op](const NodeValues& values, const Pass&) {
        return at::clamp(values[x], op.low, op.high);
      };
    }
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
    const std::size_t n = dimensions();
    const bool inside = symmetric(p) && 2 * p.top <= op.kernel.height && 2 * p.left <= op.kernel.width &&
                        2 * p.front <= op.kernel.depth;
    const nets::Shape padding = inside ? nets::listed(near_side(p), n) : nets::Shape(n, 0);
    const double outside = op.kind == nets::PoolKind::max ? -std::numeric_limits<double>::infinity() : 0;
    const nets::Shape& out = request_.node.output;
    return [x = x_, op, inside, padding, outside, zeros = padding_list(p, n),
            map = nets::Shape(out.begin() + 2, out.end())](const NodeValues& values, const Pass&) {
      if (inside) return pooled(op, values[x], padding);
      at::Tensor y = pooled(op, at::constant_pad_nd(values[x], zeros, outside), padding);
      for (std::size_t i = 0; i < map.size(); ++i) y = y.slice(static_cast<std::int64_t>(i) + 2, 0, map[i]);
      return y;
    };
  }

  Kernel operator()(const nets::AdaptivePool& op) const {
    return [x = x_, map = nets::listed(op.output, dimensions())](const NodeValues& values, const Pass&) {
      if (map.size() == 1) return at::adaptive_avg_pool1d(values[x], map);
      return map.size() == 2 ? at::adaptive_avg_pool2d(values[x], map)
                             : at::adaptive_avg_pool3d(values[x], map);
    };
  }

  Kernel operator()(const nets::Resize& op) const {
    return [x = x_, mode = op.mode, map = nets::listed(op.output, dimensions())](
               const NodeValues& values, const Pass&) { return resized(mode, values[x], map); };
  }

  Kernel operator()(const nets::Where&) const {
    const auto z = static_cast<std::size_t>(request_.node.inputs.at(2));
    return [x = x_, y = y_, z](const NodeValues& values, const Pass&) {
      return at::where(at::ne(values[x], 0), values[y], values[z]);
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
    return [x = x_, op](const NodeValues& values, const Pass&) {
      return combine(op.kind, values[x], op.factor);
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
      return values[x].slice(op.axis, op.begin, op.end, op.step);
    };
  }

  // Places count from the end where they are negative.
  Kernel operator()(const nets::Gather& op) const {
    const std::int64_t extent = request_.graph.nodes[x_].output.at(static_cast<std::size_t>(op.axis));
    return [x = x_, y = y_, axis = op.axis, extent, shape = request_.node.output](const NodeValues& values,
                                                                                  const Pass&) {
      const at::Tensor places = values[y].reshape(-1).to(at::kLong).remainder(extent);
      return at::index_select(values[x], axis, places).reshape(shape);
    };
  }

  Kernel operator()(const nets::Expand& op) const {
    return
        [x = x_, shape = op.shape](const NodeValues& values, const Pass&) { return values[x].expand(shape); };
  }

  Kernel operator()(const nets::ZeroPad& op) const {
    return [x = x_, zeros = padding_list(op.padding, dimensions())](const NodeValues& values, const Pass&) {
      return at::constant_pad_nd(values[x], zeros, 0);
    };
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

  Kernel operator()(const nets::Constant& op) const {
    return [value = constant_tensor(op)](const NodeValues&, const Pass&) { return value; };
  }

  Kernel operator()(const nets::Reduce& op) const {
    return [x = x_, kind = op.kind, axes = nets::Shape(op.axes.begin(), op.axes.end())](
               const NodeValues& values, const Pass&) {
      switch (kind) {
        case nets::Reduction::mean:
          return at::mean(values[x], axes);
        case nets::Reduction::sum:
          return at::sum(values[x], axes);
        case nets::Reduction::max:
          return at::amax(values[x], axes);
        case nets::Reduction::min:
          return at::amin(values[x], axes);
      }
      throw std::logic_error("unknown reduction");
    };
  }

  Kernel operator()(const nets::Attention& op) const { return attention_kernel(request_, op); }
  Kernel operator()(const nets::Rotary& op) const { return rotary_kernel(request_, op); }
  Kernel operator()(const nets::Experts& op) const { return experts_kernel(request_, op); }
  Kernel operator()(const nets::DeltaRule& op) const { return delta_rule_kernel(request_, op); }

  Kernel operator()(const nets::Opaque& op) const {
    throw std::logic_error("no kernel for the unknown operator " + op.type);
  }

 private:
  [[nodiscard]] const OpWeights& weights() const { return request_.weights; }
  // Of the map behind batch and channels.
  [[nodiscard]] std::size_t dimensions() const { return request_.graph.nodes[x_].output.size() - 2; }

  // libtorch 1.13 has no kernel for it; this is how networks write it.
  [[nodiscard]] Kernel rms_norm(const nets::LayerNorm& op) const {
    return [x = x_, w = weights(), op](const NodeValues& values, const Pass&) {
      const at::Tensor& in = values[x];
      at::Tensor out = at::mul(in, at::rsqrt(at::mean(at::square(in), {-1}, true).add(kNormEpsilon)));
      if (op.scale) out = at::mul(out, w.weight);
      return op.bias ? at::add(out, w.bias) : out;
    };
  }

  [[nodiscard]] Kernel rearrange() const {
    return [x = x_, shape = request_.node.output](const NodeValues& values, const Pass&) {
      return values[x].reshape(shape);
    };
  }

  const KernelRequest& request_;
  std::size_t x_ = 0;
  std::size_t y_ = 0;
};

}  // namespace

Kernel make_kernel(const KernelRequest& request) {
  return std::visit(KernelMaker(request), request.node.op);
}

}  // namespace sextant::engine
