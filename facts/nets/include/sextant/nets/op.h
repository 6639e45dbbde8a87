// The operators of a network: a closed set of plain values, one struct each. Weights are not here;
// their shapes follow from the operator and its inputs (see parameters.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sextant/nets/shape.h"

namespace sextant::nets {

// Height and width of a window, a stride or a dilation.
struct Extent {
  std::int64_t height = 1;
  std::int64_t width = 1;
  bool operator==(const Extent&) const = default;
};

// Zeros added around a map. The sides can differ: TensorFlow's "same" padding is not symmetric.
struct Padding {
  std::int64_t top = 0;
  std::int64_t bottom = 0;
  std::int64_t left = 0;
  std::int64_t right = 0;
  bool operator==(const Padding&) const = default;
};

constexpr Extent square(std::int64_t size) {
  return {size, size};
}
constexpr Padding pad_all(std::int64_t size) {
  return {size, size, size, size};
}

enum class Function { relu, relu6, gelu, gelu_tanh, tanh, sigmoid, silu, hard_swish, hard_sigmoid, softmax };

struct Input {
  Shape shape;
  bool indices = false;  // token ids (8 bytes each) rather than numbers
};
// Activation given as part of the layer runs in the same kernel and makes no tensor of its own.
struct Conv {
  std::int64_t out_channels = 0;
  Extent kernel;
  Extent stride;
  Padding padding;
  Extent dilation;
  std::int64_t groups = 1;  // in_channels for a depthwise convolution
  bool bias = true;
  std::optional<Function> activation;
};
// Along the last dimension; every other dimension is a row.
struct Linear {
  std::int64_t out_features = 0;
  bool bias = true;
  std::optional<Function> activation;
};
// Two inputs [..., M, K] x [..., K, N]; with transpose_b the second is [..., N, K].
struct MatMul {
  bool transpose_b = false;
};
struct BatchNorm {
  bool scale = true;  // gamma; beta and the two moving statistics are always there
};
struct LayerNorm {};
struct LocalResponseNorm {
  std::int64_t size = 5;
};
struct Activation {
  Function function = Function::relu;
};
enum class PoolKind { max, average };
struct Pool {
  PoolKind kind = PoolKind::max;
  Extent kernel;
  Extent stride;
  Padding padding;
  bool ceil_mode = false;
};
// Average pooling to a given map, whatever the input's; {1, 1} is global average pooling.
struct AdaptivePool {
  Extent output;
};
enum class Arithmetic { add, subtract, multiply, divide, power };
// Element-wise over two inputs of equal (or broadcastable) shape.
struct Binary {
  Arithmetic kind = Arithmetic::add;
};
// Element-wise with a constant.
struct Scale {
  double factor = 1;
};
struct Concat {
  int axis = 1;
};
struct Flatten {};  // to [batch, rest]
struct Reshape {
  Shape shape;
};
struct Transpose {
  std::vector<int> order;
};
// Part [begin, end) of one axis; ShuffleNet's halves, the Q, K and V of a fused projection.
struct Slice {
  int axis = 1;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};
struct ZeroPad {
  Padding padding;
};
struct Dropout {
  double rate = 0.5;
};
// Token ids [batch, position] to [batch, position, features].
struct Embedding {
  std::int64_t entries = 0;
  std::int64_t features = 0;
};
// Learned values added to every sample: positional embeddings, class tokens, scale factors.
struct Parameter {
  Shape shape;
};
// Mean over one axis, which disappears.
struct Mean {
  int axis = 1;
};
// An operator that we do not know: it has a name and shapes, and costs at least its tensors' bytes.
struct Opaque {
  std::string type;
  Shape output;
};

using Op = std::variant<Input, Conv, Linear, MatMul, BatchNorm, LayerNorm, LocalResponseNorm, Activation,
                        Pool, AdaptivePool, Binary, Scale, Concat, Flatten, Reshape, Transpose, Slice,
                        ZeroPad, Dropout, Embedding, Parameter, Mean, Opaque>;

std::string type_name(const Op& op);  // "conv", "batch-norm", …; for Opaque its own type
std::string to_string(Function function);

// Output shape of an operator. Throws InputError that names the operator and the shapes that do not fit.
Shape infer_shape(const Op& op, const std::vector<Shape>& inputs);

// Zeros for TensorFlow's "same": output extent ceil(in / stride), the odd zero goes to the far side.
Padding same_padding(const Shape& input, Extent kernel, Extent stride);

}  // namespace sextant::nets
