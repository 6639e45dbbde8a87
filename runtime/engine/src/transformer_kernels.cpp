#include "transformer_kernels.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <cmath>
#include <limits>

namespace sextant::engine {
namespace {

constexpr double kRotaryBase = 10000;
constexpr double kDirectionEpsilon = 1e-6;

std::size_t input_place(const KernelRequest& request, std::size_t i) {
  return static_cast<std::size_t>(request.node.inputs.at(i));
}

// [batch, place, heads * size] to [batch, heads, place, size].
at::Tensor heads_first(const at::Tensor& x, std::int64_t heads) {
  return x.view({x.size(0), x.size(1), heads, x.size(2) / heads}).transpose(1, 2);
}

at::Tensor shared_by(const at::Tensor& x, std::int64_t heads) {
  return x.size(1) == heads ? x : x.repeat_interleave(heads / x.size(1), 1);
}

// True where a query must not look.
at::Tensor hidden_pairs(const nets::Mask& mask, std::int64_t queries, std::int64_t keys) {
  const at::Tensor q = at::arange(queries).unsqueeze(1);
  const at::Tensor k = at::arange(keys).unsqueeze(0);
  at::Tensor hidden = k.gt(q);
  if (mask.window == 0) return hidden;
  const at::Tensor beyond = mask.chunked
                                ? at::floor_divide(k, mask.window).ne(at::floor_divide(q, mask.window))
                                : (q - k).ge(mask.window);
  return hidden.logical_or(beyond);
}

// Scores of the lighter attention, the keys that it picks, and a zero through which gradients pass.
at::Tensor picked(const at::Tensor& scores, const std::vector<at::Tensor>& index, const at::Tensor& hidden,
                  const nets::Attention& op) {
  const double lowest = -std::numeric_limits<double>::infinity();
  const at::Tensor q = heads_first(index.at(0), op.index_heads);
  const at::Tensor each = at::relu(at::matmul(q, index.at(1).unsqueeze(1).transpose(-1, -2)));
  const at::Tensor sum = (each * index.at(2).transpose(1, 2).unsqueeze(-1)).sum(1);
  const at::Tensor seen = hidden.defined() ? sum.masked_fill(hidden, lowest) : sum;
  const std::int64_t count = std::min(op.picks, seen.size(-1));
  const at::Tensor least = std::get<0>(at::topk(seen, count, -1)).select(-1, count - 1).unsqueeze(-1);
  const at::Tensor left_out = seen.lt(least).unsqueeze(1);
  return (scores + 0 * sum.unsqueeze(1)).masked_fill(left_out, lowest);
}

at::Tensor weighted(const at::Tensor& scores, const at::Tensor& values, const at::Tensor& sinks) {
  if (!sinks.defined()) return at::matmul(at::softmax(scores, -1), values);
  const at::Tensor column =
      sinks.view({1, -1, 1, 1}).expand({scores.size(0), scores.size(1), scores.size(2), 1});
  const at::Tensor all = at::softmax(at::cat({scores, column}, -1), -1);
  return at::matmul(all.narrow(-1, 0, scores.size(-1)), values);
}

at::Tensor unit_length(const at::Tensor& x) {
  return x * at::rsqrt(x.square().sum({-1}, true).add(kDirectionEpsilon));
}

}  // namespace

Kernel attention_kernel(const KernelRequest& request, const nets::Attention& op) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < request.node.inputs.size(); ++i) places.push_back(input_place(request, i));
  const nets::Shape q_shape = request.graph.input_shapes(request.node).at(0);
  const std::int64_t keys = request.graph.input_shapes(request.node).at(1)[1];
  const at::Tensor hidden = op.mask.causal ? hidden_pairs(op.mask, q_shape[1], keys) : at::Tensor{};
  const at::Tensor sinks = op.sinks ? request.weights.all.at(0) : at::Tensor{};
  const std::int64_t head_size = q_shape[2] / op.heads;
  const double scale = 1 / std::sqrt(static_cast<double>(head_size));
  return
      [places, op, hidden, sinks, scale, shape = request.node.output](const NodeValues& values, const Pass&) {
        const at::Tensor q = heads_first(values[places[0]], op.heads);
        const at::Tensor k = shared_by(heads_first(values[places[1]], op.kv_heads), op.heads);
        const at::Tensor v = shared_by(heads_first(values[places[2]], op.kv_heads), op.heads);
        at::Tensor scores = at::matmul(q, k.transpose(-1, -2)) * scale;
        if (hidden.defined()) scores = scores.masked_fill(hidden, -std::numeric_limits<double>::infinity());
        if (op.picks > 0) {
          scores = picked(scores, {values[places[3]], values[places[4]], values[places[5]]}, hidden, op);
        }
        return weighted(scores, v, sinks).transpose(1, 2).reshape(shape);
      };
}

