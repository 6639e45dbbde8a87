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

// Height, width and depth of a window, a stride or a dilation. A map has one to three dimensions:
// [batch, channels, length] uses the width alone, [batch, channels, depth, height, width] all three.
struct Extent {
  std::int64_t height = 1;
  std::int64_t width = 1;
  std::int64_t depth = 1;
  bool operator==(const Extent&) const = default;
  [[nodiscard]] constexpr std::int64_t cells() const { return height * width * depth; }
};

// Zeros added around a map. The sides can differ: TensorFlow's "same" padding is not symmetric.
struct Padding {
  std::int64_t top = 0;
  std::int64_t bottom = 0;
  std::int64_t left = 0;
  std::int64_t right = 0;
  std::int64_t front = 0;
  std::int64_t back = 0;
  bool operator==(const Padding&) const = default;
};

constexpr Extent along(std::int64_t size) {  // of a sequence
  return {1, size};
}
constexpr Extent square(std::int64_t size) {
  return {size, size};
}
constexpr Extent cube(std::int64_t size) {
  return {size, size, size};
}
constexpr Padding pad_along(std::int64_t size) {
  return {0, 0, size, size};
}
constexpr Padding pad_all(std::int64_t size) {
  return {size, size, size, size};
}
constexpr Padding pad_cube(std::int64_t size) {
  return {size, size, size, size, size, size};
}

