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

std::optional<Extent> extent(const OnnxNode& node, const char* attribute, const Ints& fallback) {
  const Ints ints = node.get<Ints>(attribute, fallback);
  if (ints.size() != 2) return {};
  return Extent{ints[0], ints[1]};
}

// Window of a convolution or a pool over a map.
struct Window {
  Extent kernel;
  Extent stride;
  Extent dilation;
  Padding padding;
};

std::optional<Padding> explicit_padding(const OnnxNode& node) {
  const Ints pads = node.get<Ints>("pads", {0, 0, 0, 0});
  if (pads.size() != 4) return {};
  return Padding{.top = pads[0], .bottom = pads[2], .left = pads[1], .right = pads[3]};
}

// Zeros that make the output ceil(in / stride); "lower" puts the odd one before the map.
Padding same(const Shape& x, const Window& w, bool lower) {
  const Extent reach = {checked_product({w.dilation.height, w.kernel.height - 1}) + 1,
                        checked_product({w.dilation.width, w.kernel.width - 1}) + 1};
  const Padding p = same_padding(x, reach, w.stride);
  return lower ? Padding{p.bottom, p.top, p.right, p.left} : p;
}

std::optional<Window> window(const OnnxNode& node, const Shape& x, const Ints& kernel) {
  const auto size = extent(node, "kernel_shape", kernel);
  const auto stride = extent(node, "strides", {1, 1});
  const auto dilation = extent(node, "dilations", {1, 1});
  const auto padding = explicit_padding(node);
  if (x.size() != 4 || !size || !stride || !dilation || !padding) return {};
  if (std::min({size->height, size->width, stride->height, stride->width, dilation->height,
                dilation->width}) < 1) {
    throw InputError("has a window, stride or dilation below 1");
  }
  Window w{*size, *stride, *dilation, *padding};
  const std::string automatic = node.get<std::string>("auto_pad", "NOTSET");
  if (automatic == "VALID") w.padding = {};
  if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER")
    w.padding = same(x, w, automatic == "SAME_LOWER");
  return w;
}

bool conv(OnnxStep& s) {
  const OnnxConstant* weight = s.constant(1);
  if (!s.is_tensor(0) || weight == nullptr || weight->dims.size() != 4 || s.is_tensor(2)) return false;
  const Shape x = s.shape(0);
  const auto w = window(s.node, x, {weight->dims[2], weight->dims[3]});
  if (!w) return false;
  const std::int64_t groups = s.node.get<std::int64_t>("group", 1);
  check_features("channels", checked_product({weight->dims[1], std::max<std::int64_t>(groups, 0)}), x[1]);
  if (w->kernel != Extent{weight->dims[2], weight->dims[3]})
    throw InputError("kernel_shape and weights differ");
  const Tensor y =
      s.emit(Conv{weight->dims[0], w->kernel, w->stride, w->padding, w->dilation, groups, s.given(2), {}},
             {s.tensor(0)});
  s.owns_weight(y, *weight);
  s.result(y);
  return true;
}

template <PoolKind kind>
bool pool(OnnxStep& s) {
  const Shape x = s.shape(0);
  const auto w = window(s.node, x, {});
  if (!w || w->dilation != square(1) || s.used(1)) return false;
  s.result(s.emit(Pool{kind, w->kernel, w->stride, w->padding, s.node.get<std::int64_t>("ceil_mode", 0) != 0},
                  {s.tensor(0)}));
  return true;
}

bool global_pool(OnnxStep& s) {
  if (s.shape(0).size() != 4) return false;
  s.result(s.emit(AdaptivePool{square(1)}, {s.tensor(0)}));
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

// alpha A B + beta C; transposing A has no counterpart.
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

bool layer_norm(OnnxStep& s) {
  const OnnxConstant* scale = s.constant(1);
  const Shape x = s.shape(0);
  if (!s.is_tensor(0) || scale == nullptr || s.constant(2) == nullptr || x.empty() || s.used(1)) return false;
  const auto axis = onnx_axis(s.node.get<std::int64_t>("axis", -1), x.size());
  if (axis != x.size() - 1) return false;
  check_features("features", element_count(scale->dims), x.back());
  s.result(s.emit(LayerNorm{}, {s.tensor(0)}));
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

bool mean(OnnxStep& s) {
  const Shape x = s.shape(0);
  const auto listed = list_argument(s.node, "axes", s.constant(1));
  if (!s.is_tensor(0) || !listed || listed->empty()) return false;
  std::vector<std::size_t> axes;
  for (const auto entry : *listed) {
    const auto axis = onnx_axis(entry, x.size());
    if (!axis || std::ranges::count(axes, *axis) > 0) return false;
    axes.push_back(*axis);
  }
  std::ranges::sort(axes, std::greater<>{});
  Shape kept = x;
  for (const auto axis : axes) kept[axis] = 1;
  const bool keep = s.node.get<std::int64_t>("keepdims", 1) != 0;
  Tensor y = s.tensor(0);
  if (x.size() == 4 && axes == std::vector<std::size_t>{3, 2}) {
    y = s.emit(AdaptivePool{square(1)}, {y});
    s.result(keep ? y : s.view(y, {x[0], x[1]}));
    return true;
  }
  y = s.emit(Reduce{Reduction::mean, {axes.begin(), axes.end()}}, {y});
  s.result(keep ? s.view(y, kept) : y);
  return true;
}

}  // namespace

const std::map<std::string, OnnxRule>& onnx_layer_rules() {
  static const std::map<std::string, OnnxRule> rules = {
      {"Conv", conv},
      {"MaxPool", pool<PoolKind::max>},
      {"AveragePool", pool<PoolKind::average>},
      {"GlobalAveragePool", global_pool},
      {"MatMul", matmul},
      {"LinearWithBias", linear_with_bias},
      {"Gemm", gemm},
      {"BatchNormalization", batch_norm},
      {"LayerNormalization", layer_norm},
      {"LRN", local_response_norm},
      {"Dropout", dropout},
      {"ReduceMean", mean},
  };
  return rules;
}

}  // namespace sextant::nets