// One half of the turned values against the other.
Kernel rotary_kernel(const KernelRequest& request, const nets::Rotary& op) {
  const nets::Shape& shape = request.node.output;
  const std::int64_t size = shape[2] / op.heads;
  const std::int64_t half = (op.turned > 0 ? op.turned : size) / 2;
  const at::Tensor steps =
      at::arange(half).to(at::kFloat) * (-std::log(kRotaryBase) / static_cast<double>(half));
  const at::Tensor angles = at::arange(shape[1]).to(at::kFloat).view({-1, 1, 1}) * steps.exp();
  return [x = input_place(request, 0), heads = op.heads, size, half, shape, cosines = angles.cos(),
          sines = angles.sin()](const NodeValues& values, const Pass&) {
    const at::Tensor in = values[x].reshape({shape[0], shape[1], heads, size});
    const at::Tensor a = in.narrow(-1, 0, half);
    const at::Tensor b = in.narrow(-1, half, half);
    std::vector<at::Tensor> parts = {a * cosines - b * sines, b * cosines + a * sines};
    if (2 * half < size) parts.push_back(in.narrow(-1, 2 * half, size - 2 * half));
    return at::cat(parts, -1).reshape(shape);
  };
}

Kernel experts_kernel(const KernelRequest& request, const nets::Experts& op) {
  return [x = input_place(request, 0), y = input_place(request, 1), op, w = request.weights.all,
          shape = request.node.output](const NodeValues& values, const Pass&) {
    const at::Tensor in = values[x].reshape({-1, shape[2]});
    const auto [shares, chosen] = at::topk(values[y].reshape({-1, op.count}), op.per_token, -1);
    at::Tensor out = at::zeros_like(in);
    for (std::int64_t e = 0; e < op.count; ++e) {
      const at::Tensor where = at::nonzero(chosen.eq(e));
      if (where.size(0) == 0) continue;
      const at::Tensor rows = where.select(1, 0);
      const at::Tensor up_bias = op.bias ? w.at(2).select(0, e) : at::Tensor{};
      const at::Tensor down_bias = op.bias ? w.at(3).select(0, e) : at::Tensor{};
      at::Tensor inner = at::linear(in.index_select(0, rows), w.at(0).select(0, e), up_bias);
      inner = op.gated ? activate(op.activation, inner.narrow(1, 0, op.inner)) *
                             inner.narrow(1, op.inner, op.inner)
                       : activate(op.activation, inner);
      const at::Tensor share = shares.index_select(0, rows).gather(1, where.select(1, 1).unsqueeze(1));
      out = out.index_add(0, rows, at::linear(inner, w.at(1).select(0, e), down_bias) * share);
    }
    return out.reshape(shape);
  };
}

// Place after place: the state forgets, what it says of the key is corrected or added to, and the query reads
// it.
Kernel delta_rule_kernel(const KernelRequest& request, const nets::DeltaRule& op) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < request.node.inputs.size(); ++i) places.push_back(input_place(request, i));
  return [places, op, w = request.weights.all, shape = request.node.output](const NodeValues& values,
                                                                            const Pass&) {
    const auto keys = [&](std::size_t i) {
      const at::Tensor split = heads_first(values[places[i]].contiguous(), op.key_heads);
      return shared_by(op.corrects ? unit_length(split) : split, op.value_heads);
    };
    const at::Tensor q = keys(0);
    const at::Tensor k = keys(1);
    const at::Tensor v = heads_first(values[places[2]].contiguous(), op.value_heads);
    const at::Tensor step = at::softplus(values[places[3]] + w.at(1));
    const at::Tensor kept = at::exp(-at::exp(w.at(0)) * step).transpose(1, 2);
    const at::Tensor write = (op.corrects ? values[places[4]] : step).transpose(1, 2);
    at::Tensor state = at::zeros({shape[0], op.value_heads, k.size(-1), v.size(-1)}, v.options());
    std::vector<at::Tensor> results;
    for (std::int64_t t = 0; t < shape[1]; ++t) {
      const at::Tensor key = k.select(2, t).unsqueeze(-1);
      state = state * kept.select(2, t).unsqueeze(-1).unsqueeze(-1);
      const at::Tensor value = v.select(2, t);
      const at::Tensor news = op.corrects ? value - (state * key).sum(2) : value;
      state = state + key * (news * write.select(2, t).unsqueeze(-1)).unsqueeze(2);
      const at::Tensor read = (state * q.select(2, t).unsqueeze(-1)).sum(2);
      results.push_back(op.corrects ? read : read + w.at(2).unsqueeze(-1) * value);
    }
    return at::stack(results, 1).reshape(shape);
  };
}

}  // namespace sextant::engine
