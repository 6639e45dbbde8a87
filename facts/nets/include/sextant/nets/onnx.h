// ONNX import: a file becomes a Network like any other. An operator that we do not know is kept as
// Opaque, bounded by its tensors' bytes, and named by unknown_operators(): never fatal, never silent.
#pragma once

#include <string>

#include "sextant/nets/network.h"

namespace sextant::nets {

// Reads the model; the graph is made when sizes are bound. Defaults are the file's own sizes. The
// batch is the first extent of the inputs; image size and length are rebound where the weights allow
// it, also in reshapes whose targets the exporter has written down. The class count is the file's.
// Weights need only shapes: a file without their values, or with values elsewhere, is as good.
// Throws InputError, naming file and node, for what is not an ONNX model or does not fit together.
Network read_onnx_network(const std::string& path);
Network parse_onnx_network(const std::string& bytes, const std::string& file_name);

}  // namespace sextant::nets
