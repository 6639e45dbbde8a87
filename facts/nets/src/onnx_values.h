// Values of constants, element by element: broadcast arithmetic, choices, masks, arrangements of axes. Values
// are kept for short tensors only; of longer ones the extents follow all the same.
#pragma once

#include <optional>
#include <vector>

#include "onnx_model.h"

namespace sextant::nets {

bool keeps_values(const Shape& dims);
OnnxConstant filled(Shape dims, double value, bool integer);

// Extents of two shapes combined by ONNX's rules for element-wise operators; nothing if they do not fit.
std::optional<Shape> broadcast_dims(const Shape& a, const Shape& b);

// A constant with its axes in another order; a weight stays a weight.
std::optional<OnnxConstant> transposed(const OnnxNode& node, const OnnxConstant& c);

// Element-wise operators, Where, Concat, Expand, Tile and Trilu of constants; nothing for the rest, or if the
// extents do not fit.
std::optional<OnnxConstant> fold_values(const OnnxNode& node, const std::vector<const OnnxConstant*>& inputs);

}  // namespace sextant::nets