// Functions of one element, and softmax along the last dimension.
enum class Function {
  relu,
  relu6,
  gelu,
  gelu_tanh,
  tanh,
  sigmoid,
  silu,
  hard_swish,
  hard_sigmoid,
  softmax,
  leaky_relu,
  elu,
  softplus,
  exp,
  log,
  sqrt,
  reciprocal,
  erf,
  abs,
  sin,
  cos,
  clip
};

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
// Each input element is spread over a window: extents grow by the stride. Also known as deconvolution.
struct ConvTranspose {
  std::int64_t out_channels = 0;
  Extent kernel;
  Extent stride;
  Padding padding;                    // cut off from the result
  Extent output_padding = {0, 0, 0};  // added at the far sides, where the stride leaves the extent open
  Extent dilation;
  std::int64_t groups = 1;
  bool bias = true;
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
// Over the last dimension, which is scaled and shifted by learned values; without centring it is RMSNorm.
struct LayerNorm {
  bool scale = true;
  bool bias = true;
  bool centre = true;
};
// Over groups of channels of one sample; as many groups as channels is instance norm.
struct GroupNorm {
  std::int64_t groups = 1;
  bool scale = true;
  bool bias = true;
};
enum class Cell { rnn, gru, lstm };
// One layer over a sequence [batch, position, features], or [position, batch, features] with time_first, to
// as many hidden features at each position; two directions stand side by side. It starts from zeros.
struct Recurrent {
  Cell cell = Cell::lstm;
  std::int64_t hidden = 0;
  bool bidirectional = false;
  bool bias = true;
  bool time_first = false;
};
struct LocalResponseNorm {
  std::int64_t size = 5;
};
struct Activation {
  Function function = Function::relu;
  double low = 0;  // bounds of clip; the others have none
  double high = 6;
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
enum class Interpolation { nearest, linear };
// To a given map, whatever the input's: upsampling in decoders.
struct Resize {
  Extent output;
  Interpolation mode = Interpolation::nearest;
};
// Comparisons give 1 or 0 and pass no gradient.
enum class Arithmetic { add, subtract, multiply, divide, power, maximum, minimum, equal, less, greater };
// Element-wise over two inputs of equal (or broadcastable) shape.
struct Binary {
  Arithmetic kind = Arithmetic::add;
};
// Element-wise with one number on the right: x * factor, x + factor, x ^ factor, …
struct Scale {
  double factor = 1;
  Arithmetic kind = Arithmetic::multiply;
};
// Three inputs: the second where the first is not 0, else the third.
struct Where {};
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
// Part [begin, end) of one axis, every step-th entry; ShuffleNet's halves, the Q, K and V of a fused
// projection.
struct Slice {
  int axis = 1;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t step = 1;
};
// Two inputs: entries of one axis of the first, at the places that the second names. The axis is replaced by
// the extents of the second.
struct Gather {
  int axis = 0;
};
// Repeated along axes of extent 1, and along new ones in front; a copy.
struct Expand {
  Shape shape;
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
// Values that no training changes: masks, tables of angles, indices. One value counts for all elements;
// without any it holds ones (indices: 0).
struct Constant {
  Shape shape;
  bool indices = false;  // 8 bytes each
  std::vector<double> values = {};
};
enum class Reduction { mean, sum, max, min };
// Over one or more axes, which disappear.
struct Reduce {
  Reduction kind = Reduction::mean;
  std::vector<int> axes = {1};
};
// Which keys a query sees: all, those up to its own place, of those the last `window`, or those of its own
// stretch of `window` places.
struct Mask {
  bool causal = false;
  std::int64_t window = 0;  // 0: no such limit
  bool chunked = false;
  bool operator==(const Mask&) const = default;
};
// Scaled products of queries [batch, place, heads * size], keys [batch, place, kv_heads * size] and values
// [batch, place, kv_heads * value size] in one kernel that keeps no scores (Dao et al. 2022, arXiv
// 2205.14135). Sinks are a learned score a head that takes no value. With `picks`, a query sees only so many
// keys, which three more inputs choose: queries [batch, place, index_heads * size], keys [batch, place, size]
// and weights [batch, place, index_heads] of a lighter attention.
struct Attention {
  std::int64_t heads = 1;
  std::int64_t kv_heads = 1;
  Mask mask;
  bool sinks = false;
  std::int64_t picks = 0;
  std::int64_t index_heads = 0;
};
// Turns the first `turned` values of each head by its place (Su et al. 2021, arXiv 2104.09864); tables of
// angles are made once and not counted.
struct Rotary {
  std::int64_t heads = 1;
  std::int64_t turned = 0;  // 0: all
};
// Two inputs: values [batch, place, features], and scores [batch, place, count] that choose, for each place,
// `per_token` of `count` MLPs and weigh their results. Each place is computed by its own experts alone, none
// is dropped, and the load is taken as even.
struct Experts {
  std::int64_t count = 1;
  std::int64_t per_token = 1;
  std::int64_t inner = 0;
  bool gated = true;
  bool bias = false;
  Function activation = Function::silu;
};
// Five inputs: queries and keys [batch, place, key_heads * size], values [batch, place, value_heads * value
// size], and two numbers a value head that forget and write (gated delta rule, Yang et al. 2024,
// arXiv 2412.06464). The state is a matrix a value head, whatever the length. Where it does not correct, what
// is written adds up: there is one number a head, which says both (Mamba 2, Dao and Gu 2024,
// arXiv 2405.21060), so four inputs, and a share of the values is added to the result.
struct DeltaRule {
  std::int64_t key_heads = 1;
  std::int64_t value_heads = 1;
  bool corrects = true;
};
// An operator that we do not know: it has a name and shapes, and costs at least its tensors' bytes.
struct Opaque {
  std::string type;
  Shape output;
};

using Op =
    std::variant<Input, Conv, ConvTranspose, Linear, MatMul, BatchNorm, LayerNorm, GroupNorm, Recurrent,
                 LocalResponseNorm, Activation, Pool, AdaptivePool, Resize, Binary, Scale, Where, Concat,
                 Flatten, Reshape, Transpose, Slice, Gather, Expand, ZeroPad, Dropout, Embedding, Parameter,
                 Constant, Reduce, Attention, Rotary, Experts, DeltaRule, Opaque>;

// A view of memory that is already there, in the counts: it moves nothing and keeps nothing of its own.
bool is_view(const Op& op);
// Values of a step that exist before it: inputs, weights and constants.
bool is_given(const Op& op);
// False where no gradient goes through, whatever stands before: comparisons.
bool passes_gradient(const Op& op);
// Matrices that a cell of a recurrent layer multiplies with: 1, 3 or 4.
std::int64_t gates(Cell cell);

// Pairs of a query and a key that are computed, of so many places each; all that are not masked, and those
// that are left when keys are picked.
std::int64_t attended_pairs(const Mask& mask, std::int64_t queries, std::int64_t keys);
std::int64_t attended_pairs(const Attention& op, std::int64_t queries, std::int64_t keys);

std::string type_name(const Op& op);  // "conv", "batch-norm", …; for Opaque its own type
std::string to_string(Function function);

// Output shape of an operator. Throws InputError that names the operator and the shapes that do not fit.
Shape infer_shape(const Op& op, const std::vector<Shape>& inputs);

// The window of a map with this many dimensions behind batch and channels, as an operator of libtorch or ONNX
// lists it: {depth, height, width}, {height, width} or {width}.
std::vector<std::int64_t> listed(Extent extent, std::size_t dimensions);
Extent extent_of(const std::vector<std::int64_t>& list);  // the reverse; lists of one to three
// Behind batch and channels.
Extent map_of(const Shape& shape);

// Zeros for TensorFlow's "same": output extent ceil(in / stride), the odd zero goes to the far side.
Padding same_padding(const Shape& input, Extent kernel, Extent stride);

}  // namespace sextant::nets
