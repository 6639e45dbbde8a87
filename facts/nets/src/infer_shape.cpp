// Output shapes, one function per operator. What does not fit is bad input: an ONNX file, an image too small.
#include <algorithm>

#include "overloaded.h"
#include "sextant/core/error.h"
#include "sextant/nets/op.h"
#include "transformer_shapes.h"

namespace sextant::nets {
namespace {

using Inputs = std::vector<Shape>;

[[noreturn]] void fail(const std::string& what) {
  throw InputError(what);
}

// A map of one to three dimensions, behind batch and channels.
const Shape& checked_map(const Shape& shape, const char* op) {
  if (shape.size() < 3 || shape.size() > 5) {
    fail(std::string(op) +
         " needs batch x channels x height x width, or a map of one or three dimensions, not " +
         to_string(shape));
  }
  return shape;
}

std::int64_t smallest(Extent extent) {
  return std::min({extent.height, extent.width, extent.depth});
}

// Windows and zeros along a dimension that the map does not have.
void check_dimensions(const Shape& x, Extent kernel, const Padding& p, const char* op) {
  const bool deep = kernel.depth > 1 || p.front > 0 || p.back > 0;
  const bool high = kernel.height > 1 || p.top > 0 || p.bottom > 0;
  if ((x.size() < 5 && deep) || (x.size() < 4 && high)) {
    fail(std::string(op) + " with a window of more dimensions than " + to_string(x) + " has");
  }
}

void check_window(Extent kernel, Extent stride, const char* op) {
  if (smallest(kernel) < 1 || smallest(stride) < 1)
    fail(std::string(op) + " with a window or stride below 1");
}

void check_padding(const Padding& p, const char* op) {
  constexpr std::int64_t kLargest = std::int64_t{1} << 31;  // so that sums with it cannot overflow
  if (std::min({p.top, p.bottom, p.left, p.right, p.front, p.back}) < 0)
    fail(std::string(op) + " with negative padding");
  if (std::max({p.top, p.bottom, p.left, p.right, p.front, p.back}) > kLargest)
    fail(std::string(op) + " with padding beyond 2^31");
}

// One axis of a map under a window; `reach` is what the window spans, dilation included.
struct Axis {
  std::int64_t in, before, after;
  std::int64_t reach, stride;
  bool ceil_mode = false;
};

// floor((in + padding - reach) / stride) + 1. ceil_mode rounds up instead, so that the last window may
// hang over the far edge (or a map be smaller than one window), but it must start inside the map.
std::int64_t window_count(const Axis& axis) {
  const std::int64_t padded = axis.in + axis.before + axis.after;
  const std::int64_t room = padded - axis.reach;
  const bool fits = room >= 0 || (axis.ceil_mode && room > -axis.stride);
  if (!fits) {
    fail("a window of " + std::to_string(axis.reach) + " does not fit a map of " + std::to_string(padded));
  }
  if (room < 0) return 1;
  const std::int64_t count = room / axis.stride + 1;
  const bool rest = room % axis.stride != 0;
  const bool starts_inside = count <= (axis.in + axis.before - 1) / axis.stride;
  return axis.ceil_mode && rest && starts_inside ? count + 1 : count;
}

// Batch and channels, then as many extents of the map as the input has.
Shape with_map(std::int64_t batch, std::int64_t channels, Extent map, std::size_t rank) {
  Shape out = {batch, channels};
  for (const std::int64_t extent : listed(map, rank - 2)) out.push_back(extent);
  return out;
}

Extent reach(Extent kernel, Extent dilation) {
  return {checked_product({dilation.height, kernel.height - 1}) + 1,
          checked_product({dilation.width, kernel.width - 1}) + 1,
          checked_product({dilation.depth, kernel.depth - 1}) + 1};
}

struct Windows {
  Extent span;
  Extent stride;
  const Padding& padding;
  bool ceil_mode = false;
};

Extent window_counts(const Shape& x, const Windows& windows) {
  const auto& [span, stride, p, ceil_mode] = windows;
  const Extent map = map_of(x);
  return {window_count({map.height, p.top, p.bottom, span.height, stride.height, ceil_mode}),
          window_count({map.width, p.left, p.right, span.width, stride.width, ceil_mode}),
          window_count({map.depth, p.front, p.back, span.depth, stride.depth, ceil_mode})};
}

template <class Layer>
void check_channels(const Layer& conv, const Shape& x, const char* op) {
  if (conv.groups < 1 || conv.out_channels < 1 || smallest(conv.dilation) < 1) {
    fail(std::string(op) + " with groups, channels or dilation below 1");
  }
  if (x[1] % conv.groups != 0 || conv.out_channels % conv.groups != 0) {
    fail(std::string(op) + " with " + std::to_string(conv.groups) + " groups does not divide " +
         std::to_string(x[1]) + " to " + std::to_string(conv.out_channels) + " channels");
  }
}

Shape infer(const Conv& conv, const Inputs& in) {
  const Shape& x = checked_map(in.at(0), "conv");
  check_window(conv.kernel, conv.stride, "conv");
  check_padding(conv.padding, "conv");
  check_dimensions(x, conv.kernel, conv.padding, "conv");
  check_channels(conv, x, "conv");
  const Extent span = reach(conv.kernel, conv.dilation);
  return with_map(x[0], conv.out_channels, window_counts(x, {span, conv.stride, conv.padding, false}),
                  x.size());
}

// (in - 1) stride - padding + reach + output padding: what a convolution of the result would read.
std::int64_t spread(std::int64_t in, std::int64_t stride, std::int64_t span, std::int64_t cut) {
  return checked_sum(checked_product({in - 1, stride}), span) - cut;
}

Shape infer(const ConvTranspose& conv, const Inputs& in) {
  const Shape& x = checked_map(in.at(0), "conv-transpose");
  check_window(conv.kernel, conv.stride, "conv-transpose");
  check_padding(conv.padding, "conv-transpose");
  check_dimensions(x, conv.kernel, conv.padding, "conv-transpose");
  check_channels(conv, x, "conv-transpose");
  const Extent& more = conv.output_padding;
  if (smallest(more) < 0 || std::max({more.height, more.width, more.depth}) > (std::int64_t{1} << 31)) {
    fail("conv-transpose with an output padding out of range");
  }
  const Extent map = map_of(x);
  const Extent span = reach(conv.kernel, conv.dilation);
  const Padding& p = conv.padding;
  const Extent out = {spread(map.height, conv.stride.height, span.height, p.top + p.bottom - more.height),
                      spread(map.width, conv.stride.width, span.width, p.left + p.right - more.width),
                      spread(map.depth, conv.stride.depth, span.depth, p.front + p.back - more.depth)};
  return with_map(x[0], conv.out_channels, out, x.size());
}

Shape infer(const Pool& pool, const Inputs& in) {
  const Shape& x = checked_map(in.at(0), "pool");
  check_window(pool.kernel, pool.stride, "pool");
  check_padding(pool.padding, "pool");
  check_dimensions(x, pool.kernel, pool.padding, "pool");
  return with_map(x[0], x[1], window_counts(x, {pool.kernel, pool.stride, pool.padding, pool.ceil_mode}),
                  x.size());
}

Shape infer(const Linear& linear, const Inputs& in) {
  Shape out = in.at(0);
  if (out.size() < 2) fail("linear needs at least two dimensions, not " + to_string(out));
  if (linear.out_features < 1) fail("linear with no output features");
  out.back() = linear.out_features;
  return out;
}

Shape broadcast(const Shape& a, const Shape& b) {
  Shape out(std::max(a.size(), b.size()), 1);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
    const std::int64_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1)
      fail("shapes " + to_string(a) + " and " + to_string(b) + " do not combine");
    out[out.size() - 1 - i] = x == 1 ? y : x;
  }
  return out;
}

