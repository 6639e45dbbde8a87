// Arithmetic on constants: exporters compute the targets of a reshape in the graph, from the shapes
// of tensors. With batch and image bound every such shape is a number.
#pragma once

#include <optional>
#include <vector>

#include "onnx_model.h"

namespace sextant::nets {

OnnxConstant shape_constant(const Shape& shape, const OnnxNode& node);

// Integers of a constant, brought into the range of extents.
std::optional<std::vector<std::int64_t>> integers(const OnnxConstant& constant);

// The node's result if every input is constant and the operator is one of those that shapes, masks and tables
// are computed with. Absent optional inputs are null.
std::optional<OnnxConstant> fold_onnx_node(const OnnxNode& node,
                                           const std::vector<const OnnxConstant*>& inputs);

// Entries of one slice: begin, begin + step and so on, up to end, which is left out. A step below 0 goes
// backwards, and end may then be -1.
struct SliceRange {
  std::size_t axis = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t step = 1;
  [[nodiscard]] std::int64_t count() const {
    const std::int64_t room = step > 0 ? end - begin : begin - end;
    return room <= 0 ? 0 : (room - 1) / (step > 0 ? step : -step) + 1;
  }
};
// Nothing where starts or ends are not constant, or do not fit the shape. `inputs` are the node's
// operands after the data; old opsets keep them in attributes.
std::optional<std::vector<SliceRange>> slice_ranges(const OnnxNode& node, const Shape& shape,
                                                    const std::vector<const OnnxConstant*>& inputs);

// Axis counted from the front, or nothing.
std::optional<std::size_t> onnx_axis(std::int64_t axis, std::size_t rank);

// A list given as attribute by old opsets, as input by new ones.
std::optional<std::vector<std::int64_t>> list_argument(const OnnxNode& node, const char* attribute,
                                                       const OnnxConstant* input);

// Result of squeeze and unsqueeze; nothing if the axes do not fit.
std::optional<Shape> squeezed(const Shape& shape, const std::optional<std::vector<std::int64_t>>& axes);
std::optional<Shape> unsqueezed(const Shape& shape, const std::vector<std::int64_t>& axes);

// ONNX's reshape: 0 copies an extent, -1 takes what is left. Nothing if the counts do not match.
std::optional<Shape> reshaped(const Shape& from, const std::vector<std::int64_t>& target, bool zero_is_zero);

}  // namespace sextant::nets
