// ONNX's rules for axes, slices and reshapes, shared by constants and tensors.
#include <algorithm>
#include <cmath>

#include "onnx_fold.h"

namespace sextant::nets {

std::optional<std::size_t> onnx_axis(std::int64_t axis, std::size_t rank) {
  const auto n = static_cast<std::int64_t>(rank);
  if (axis < -n || axis >= n) return std::nullopt;
  return static_cast<std::size_t>(axis < 0 ? axis + n : axis);
}

std::optional<std::vector<std::int64_t>> integers(const OnnxConstant& constant) {
  if (!constant.values) return std::nullopt;
  const auto bound = static_cast<double>(kLargestOnnxExtent);
  std::vector<std::int64_t> result;
  for (const double value : *constant.values) {
    if (std::isnan(value)) return std::nullopt;
    result.push_back(static_cast<std::int64_t>(std::clamp(value, -bound, bound)));
  }
  return result;
}

std::optional<std::vector<std::int64_t>> list_argument(const OnnxNode& node, const char* attribute,
                                                       const OnnxConstant* input) {
  if (const auto* list = node.find<std::vector<std::int64_t>>(attribute)) return *list;
  if (input != nullptr) return integers(*input);
  return std::nullopt;
}

std::optional<Shape> squeezed(const Shape& shape, const std::optional<std::vector<std::int64_t>>& axes) {
  std::vector<bool> drop(shape.size(), false);
  if (!axes) {
    for (std::size_t i = 0; i < shape.size(); ++i) drop[i] = shape[i] == 1;
  } else {
    for (const auto listed : *axes) {
      const auto axis = onnx_axis(listed, shape.size());
      if (!axis || shape[*axis] != 1) return std::nullopt;
      drop[*axis] = true;
    }
  }
  Shape out;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (!drop[i]) out.push_back(shape[i]);
  }
  return out;
}

std::optional<Shape> unsqueezed(const Shape& shape, const std::vector<std::int64_t>& axes) {
  Shape out(shape.size() + axes.size(), 0);
  for (const auto listed : axes) {
    const auto axis = onnx_axis(listed, out.size());
    if (!axis || out[*axis] == 1) return std::nullopt;
    out[*axis] = 1;
  }
  auto next = shape.begin();
  for (auto& extent : out) {
    if (extent == 0) extent = *next++;
  }
  return out;
}

std::optional<Shape> reshaped(const Shape& from, const std::vector<std::int64_t>& target, bool zero_is_zero) {
  Shape out(target.begin(), target.end());
  std::optional<std::size_t> open;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i] == 0 && !zero_is_zero) {
      if (i >= from.size()) return std::nullopt;
      out[i] = from[i];
    }
    if (out[i] >= 0) continue;
    if (out[i] < -1 || open) return std::nullopt;
    open = i;
    out[i] = 1;
  }
  const std::int64_t count = element_count(from);
  const std::int64_t known = element_count(out);
  if (open && (known == 0 || count % known != 0)) return std::nullopt;
  if (open) out[*open] = count / known;
  if (!open && known != count) return std::nullopt;
  return out;
}

std::optional<std::vector<SliceRange>> slice_ranges(const OnnxNode& node, const Shape& shape,
                                                    const std::vector<const OnnxConstant*>& inputs) {
  const auto argument = [&](const char* attribute, std::size_t i) {
    return list_argument(node, attribute, i < inputs.size() ? inputs[i] : nullptr);
  };
  const auto starts = argument("starts", 0);
  const auto ends = argument("ends", 1);
  if (!starts || !ends || starts->size() != ends->size() || starts->size() > shape.size())
    return std::nullopt;
  const auto axes = argument("axes", 2);
  const auto steps = argument("steps", 3);
  if ((axes && axes->size() != starts->size()) || (steps && steps->size() != starts->size()))
    return std::nullopt;
  std::vector<SliceRange> ranges;
  for (std::size_t i = 0; i < starts->size(); ++i) {
    const auto axis = onnx_axis(axes ? (*axes)[i] : static_cast<std::int64_t>(i), shape.size());
    const std::int64_t step = steps ? (*steps)[i] : 1;
    if (!axis || step == 0) return std::nullopt;
    const std::int64_t extent = shape[*axis];
    // Backwards the first place is at most the last entry, and the end can lie before the first.
    const std::int64_t lowest = step > 0 ? 0 : -1;
    const std::int64_t highest = step > 0 ? extent : extent - 1;
    const auto place = [&](std::int64_t at) {
      return std::clamp<std::int64_t>(at < 0 ? at + extent : at, lowest, highest);
    };
    ranges.push_back({*axis, place((*starts)[i]), place((*ends)[i]), step});
  }
  return ranges;
}

}  // namespace sextant::nets
