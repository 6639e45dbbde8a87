// ONNX's own shape inference, asked about one node at a time: the source of shapes for operators
// that we do not translate.
#pragma once

#include <optional>
#include <vector>

#include "onnx_model.h"

namespace sextant::nets {

// One entry per output of the node; nothing where ONNX cannot tell. Absent optional inputs are null.
std::vector<std::optional<Shape>> infer_onnx_shapes(const OnnxNode& node,
                                                    const std::vector<std::optional<OnnxConstant>>& inputs,
                                                    std::int64_t opset);

}  // namespace sextant::nets