Shape infer(const MatMul& matmul, const Inputs& in) {
  const Shape& a = in.at(0);
  const Shape& b = in.at(1);
  if (a.size() < 2 || b.size() < 2)
    fail("matmul needs matrices, not " + to_string(a) + " and " + to_string(b));
  const std::int64_t inner = matmul.transpose_b ? b[b.size() - 1] : b[b.size() - 2];
  const std::int64_t columns = matmul.transpose_b ? b[b.size() - 2] : b[b.size() - 1];
  if (a.back() != inner)
    fail("matmul of " + to_string(a) + " and " + to_string(b) + ": inner extents differ");
  Shape out = broadcast(Shape(a.begin(), a.end() - 2), Shape(b.begin(), b.end() - 2));
  out.push_back(a[a.size() - 2]);
  out.push_back(columns);
  return out;
}

std::size_t check_axis(int axis, const Shape& shape, const char* op) {
  if (axis < 0 || static_cast<std::size_t>(axis) >= shape.size()) {
    fail(std::string(op) + " along axis " + std::to_string(axis) + " of " + to_string(shape));
  }
  return static_cast<std::size_t>(axis);
}

Shape infer(const Concat& concat, const Inputs& in) {
  Shape out = in.at(0);
  const std::size_t axis = check_axis(concat.axis, out, "concat");
  for (std::size_t i = 1; i < in.size(); ++i) {
    Shape other = in[i];
    if (other.size() != out.size()) fail("concat of " + to_string(in[0]) + " and " + to_string(other));
    const std::int64_t extent = other[axis];
    other[axis] = out[axis];
    if (other != out) fail("concat of " + to_string(in[0]) + " and " + to_string(in[i]));
    out[axis] += extent;
    element_count(out);  // before the next sum can overflow
  }
  return out;
}

