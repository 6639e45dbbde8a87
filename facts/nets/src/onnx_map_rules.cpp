// Operators that change the extents of a map or take axes away: resize, padding, reductions, blocks of
// pixels. ONNX operators: github.com/onnx/onnx, docs/Operators.md.
#include <algorithm>
#include <cmath>

#include "onnx_fold.h"
#include "onnx_translate.h"
#include "sextant/core/error.h"

namespace sextant::nets {
namespace {

using Ints = std::vector<std::int64_t>;

// Extents after a resize: listed, or the input's times a factor for each axis.
std::optional<Shape> resized_shape(const OnnxStep& s, const Shape& x) {
  if (const OnnxConstant* sizes = s.constant(3)) {
    const auto listed_sizes = integers(*sizes);
    if (listed_sizes && listed_sizes->size() == x.size())
      return Shape(listed_sizes->begin(), listed_sizes->end());
  }
  const std::size_t place = s.node.type == "Upsample" || s.node.inputs.size() == 2 ? 1 : 2;
  const OnnxConstant* scales = s.constant(place);
  std::vector<double> factors = s.node.get<std::vector<double>>("scales", {});
  if (scales != nullptr && scales->values) factors = *scales->values;
  if (factors.size() != x.size()) return std::nullopt;
  Shape out;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double extent = std::floor(static_cast<double>(x[i]) * factors[i]);
    if (!(extent >= 1 && extent <= static_cast<double>(kLargestOnnxExtent))) return std::nullopt;
    out.push_back(static_cast<std::int64_t>(extent));
  }
  return out;
}

bool resize(OnnxStep& s) {
  const Shape x = s.shape(0);
  const std::string mode = s.node.get<std::string>("mode", "nearest");
  if (!s.is_tensor(0) || x.size() < 3 || x.size() > 5 || (mode != "nearest" && mode != "linear"))
    return false;
  auto out = resized_shape(s, x);
  if (!out) return false;
  // An exporter that has written down the sizes has written down its batch too.
  if (s.reference_shape(0) != nullptr && (*out)[0] == s.file_batch()) (*out)[0] = x[0];
  if ((*out)[0] != x[0] || (*out)[1] != x[1]) return false;
  if (*out == x) {
    s.result(s.tensor(0));
    return true;
  }
  const Interpolation how = mode == "nearest" ? Interpolation::nearest : Interpolation::linear;
  s.result(s.emit(Resize{map_of(*out), how}, {s.tensor(0)}));
  return true;
}

// Zeros along one axis that is none of a map's: a piece of zeros beside the tensor.
struct Border {
  std::size_t axis = 0;
  std::int64_t count = 0;  // below 0: cut off
  bool before = false;
};

Tensor with_zeros(OnnxStep& s, Tensor x, const Border& border) {
  const auto [axis, count, before] = border;
  if (count == 0) return x;
  Shape zeros = s.shape_of(x);
  if (count < 0) {
    const std::int64_t extent = zeros[axis];
    if (-count >= extent) throw InputError("cuts off more than there is");
    const std::int64_t begin = before ? -count : 0;
    return s.emit(Slice{static_cast<int>(axis), begin, begin + extent + count}, {x});
  }
  zeros[axis] = count;
  const Tensor piece = s.emit(Constant{zeros, false, {0}}, {});
  const std::vector<Tensor> parts = before ? std::vector{piece, x} : std::vector{x, piece};
  return s.emit(Concat{static_cast<int>(axis)}, parts);
}

// Whatever fills the border (zeros, a number, the edge again), the same elements move. Axes of a map are
// padded at once, others one by one.
bool pad(OnnxStep& s) {
  const Shape x = s.shape(0);
  auto pads = list_argument(s.node, "pads", s.constant(1));
  if (!s.is_tensor(0) || !pads || s.is_tensor(1) || s.given(3) || pads->size() != 2 * x.size()) return false;
  const Ints& p = *pads;
  const std::size_t n = x.size();
  const bool map =
      n >= 3 && n <= 5 && p[0] == 0 && p[1] == 0 && p[n] == 0 && p[n + 1] == 0 && std::ranges::min(p) >= 0;
  if (std::ranges::all_of(p, [](auto zeros) { return zeros == 0; })) {
    s.result(s.tensor(0));
    return true;
  }
  if (map) {
    const Extent before = extent_of({p.begin() + 2, p.begin() + static_cast<std::ptrdiff_t>(n)});
    const Extent after = extent_of({p.begin() + static_cast<std::ptrdiff_t>(n) + 2, p.end()});
    Padding padding{.left = before.width, .right = after.width};
    if (n > 3) padding.top = before.height, padding.bottom = after.height;
    if (n > 4) padding.front = before.depth, padding.back = after.depth;
    s.result(s.emit(ZeroPad{padding}, {s.tensor(0)}));
    return true;
  }
  Tensor y = s.tensor(0);
  for (std::size_t axis = 0; axis < n; ++axis) {
    y = with_zeros(s, y, {axis, p[axis], true});
    y = with_zeros(s, y, {axis, p[n + axis], false});
  }
  s.result(y);
  return true;
}

// Axes of a reduction, ascending; all of them where none are listed.
std::optional<std::vector<int>> reduced_axes(const OnnxStep& s, std::size_t rank) {
  if (s.is_tensor(1)) return std::nullopt;
  auto listed_axes = list_argument(s.node, "axes", s.constant(1)).value_or(Ints{});
  std::vector<int> axes;
  if (listed_axes.empty()) {
    for (std::size_t i = 0; i < rank; ++i) axes.push_back(static_cast<int>(i));
    return axes;
  }
  for (const auto entry : listed_axes) {
    const auto axis = onnx_axis(entry, rank);
    if (!axis || std::ranges::count(axes, static_cast<int>(*axis)) > 0) return std::nullopt;
    axes.push_back(static_cast<int>(*axis));
  }
  std::ranges::sort(axes);
  return axes;
}

Tensor reduced(OnnxStep& s, Reduction kind, Tensor x, const std::vector<int>& axes) {
  const Shape shape = s.shape_of(x);
  Shape kept = shape;
  for (const int axis : axes) kept[static_cast<std::size_t>(axis)] = 1;
  const bool keep = s.node.get<std::int64_t>("keepdims", 1) != 0;
  if (kind == Reduction::mean && shape.size() == 4 && axes == std::vector{2, 3}) {
    const Tensor y = s.emit(AdaptivePool{}, {x});
    return keep ? y : s.view(y, {shape[0], shape[1]});
  }
  const Tensor y = s.emit(Reduce{kind, axes}, {x});
  return keep ? s.view(y, kept) : y;
}

template <Reduction kind>
bool reduce(OnnxStep& s) {
  const auto axes = reduced_axes(s, s.shape(0).size());
  const bool nothing = !s.given(1) && s.node.find<Ints>("axes") == nullptr &&
                       s.node.get<std::int64_t>("noop_with_empty_axes", 0) != 0;
  if (!s.is_tensor(0) || !axes || nothing || axes->empty()) return false;
  s.result(reduced(s, kind, s.tensor(0), *axes));
  return true;
}

bool euclidean_norm(OnnxStep& s) {
  const auto axes = reduced_axes(s, s.shape(0).size());
  if (!s.is_tensor(0) || !axes || axes->empty()) return false;
  const Tensor squares = s.emit(Scale{2, Arithmetic::power}, {s.tensor(0)});
  s.result(s.emit(Activation{Function::sqrt}, {reduced(s, Reduction::sum, squares, *axes)}));
  return true;
}

// Channels become pixels of blocks, or the reverse: PixelShuffle.
bool pixel_blocks(OnnxStep& s) {
  const Shape x = s.shape(0);
  const std::int64_t b = s.node.get<std::int64_t>("blocksize", 0);
  if (!s.is_tensor(0) || x.size() != 4 || b < 1 || b > 1024) return false;
  if (s.node.type == "SpaceToDepth") {
    if (x[2] % b != 0 || x[3] % b != 0) return false;
    Tensor y = s.view(s.tensor(0), {x[0], x[1], x[2] / b, b, x[3] / b, b});
    y = s.emit(Transpose{{0, 3, 5, 1, 2, 4}}, {y});
    s.result(s.view(y, {x[0], x[1] * b * b, x[2] / b, x[3] / b}));
    return true;
  }
  if (x[1] % (b * b) != 0) return false;
  const std::int64_t channels = x[1] / (b * b);
  const bool rows_first = s.node.get<std::string>("mode", "DCR") == "CRD";
  Tensor y = rows_first ? s.view(s.tensor(0), {x[0], channels, b, b, x[2], x[3]})
                        : s.view(s.tensor(0), {x[0], b, b, channels, x[2], x[3]});
  y = s.emit(Transpose{rows_first ? std::vector{0, 1, 4, 2, 5, 3} : std::vector{0, 3, 4, 1, 5, 2}}, {y});
  s.result(s.view(y, {x[0], channels, x[2] * b, x[3] * b}));
  return true;
}

}  // namespace

const std::map<std::string, OnnxRule>& onnx_map_rules() {
  static const std::map<std::string, OnnxRule> rules = {
      {"Resize", resize},
      {"Upsample", resize},
      {"Pad", pad},
      {"ReduceMean", reduce<Reduction::mean>},
      {"ReduceSum", reduce<Reduction::sum>},
      {"ReduceMax", reduce<Reduction::max>},
      {"ReduceMin", reduce<Reduction::min>},
      {"ReduceL2", euclidean_norm},
      {"DepthToSpace", pixel_blocks},
      {"SpaceToDepth", pixel_blocks},
  };
  return rules;
}

}  // namespace sextant::nets
