#include "onnx_fold.h"

#include <algorithm>
#include <cmath>

#include "onnx_values.h"
#include "sextant/core/error.h"

namespace sextant::nets {
namespace {

using Operands = std::vector<const OnnxConstant*>;
using Folded = std::optional<OnnxConstant>;

OnnxConstant list(const std::vector<std::int64_t>& values) {
  return {.dims = {static_cast<std::int64_t>(values.size())},
          .integer = true,
          .values = std::vector<double>(values.begin(), values.end())};
}

// The same values in another arrangement of extents.
Folded with_dims(const OnnxConstant& c, std::optional<Shape> dims) {
  if (!dims) return {};
  OnnxConstant result = c;
  result.dims = std::move(*dims);
  return result;
}

// Entries of one axis, in the order given. Serves gather and slice.
Folded take(const OnnxConstant& c, std::size_t axis, const std::vector<std::int64_t>& entries) {
  OnnxConstant result{.dims = c.dims, .integer = c.integer};
  result.dims[axis] = static_cast<std::int64_t>(entries.size());
  if (!c.values || !keeps_values(result.dims)) return result;
  if (element_count(result.dims) == 0) return filled(result.dims, 0, c.integer);
  const auto split = c.dims.begin() + static_cast<std::ptrdiff_t>(axis);
  const std::int64_t outer = element_count(Shape(c.dims.begin(), split));
  const std::int64_t inner = element_count(Shape(split + 1, c.dims.end()));
  std::vector<double> values;
  for (std::int64_t o = 0; o < outer; ++o) {
    for (const auto entry : entries) {
      if (entry < 0 || entry >= c.dims[axis]) return {};
      const auto from = c.values->begin() + static_cast<std::ptrdiff_t>((o * c.dims[axis] + entry) * inner);
      values.insert(values.end(), from, from + static_cast<std::ptrdiff_t>(inner));
    }
  }
  result.values = std::move(values);
  return result;
}

Folded gather(const OnnxNode& node, const Operands& in) {
  if (in.size() != 2 || in[0] == nullptr || in[1] == nullptr) return {};
  const auto axis = onnx_axis(node.get<std::int64_t>("axis", 0), in[0]->dims.size());
  auto entries = integers(*in[1]);
  if (!axis || !entries) return {};
  for (auto& entry : *entries) entry += entry < 0 ? in[0]->dims[*axis] : 0;
  auto taken = take(*in[0], *axis, *entries);
  if (!taken) return {};
  auto at = taken->dims.erase(taken->dims.begin() + static_cast<std::ptrdiff_t>(*axis));
  taken->dims.insert(at, in[1]->dims.begin(), in[1]->dims.end());
  return taken;
}

Folded slice(const OnnxNode& node, const Operands& in) {
  if (in.empty() || in[0] == nullptr) return {};
  const auto ranges = slice_ranges(node, in[0]->dims, Operands(in.begin() + 1, in.end()));
  if (!ranges) return {};
  Folded result = *in[0];
  for (const auto& range : *ranges) {
    if (range.count() > kLongestOnnxValues) return {};
    std::vector<std::int64_t> entries;
    for (std::int64_t i = 0; i < range.count(); ++i) entries.push_back(range.begin + i * range.step);
    result = take(*result, range.axis, entries);
    if (!result) return {};
  }
  return result;
}

Folded cast(const OnnxNode& node, const Operands& in) {
  if (in.size() != 1 || in[0] == nullptr) return {};
  OnnxConstant result = *in[0];
  const std::int64_t to = node.get<std::int64_t>("to", 1);
  result.integer = to != 1 && to != 10 && to != 11 && to != 16;  // float, half, double, bfloat16
  if (result.integer && result.values) {
    for (double& value : *result.values) value = std::trunc(value);
  }
  return result;
}

Folded constant_of_shape(const OnnxNode& node, const Operands& in) {
  const auto dims = in.size() == 1 && in[0] != nullptr ? integers(*in[0]) : std::nullopt;
  if (!dims || std::ranges::any_of(*dims, [](auto extent) { return extent < 0; })) return {};
  const auto* value = node.find<OnnxConstant>("value");
  const bool known = value != nullptr && value->values && value->values->size() == 1;
  return filled(*dims, known ? value->values->front() : 0, value != nullptr && value->integer);
}

Folded range(const Operands& in) {
  const auto number = [&](std::size_t i) -> std::optional<double> {
    if (i >= in.size() || in[i] == nullptr || !in[i]->values || in[i]->values->size() != 1) return {};
    return in[i]->values->front();
  };
  const auto start = number(0);
  const auto limit = number(1);
  const auto delta = number(2);
  if (!start || !limit || !delta || *delta == 0) return {};
  const double count = std::max(0.0, std::ceil((*limit - *start) / *delta));
  if (!(count <= static_cast<double>(kLargestOnnxExtent))) return {};
  OnnxConstant result = filled({static_cast<std::int64_t>(count)}, 0, in[0]->integer);
  if (result.values) {
    for (std::size_t i = 0; i < result.values->size(); ++i)
      (*result.values)[i] = *start + static_cast<double>(i) * *delta;
  }
  return result;
}

Folded constant(const OnnxNode& node) {
  if (const auto* tensor = node.find<OnnxConstant>("value")) return *tensor;
  if (const auto* i = node.find<std::int64_t>("value_int")) return filled({}, static_cast<double>(*i), true);
  if (const auto* f = node.find<double>("value_float")) return filled({}, *f, false);
  if (const auto* ints = node.find<std::vector<std::int64_t>>("value_ints")) return list(*ints);
  return {};
}

// Operators that leave a weight a weight.
Folded arrange(const OnnxNode& node, const Operands& in) {
  const OnnxConstant& c = *in[0];
  const OnnxConstant* argument = in.size() > 1 ? in[1] : nullptr;
  if (node.type == "DequantizeLinear") {
    return OnnxConstant{.dims = c.dims, .weight = element_count(c.dims) > 1 ? node.outputs[0] : ""};
  }
  if (node.type == "Identity") {  // a further owner of equal initial values
    OnnxConstant result = c;
    if (!result.weight.empty()) result.weight = node.outputs[0];
    return result;
  }
  if (node.type == "Transpose") return transposed(node, c);
  if (node.type == "Squeeze") return with_dims(c, squeezed(c.dims, list_argument(node, "axes", argument)));
  const auto list = list_argument(node, node.type == "Unsqueeze" ? "axes" : "shape", argument);
  if (!list) return {};
  if (node.type == "Unsqueeze") return with_dims(c, unsqueezed(c.dims, *list));
  return with_dims(c, reshaped(c.dims, *list, node.get<std::int64_t>("allowzero", 0) != 0));
}

Folded size_or_product(const OnnxNode& node, const Operands& in) {
  if (in.empty() || in[0] == nullptr) return {};
  if (node.type == "Size") return filled({}, static_cast<double>(element_count(in[0]->dims)), true);
  if (!in[0]->values || in[0]->dims.size() != 1) return {};
  double product = 1;
  for (const double value : *in[0]->values) product *= value;
  const bool keep = node.get<std::int64_t>("keepdims", 1) != 0;
  return filled(keep ? Shape{1} : Shape{}, product, in[0]->integer);
}

bool one_of(const std::string& type, std::initializer_list<const char*> types) {
  return std::ranges::count(types, type) > 0;
}

Folded fold(const OnnxNode& node, const Operands& in) {
  const std::string& type = node.type;
  if (type == "Constant") return constant(node);
  if (in.empty() || in[0] == nullptr) return {};
  if (one_of(type, {"DequantizeLinear", "Identity", "Transpose", "Squeeze", "Unsqueeze", "Reshape"})) {
    return arrange(node, in);
  }
  if (type == "Cast") return cast(node, in);
  if (type == "Shape") return shape_constant(in[0]->dims, node);
  if (type == "ConstantOfShape") return constant_of_shape(node, in);
  // Parts and combinations of weights are computed by the network at run time.
  if (std::ranges::any_of(in, [](const auto* c) { return c != nullptr && !c->weight.empty(); })) return {};
  if (type == "Gather") return gather(node, in);
  if (type == "Slice") return slice(node, in);
  if (type == "Range") return range(in);
  if (type == "Size" || type == "ReduceProd") return size_or_product(node, in);
  return fold_values(node, in);
}

}  // namespace

OnnxConstant shape_constant(const Shape& shape, const OnnxNode& node) {
  const auto rank = static_cast<std::int64_t>(shape.size());
  const auto place = [rank](std::int64_t at) {
    return std::clamp<std::int64_t>(at < 0 ? at + rank : at, 0, rank);
  };
  const std::int64_t begin = place(node.get<std::int64_t>("start", 0));
  const std::int64_t end = std::max(begin, place(node.get<std::int64_t>("end", rank)));
  return list(std::vector<std::int64_t>(shape.begin() + begin, shape.begin() + end));
}

std::optional<OnnxConstant> fold_onnx_node(const OnnxNode& node,
                                           const std::vector<const OnnxConstant*>& inputs) {
  if (!node.domain.empty() || node.outputs.empty()) return {};
  auto result = fold(node, inputs);
  if (result && element_count(result->dims) > kLargestOnnxTensor) throw InputError("a constant is too large");
  return result;
}

}  // namespace sextant::nets
