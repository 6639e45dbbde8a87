// Layers with weights or windows: convolution, matrix products, normalisation, pooling, embedding.
// ONNX operators: github.com/onnx/onnx, docs/Operators.md.
#include <algorithm>

#include "onnx_fold.h"
#include "onnx_translate.h"
#include "sextant/core/error.h"

namespace sextant::nets {
namespace {

using Ints = std::vector<std::int64_t>;

constexpr const char* kRebindHint =
    "the file fixes its weights, and perhaps with them its image size or length";

void check_features(const char* what, std::int64_t weights, std::int64_t input) {
  if (weights == input) return;
  throw InputError(
      {},
      "its weights take " + std::to_string(weights) + " " + what + ", its input has " + std::to_string(input),
      kRebindHint);
}

// A list for each dimension of the map, or nothing.
std::optional<Extent> extent(const OnnxNode& node, const char* attribute, const Ints& fallback) {
  const Ints ints = node.get<Ints>(attribute, fallback);
  if (ints.size() != fallback.size() && !fallback.empty()) return {};
  if (ints.empty() || ints.size() > 3) return {};
  return extent_of(ints);
}

// Window of a convolution or a pool over a map.
struct Window {
  Extent kernel;
  Extent stride;
  Extent dilation;
  Padding padding;
};

std::optional<Padding> explicit_padding(const OnnxNode& node, std::size_t dimensions) {
  const Ints pads = node.get<Ints>("pads", Ints(2 * dimensions, 0));
  if (pads.size() != 2 * dimensions) return {};
  const auto split = pads.begin() + static_cast<std::ptrdiff_t>(dimensions);
  Ints before(pads.begin(), split);
  Ints after(split, pads.end());
  // Dimensions that the map does not have get no zeros.
  before.insert(before.begin(), 3 - dimensions, 0);
  after.insert(after.begin(), 3 - dimensions, 0);
  return Padding{.top = before[1],
                 .bottom = after[1],
                 .left = before[2],
                 .right = after[2],
                 .front = before[0],
                 .back = after[0]};
}

// Zeros that make the output ceil(in / stride); "lower" puts the odd one before the map.
Padding same(const Shape& x, const Window& w, bool lower) {
  const Extent reach = {checked_product({w.dilation.height, w.kernel.height - 1}) + 1,
                        checked_product({w.dilation.width, w.kernel.width - 1}) + 1,
                        checked_product({w.dilation.depth, w.kernel.depth - 1}) + 1};
  const Padding p = same_padding(x, reach, w.stride);
  return lower ? Padding{p.bottom, p.top, p.right, p.left, p.back, p.front} : p;
}

std::int64_t smallest_extent(Extent e) {
  return std::min({e.height, e.width, e.depth});
}

std::optional<Window> window(const OnnxNode& node, const Shape& x, const Ints& kernel) {
  if (x.size() < 3 || x.size() > 5) return {};
  const std::size_t dimensions = x.size() - 2;
  const Ints ones(dimensions, 1);
  const Ints listed_kernel = node.get<Ints>("kernel_shape", kernel);
  const auto stride = extent(node, "strides", ones);
  const auto dilation = extent(node, "dilations", ones);
  const auto padding = explicit_padding(node, dimensions);
  if (listed_kernel.size() != dimensions || !stride || !dilation || !padding) return {};
  Window w{extent_of(listed_kernel), *stride, *dilation, *padding};
  if (std::min({smallest_extent(w.kernel), smallest_extent(w.stride), smallest_extent(w.dilation)}) < 1) {
    throw InputError("has a window, stride or dilation below 1");
  }
  const std::string automatic = node.get<std::string>("auto_pad", "NOTSET");
  if (automatic == "VALID") w.padding = {};
  if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER")
    w.padding = same(x, w, automatic == "SAME_LOWER");
  return w;
}

// Window and groups of a stored filter that fits the input.
struct Filter {
  Window window;
  std::int64_t groups = 1;
};

std::optional<Filter> filter(const OnnxStep& s) {
  const OnnxConstant* weight = s.constant(1);
  if (!s.is_tensor(0) || weight == nullptr || s.is_tensor(2)) return {};
  const Shape x = s.shape(0);
  if (weight->dims.size() != x.size() || x.size() < 3) return {};
  const Ints kernel(weight->dims.begin() + 2, weight->dims.end());
  const auto w = window(s.node, x, kernel);
  if (!w) return {};
  if (w->kernel != extent_of(kernel)) throw InputError("kernel_shape and weights differ");
  return Filter{*w, s.node.get<std::int64_t>("group", 1)};
}

bool conv(OnnxStep& s) {
  const auto f = filter(s);
  if (!f) return false;
  const OnnxConstant& weight = *s.constant(1);
  check_features("channels", checked_product({weight.dims[1], std::max<std::int64_t>(f->groups, 0)}),
                 s.shape(0)[1]);
  const Window& w = f->window;
  const Tensor y =
      s.emit(Conv{weight.dims[0], w.kernel, w.stride, w.padding, w.dilation, f->groups, s.given(2), {}},
             {s.tensor(0)});
  s.owns_weight(y, weight);
  s.result(y);
  return true;
}

// The extents that a stride leaves open are given by output_padding; a whole output_shape is left to Opaque.
bool conv_transpose(OnnxStep& s) {
  const auto f = filter(s);
  const std::string automatic = s.node.get<std::string>("auto_pad", "NOTSET");
  if (!f || s.node.find<Ints>("output_shape") != nullptr || automatic.starts_with("SAME")) return false;
  const OnnxConstant& weight = *s.constant(1);
  check_features("channels", weight.dims[0], s.shape(0)[1]);
  const std::size_t dimensions = s.shape(0).size() - 2;
  const Ints more = s.node.get<Ints>("output_padding", Ints(dimensions, 0));
  if (more.size() != dimensions) return false;
  Ints all(3 - dimensions, 0);
  all.insert(all.end(), more.begin(), more.end());
  const Window& w = f->window;
  const std::int64_t channels = checked_product({weight.dims[1], std::max<std::int64_t>(f->groups, 0)});
  const Tensor y = s.emit(ConvTranspose{channels, w.kernel, w.stride, w.padding, extent_of(all), w.dilation,
                                        f->groups, s.given(2)},
                          {s.tensor(0)});
  s.owns_weight(y, weight);
  s.result(y);
  return true;
}

template <PoolKind kind>
bool pool(OnnxStep& s) {
  const Shape x = s.shape(0);
  const auto w = window(s.node, x, {});
  if (!w || w->dilation != Extent{} || s.used(1)) return false;
  s.result(s.emit(Pool{kind, w->kernel, w->stride, w->padding, s.node.get<std::int64_t>("ceil_mode", 0) != 0},
                  {s.tensor(0)}));
  return true;
}

bool global_pool(OnnxStep& s) {
  if (s.shape(0).size() < 3 || s.shape(0).size() > 5) return false;
  s.result(s.emit(AdaptivePool{}, {s.tensor(0)}));
  return true;
}

bool global_max_pool(OnnxStep& s) {
  Shape shape = s.shape(0);
  Reduce op{Reduction::max, {}};
  if (shape.size() < 3) return false;
  for (std::size_t i = 2; i < shape.size(); ++i) {
    op.axes.push_back(static_cast<int>(i));
    shape[i] = 1;
  }
  s.result(s.view(s.emit(op, {s.tensor(0)}), shape));
  return true;
}

struct Matrix {
  std::int64_t in = 0;
  std::int64_t out = 0;
};

Tensor linear_layer(OnnxStep& s, Matrix matrix, bool bias) {
  check_features("features", matrix.in, s.shape(0).back());
  const Tensor y = s.emit(Linear{matrix.out, bias, {}}, {s.tensor(0)});
  s.owns_weight(y, *s.constant(1));
  return y;
}

// A stored matrix [in, out] on the right is a layer; a tensor there is a product of activations.
bool matmul(OnnxStep& s) {
  if (!s.given(0) || !s.given(1)) return false;
  const OnnxConstant* weight = s.constant(1);
  const std::size_t rank = s.shape(0).size();
  if (rank < 2 || s.shape(1).size() < 2) return false;
  if (s.is_tensor(0) && weight != nullptr && weight->dims.size() == 2) {
    s.result(linear_layer(s, {weight->dims[0], weight->dims[1]}, false));
  } else {
    s.result(s.emit(MatMul{false}, {s.tensor(0), s.tensor(1)}));
  }
  return true;
}

bool linear_with_bias(OnnxStep& s) {
  const OnnxConstant* weight = s.constant(1);
  const OnnxConstant* bias = s.constant(2);
  if (!s.is_tensor(0) || weight == nullptr || weight->dims.size() != 2 || bias == nullptr) return false;
  if (s.shape(0).size() < 2 || bias->dims.size() != 1) return false;
  check_features("outputs", bias->dims.at(0), weight->dims[1]);
  s.result(linear_layer(s, {weight->dims[0], weight->dims[1]}, true));
  return true;
}

// alpha A B + beta C; transposing A has no counterpart in a layer.
bool gemm(OnnxStep& s) {
  if (!s.given(0) || !s.given(1) || s.node.get<std::int64_t>("transA", 0) != 0) return false;
  const Shape b = s.shape(1);
  if (s.shape(0).size() != 2 || b.size() != 2) return false;
  const bool turned = s.node.get<std::int64_t>("transB", 0) != 0;
  const Matrix matrix = turned ? Matrix{b[1], b[0]} : Matrix{b[0], b[1]};
  const bool layer = s.is_tensor(0) && s.constant(1) != nullptr;
  const OnnxConstant* c = s.constant(2);
  const bool bias = c != nullptr && element_count(c->dims) == matrix.out;
  Tensor y = layer ? linear_layer(s, matrix, bias) : s.emit(MatMul{turned}, {s.tensor(0), s.tensor(1)});
  if (s.given(2) && !(layer && bias)) y = s.emit(Binary{Arithmetic::add}, {y, s.tensor(2)});
  s.result(y);
  return true;
}

bool batch_norm(OnnxStep& s) {
  const OnnxConstant* scale = s.constant(1);
  const Shape x = s.shape(0);
  if (!s.is_tensor(0) || scale == nullptr || scale->dims.size() != 1 || x.size() < 2) return false;
  if (s.constant(2) == nullptr || s.constant(3) == nullptr || s.constant(4) == nullptr) return false;
  check_features("channels", scale->dims[0], x[1]);
  s.result(s.emit(BatchNorm{}, {s.tensor(0)}));
  // In training mode the moving statistics are results too; they belong to the layer.
  for (const std::size_t i : {1, 2}) s.result(*s.constant(i + 2), i);
  return true;
}

// Over the last axis, with or without learned factors and offsets; RmsNorm is our name for the pattern.
bool layer_norm(OnnxStep& s) {
  const bool centre = s.node.type == "LayerNormalization";
  const OnnxConstant* scale = s.constant(1);
  const Shape x = s.shape(0);
  if (!s.is_tensor(0) || s.is_tensor(1) || s.is_tensor(2) || x.empty() || s.used(1)) return false;
  const auto axis = onnx_axis(s.node.get<std::int64_t>("axis", -1), x.size());
  if (axis != x.size() - 1) return false;
  if (scale != nullptr) check_features("features", element_count(scale->dims), x.back());
  s.result(s.emit(LayerNorm{scale != nullptr, s.given(2), centre}, {s.tensor(0)}));
  return true;
}

// Instance norm is group norm with a group for each channel. Factors that no training changes (ones, which
// PyTorch writes where it has none) cost nothing of their own.
bool group_norm(OnnxStep& s) {
  const OnnxConstant* scale = s.constant(1);
  const Shape x = s.shape(0);
  if (!s.is_tensor(0) || scale == nullptr || s.constant(2) == nullptr || x.size() < 2) return false;
  const std::int64_t groups = s.node.get<std::int64_t>("num_groups", x[1]);
  const bool learned = !scale->weight.empty();
  if (learned && element_count(scale->dims) != x[1]) return false;
  s.result(s.emit(GroupNorm{groups, learned, learned}, {s.tensor(0)}));
  return true;
}

bool local_response_norm(OnnxStep& s) {
  s.result(s.emit(LocalResponseNorm{s.node.get<std::int64_t>("size", 5)}, {s.tensor(0)}));
  return true;
}

bool dropout(OnnxStep& s) {
  if (!s.is_tensor(0) || s.used(1)) return false;
  s.result(s.emit(Dropout{s.number(1).value_or(s.node.get<double>("ratio", 0.5))}, {s.tensor(0)}));
  return true;
}

}  // namespace

const std::map<std::string, OnnxRule>& onnx_layer_rules() {
  static const std::map<std::string, OnnxRule> rules = {
      {"Conv", conv},
      {"ConvTranspose", conv_transpose},
      {"MaxPool", pool<PoolKind::max>},
      {"AveragePool", pool<PoolKind::average>},
      {"GlobalAveragePool", global_pool},
      {"GlobalMaxPool", global_max_pool},
      {"MatMul", matmul},
      {"LinearWithBias", linear_with_bias},
      {"Gemm", gemm},
      {"BatchNormalization", batch_norm},
      {"LayerNormalization", layer_norm},
      {"RmsNorm", layer_norm},
      {"InstanceNormalization", group_norm},
      {"GroupNormalization", group_norm},
      {"LRN", local_response_norm},
      {"Dropout", dropout},
  };
  return rules;
}

}  // namespace sextant::nets