Shape infer(const Slice& slice, const Inputs& in) {
  Shape out = in.at(0);
  const std::size_t axis = check_axis(slice.axis, out, "slice");
  if (slice.begin < 0 || slice.end > out[axis] || slice.begin >= slice.end || slice.step < 1) {
    fail("slice " + std::to_string(slice.begin) + ":" + std::to_string(slice.end) + " of " +
         to_string(in[0]));
  }
  out[axis] = (slice.end - slice.begin - 1) / slice.step + 1;
  return out;
}

Shape infer(const Gather& gather, const Inputs& in) {
  Shape out = in.at(0);
  const std::size_t axis = check_axis(gather.axis, out, "gather");
  const auto at = out.erase(out.begin() + static_cast<std::ptrdiff_t>(axis));
  out.insert(at, in.at(1).begin(), in.at(1).end());
  return out;
}

Shape infer(const Expand& expand, const Inputs& in) {
  if (broadcast(in.at(0), expand.shape) != expand.shape) {
    fail("expand of " + to_string(in[0]) + " to " + to_string(expand.shape));
  }
  return expand.shape;
}

Shape infer(const Reshape& reshape, const Inputs& in) {
  if (element_count(reshape.shape) != element_count(in.at(0))) {
    fail("reshape of " + to_string(in[0]) + " to " + to_string(reshape.shape));
  }
  return reshape.shape;
}

Shape infer(const Transpose& transpose, const Inputs& in) {
  const Shape& x = in.at(0);
  std::vector<bool> used(x.size(), false);
  if (transpose.order.size() != x.size()) fail("transpose of " + to_string(x) + " by another number of axes");
  Shape out;
  for (const int axis : transpose.order) {
    const std::size_t from = check_axis(axis, x, "transpose");
    if (used[from]) fail("transpose that names an axis twice");
    used[from] = true;
    out.push_back(x[from]);
  }
  return out;
}

Shape infer(const ZeroPad& pad, const Inputs& in) {
  const Shape& x = checked_map(in.at(0), "zero-pad");
  check_padding(pad.padding, "zero-pad");
  const Padding& p = pad.padding;
  const Extent map = map_of(x);
  const Extent out = {map.height + p.top + p.bottom, map.width + p.left + p.right,
                      map.depth + p.front + p.back};
  check_dimensions(x, {}, p, "zero-pad");
  return with_map(x[0], x[1], out, x.size());
}

Shape infer(const AdaptivePool& pool, const Inputs& in) {
  const Shape& x = checked_map(in.at(0), "adaptive pool");
  if (smallest(pool.output) < 1) fail("adaptive pool to an empty map");
  check_dimensions(x, pool.output, {}, "adaptive pool");
  return with_map(x[0], x[1], pool.output, x.size());
}

Shape infer(const Resize& resize, const Inputs& in) {
  const Shape& x = checked_map(in.at(0), "resize");
  if (smallest(resize.output) < 1) fail("resize to an empty map");
  check_dimensions(x, resize.output, {}, "resize");
  return with_map(x[0], x[1], resize.output, x.size());
}

