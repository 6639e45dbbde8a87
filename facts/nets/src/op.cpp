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
  }
  return "binary";
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
  }
  return "activation";
}

std::string type_name(const Op& op) {
  return std::visit(Overloaded{
                        [](const Input&) -> std::string { return "input"; },
                        [](const Conv& c) -> std::string { return c.groups > 1 ? "grouped-conv" : "conv"; },
                        [](const Linear&) -> std::string { return "linear"; },
                        [](const MatMul&) -> std::string { return "matmul"; },
                        [](const BatchNorm&) -> std::string { return "batch-norm"; },
                        [](const LayerNorm&) -> std::string { return "layer-norm"; },
                        [](const LocalResponseNorm&) -> std::string { return "local-response-norm"; },
                        [](const Activation& a) { return to_string(a.function); },
                        [](const Pool& p) { return pool_name(p); },
                        [](const AdaptivePool&) -> std::string { return "adaptive-avg-pool"; },
                        [](const Binary& b) { return arithmetic_name(b); },
                        [](const Scale&) -> std::string { return "scale"; },
                        [](const Concat&) -> std::string { return "concat"; },
                        [](const Flatten&) -> std::string { return "flatten"; },
                        [](const Reshape&) -> std::string { return "reshape"; },
                        [](const Transpose&) -> std::string { return "transpose"; },
                        [](const Slice&) -> std::string { return "slice"; },
                        [](const ZeroPad&) -> std::string { return "zero-pad"; },
                        [](const Dropout&) -> std::string { return "dropout"; },
                        [](const Embedding&) -> std::string { return "embedding"; },
                        [](const Parameter&) -> std::string { return "parameter"; },
                        [](const Mean&) -> std::string { return "mean"; },
                        [](const Opaque& o) { return o.type; },
                    },
                    op);
}

Padding same_padding(const Shape& input, Extent kernel, Extent stride) {
  if (input.size() != 4) throw InputError("same padding needs a map, not " + to_string(input));
  if (std::min({kernel.height, kernel.width, stride.height, stride.width}) < 1) {
    throw InputError("a window or stride below 1");
  }
  const std::int64_t rows = same_total(input.at(2), kernel.height, stride.height);
  const std::int64_t columns = same_total(input.at(3), kernel.width, stride.width);
  return {rows / 2, rows - rows / 2, columns / 2, columns - columns / 2};
}

}  // namespace sextant::nets
