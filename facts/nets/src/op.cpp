#include "sextant/nets/op.h"

#include <algorithm>

#include "overloaded.h"
#include "sextant/core/error.h"

namespace sextant::nets {
namespace {

std::string pool_name(const Pool& pool) {
  return pool.kind == PoolKind::max ? "max-pool" : "avg-pool";
}

std::string arithmetic_name(const Binary& binary) {
  switch (binary.kind) {
    case Arithmetic::add:
      return "add";
    case Arithmetic::subtract:
      return "subtract";
    case Arithmetic::multiply:
      return "multiply";
    case Arithmetic::divide:
      return "divide";
    case Arithmetic::power:
      return "power";
    case Arithmetic::maximum:
      return "maximum";
    case Arithmetic::minimum:
      return "minimum";
    case Arithmetic::equal:
      return "equal";
    case Arithmetic::less:
      return "less";
    case Arithmetic::greater:
      return "greater";
  }
  return "binary";
}

std::string reduction_name(const Reduce& reduce) {
  switch (reduce.kind) {
    case Reduction::mean:
      return "mean";
    case Reduction::sum:
      return "sum";
    case Reduction::max:
      return "max";
    case Reduction::min:
      return "min";
  }
  return "reduce";
}

std::string cell_name(const Recurrent& layer) {
  switch (layer.cell) {
    case Cell::rnn:
      return "rnn";
    case Cell::gru:
      return "gru";
    case Cell::lstm:
      return "lstm";
  }
  return "recurrent";
}

std::int64_t same_total(std::int64_t in, std::int64_t kernel, std::int64_t stride) {
  const std::int64_t last_start = (in - 1) / stride * stride;
  return std::max<std::int64_t>(0, last_start - in + kernel);
}

}  // namespace

std::string to_string(Function function) {
  switch (function) {
    case Function::relu:
      return "relu";
    case Function::relu6:
      return "relu6";
    case Function::gelu:
      return "gelu";
    case Function::gelu_tanh:
      return "gelu-tanh";
    case Function::tanh:
      return "tanh";
    case Function::sigmoid:
      return "sigmoid";
    case Function::silu:
      return "silu";
    case Function::hard_swish:
      return "hard-swish";
    case Function::hard_sigmoid:
      return "hard-sigmoid";
    case Function::softmax:
      return "softmax";
    case Function::leaky_relu:
      return "leaky-relu";
    case Function::elu:
      return "elu";
    case Function::softplus:
      return "softplus";
    case Function::exp:
      return "exp";
    case Function::log:
      return "log";
    case Function::sqrt:
      return "sqrt";
    case Function::reciprocal:
      return "reciprocal";
    case Function::erf:
      return "erf";
    case Function::abs:
      return "abs";
    case Function::sin:
      return "sin";
    case Function::cos:
      return "cos";
    case Function::clip:
      return "clip";
  }
  return "activation";
}

std::int64_t attended_pairs(const Mask& mask, std::int64_t queries, std::int64_t keys) {
  if (!mask.causal || queries != keys) return checked_product({queries, keys});
  const auto triangle = [](std::int64_t n) { return checked_product({n, n + 1}) / 2; };
  const std::int64_t w = mask.window;
  if (w == 0 || w >= queries) return triangle(queries);
  if (mask.chunked) return checked_sum(checked_product({queries / w, triangle(w)}), triangle(queries % w));
  return checked_sum(triangle(w), checked_product({queries - w, w}));
}

std::int64_t attended_pairs(const Attention& op, std::int64_t queries, std::int64_t keys) {
  if (op.picks == 0) return attended_pairs(op.mask, queries, keys);
  return attended_pairs(Mask{.causal = op.mask.causal, .window = op.picks}, queries, keys);
}

std::string type_name(const Op& op) {
  return std::visit(
      Overloaded{
          [](const Input&) -> std::string { return "input"; },
          [](const Conv& c) -> std::string { return c.groups > 1 ? "grouped-conv" : "conv"; },
          [](const ConvTranspose&) -> std::string { return "conv-transpose"; },
          [](const Linear&) -> std::string { return "linear"; },
          [](const MatMul&) -> std::string { return "matmul"; },
          [](const BatchNorm&) -> std::string { return "batch-norm"; },
          [](const LayerNorm& n) -> std::string { return n.centre ? "layer-norm" : "rms-norm"; },
          [](const GroupNorm&) -> std::string { return "group-norm"; },
          [](const Recurrent& r) { return cell_name(r); },
          [](const Attention&) -> std::string { return "attention"; },
          [](const Rotary&) -> std::string { return "rotary"; },
          [](const Experts&) -> std::string { return "experts"; },
          [](const DeltaRule& d) -> std::string { return d.corrects ? "delta-rule" : "state-space"; },
          [](const LocalResponseNorm&) -> std::string { return "local-response-norm"; },
          [](const Activation& a) { return to_string(a.function); },
          [](const Pool& p) { return pool_name(p); },
          [](const AdaptivePool&) -> std::string { return "adaptive-avg-pool"; },
          [](const Resize&) -> std::string { return "resize"; },
          [](const Binary& b) { return arithmetic_name(b); },
          [](const Scale&) -> std::string { return "scale"; },
          [](const Where&) -> std::string { return "where"; },
          [](const Concat&) -> std::string { return "concat"; },
          [](const Flatten&) -> std::string { return "flatten"; },
          [](const Reshape&) -> std::string { return "reshape"; },
          [](const Transpose&) -> std::string { return "transpose"; },
          [](const Slice&) -> std::string { return "slice"; },
          [](const Gather&) -> std::string { return "gather"; },
          [](const Expand&) -> std::string { return "expand"; },
          [](const ZeroPad&) -> std::string { return "zero-pad"; },
          [](const Dropout&) -> std::string { return "dropout"; },
          [](const Embedding&) -> std::string { return "embedding"; },
          [](const Parameter&) -> std::string { return "parameter"; },
          [](const Constant&) -> std::string { return "constant"; },
          [](const Reduce& r) { return reduction_name(r); },
          [](const Opaque& o) { return o.type; },
      },
      op);
}

bool is_view(const Op& op) {
  return std::holds_alternative<Flatten>(op) || std::holds_alternative<Reshape>(op) ||
         std::holds_alternative<Slice>(op);
}

bool is_given(const Op& op) {
  return std::holds_alternative<Input>(op) || std::holds_alternative<Parameter>(op) ||
         std::holds_alternative<Constant>(op);
}

bool passes_gradient(const Op& op) {
  const auto* binary = std::get_if<Binary>(&op);
  const auto* scale = std::get_if<Scale>(&op);
  if (binary == nullptr && scale == nullptr) return true;
  const Arithmetic kind = binary != nullptr ? binary->kind : scale->kind;
  return kind != Arithmetic::equal && kind != Arithmetic::less && kind != Arithmetic::greater;
}

std::int64_t gates(Cell cell) {
  return cell == Cell::lstm ? 4 : cell == Cell::gru ? 3 : 1;
}

std::vector<std::int64_t> listed(Extent extent, std::size_t dimensions) {
  const std::vector<std::int64_t> all = {extent.depth, extent.height, extent.width};
  return {all.end() - static_cast<std::ptrdiff_t>(std::min<std::size_t>(dimensions, all.size())), all.end()};
}

Extent extent_of(const std::vector<std::int64_t>& list) {
  Extent extent;
  const std::size_t n = list.size();
  if (n > 0) extent.width = list[n - 1];
  if (n > 1) extent.height = list[n - 2];
  if (n > 2) extent.depth = list[n - 3];
  return extent;
}

Extent map_of(const Shape& shape) {
  if (shape.size() < 3 || shape.size() > 5) {
    throw InputError("batch x channels and a map of one to three dimensions are needed, not " +
                     to_string(shape));
  }
  return extent_of({shape.begin() + 2, shape.end()});
}

Padding same_padding(const Shape& input, Extent kernel, Extent stride) {
  const Extent map = map_of(input);
  if (std::min({kernel.height, kernel.width, kernel.depth, stride.height, stride.width, stride.depth}) < 1) {
    throw InputError("a window or stride below 1");
  }
  const std::int64_t rows = same_total(map.height, kernel.height, stride.height);
  const std::int64_t columns = same_total(map.width, kernel.width, stride.width);
  const std::int64_t planes = same_total(map.depth, kernel.depth, stride.depth);
  return {rows / 2, rows - rows / 2, columns / 2, columns - columns / 2, planes / 2, planes - planes / 2};
}

}  // namespace sextant::nets
