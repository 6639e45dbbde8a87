// An ONNX file as plain values: what the translation needs, without protobuf and without weights.
// Format: github.com/onnx/onnx, docs/IR.md.
#pragma once

#include <cstdint>
#include <istream>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sextant/nets/shape.h"

namespace sextant::nets {

// Values are kept only for short tensors: shapes computed in the graph, bounds, scales. A double
// holds every extent exactly.
struct OnnxConstant {
  Shape dims;
  bool integer = false;
  std::optional<std::vector<double>> values = {};
  // The stored tensor that this is, if it is one that training changes; empty for the rest.
  std::string weight = {};
};

struct OnnxDim {
  std::optional<std::int64_t> extent;  // else open
  std::string symbol;
};

// A named tensor of the file's interface. No dims at all means that the file does not say.
struct OnnxValue {
  std::string name;
  bool integer = false;
  std::optional<std::vector<OnnxDim>> dims = {};
};

struct OnnxSubgraph {};
using OnnxAttribute = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>,
                                   std::vector<double>, OnnxConstant, OnnxSubgraph>;

struct OnnxNode {
  std::string name;
  std::string type;
  std::string domain = {};  // empty for ONNX's own operators
  std::vector<std::string> inputs = {};
  std::vector<std::string> outputs = {};
  std::map<std::string, OnnxAttribute> attributes = {};

  template <class T>
  [[nodiscard]] const T* find(const std::string& attribute) const {
    const auto it = attributes.find(attribute);
    return it == attributes.end() ? nullptr : std::get_if<T>(&it->second);
  }
  template <class T>
  [[nodiscard]] T get(const std::string& attribute, T fallback) const {
    const T* value = find<T>(attribute);
    return value != nullptr ? *value : fallback;
  }
};

struct OnnxModel {
  std::string file;
  std::string producer = {};
  std::int64_t opset = 13;
  std::vector<OnnxValue> inputs = {};  // without the initializers that old files list here too
  std::vector<OnnxValue> outputs = {};
  std::map<std::string, OnnxValue> hints = {};  // shapes that the file states for inner tensors
  std::map<std::string, OnnxConstant> initializers = {};
  std::vector<OnnxNode> nodes = {};
  std::vector<std::string> notes = {};  // what answers about the network have to say
};

// Extents and attributes beyond this are damage, not networks.
constexpr std::int64_t kLargestOnnxExtent = std::int64_t{1} << 40;
constexpr std::int64_t kLargestOnnxTensor = std::int64_t{1} << 56;  // elements
constexpr std::int64_t kLongestOnnxValues = 4096;                   // elements of a constant that is kept

// A name from the file, fit for terminals and tables: no control characters, not too long.
std::string onnx_label(const std::string& name);

// Throws InputError for bytes that are no model.
OnnxModel read_onnx_model(std::istream& in, const std::string& file);

// Weights that stand among the inputs (PyTorch's export_params=False) become initializers, and are noted.
void take_weight_inputs(OnnxModel& model);

// Notes a file whose batch norms were folded into its convolutions: it is no network that anybody trains.
void note_folded_norms(OnnxModel& model);

// Refuses what cannot be computed in the file's order, and drops nodes that no output needs.
void check_onnx_model(OnnxModel& model);

// Writes exported spellings of one operator (layer norm, GELU, SiLU, linear with bias) as one node.
void fuse_onnx_patterns(OnnxModel& model);

}  // namespace sextant::nets