Shape infer(const GroupNorm& norm, const Inputs& in) {
  const Shape& x = in.at(0);
  if (x.size() < 2 || norm.groups < 1 || x[1] % norm.groups != 0) {
    fail("group norm of " + std::to_string(norm.groups) + " groups over " + to_string(x));
  }
  return x;
}

Shape infer(const Recurrent& layer, const Inputs& in) {
  Shape out = in.at(0);
  if (out.size() != 3) fail(type_name(layer) + " needs batch x position x features, not " + to_string(out));
  if (layer.hidden < 1) fail(type_name(layer) + " with no hidden features");
  out.back() = checked_product({layer.hidden, layer.bidirectional ? 2 : 1});
  return out;
}

Shape infer(const Flatten&, const Inputs& in) {
  const Shape& x = in.at(0);
  if (x.empty()) fail("flatten of a scalar");
  return {x[0], element_count(Shape(x.begin() + 1, x.end()))};
}

Shape infer(const Embedding& embedding, const Inputs& in) {
  Shape out = in.at(0);
  if (embedding.entries < 1 || embedding.features < 1) fail("embedding with no entries or features");
  out.push_back(embedding.features);
  return out;
}

Shape infer(const Reduce& reduce, const Inputs& in) {
  const Shape& x = in.at(0);
  std::vector<bool> gone(x.size(), false);
  for (const int axis : reduce.axes) {
    const std::size_t at = check_axis(axis, x, type_name(reduce).c_str());
    if (gone[at]) fail(type_name(reduce) + " over an axis twice");
    gone[at] = true;
  }
  Shape out;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!gone[i]) out.push_back(x[i]);
  }
  return out;
}

Shape infer(const Attention& op, const Inputs& in) {
  return attention_shape(op, in);
}
Shape infer(const Rotary& op, const Inputs& in) {
  return rotary_shape(op, in);
}
Shape infer(const Experts& op, const Inputs& in) {
  return experts_shape(op, in);
}
Shape infer(const DeltaRule& op, const Inputs& in) {
  return delta_rule_shape(op, in);
}
Shape infer(const Where&, const Inputs& in) {
  return broadcast(broadcast(in.at(0), in.at(1)), in.at(2));
}
Shape infer(const Constant& constant, const Inputs&) {
  return constant.shape;
}
Shape infer(const Binary&, const Inputs& in) {
  return broadcast(in.at(0), in.at(1));
}
Shape infer(const Input& input, const Inputs&) {
  return input.shape;
}
Shape infer(const Parameter& parameter, const Inputs&) {
  return parameter.shape;
}
Shape infer(const Opaque& opaque, const Inputs&) {
  return opaque.output;
}

// Everything else keeps its input's shape.
template <class ElementWise>
Shape infer(const ElementWise&, const Inputs& in) {
  return in.at(0);
}

std::size_t inputs_needed(const Op& op) {
  return std::visit(Overloaded{
                        [](const Input&) -> std::size_t { return 0; },
                        [](const Parameter&) -> std::size_t { return 0; },
                        [](const Opaque&) -> std::size_t { return 0; },
                        [](const Constant&) -> std::size_t { return 0; },
                        [](const Binary&) -> std::size_t { return 2; },
                        [](const Gather&) -> std::size_t { return 2; },
                        [](const Where&) -> std::size_t { return 3; },
                        [](const Attention&) -> std::size_t { return 3; },
                        [](const Experts&) -> std::size_t { return 2; },
                        [](const DeltaRule& d) -> std::size_t { return d.corrects ? 5 : 4; },
                        [](const MatMul&) -> std::size_t { return 2; },
                        [](const auto&) -> std::size_t { return 1; },
                    },
                    op);
}

}  // namespace

Shape infer_shape(const Op& op, const std::vector<Shape>& inputs) {
  if (inputs.size() < inputs_needed(op)) fail(type_name(op) + " with too few inputs");
  Shape out = std::visit([&](const auto& o) { return infer(o, inputs); }, op);
  for (const auto extent : out) {
    if (extent < 1) fail(type_name(op) + " would give the shape " + to_string(out));
  }
  element_count(out);  // refuses what does not fit
  return out;
}

}  // namespace sextant::nets
