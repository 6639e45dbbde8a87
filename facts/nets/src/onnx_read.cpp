// Protobuf to plain values. Weights are dropped on the way; external ones are never opened.
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <google/protobuf/stubs/logging.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <set>

#include "onnx_model.h"
#include "sextant/core/error.h"

namespace sextant::nets {
namespace {

namespace pb = google::protobuf;

constexpr int kNesting = 64;     // If and Loop hold graphs; real files need three or four levels
constexpr int kNodes = 1 << 20;  // the largest exported transformers have some ten thousand

bool is_integer(int type) {
  using T = onnx::TensorProto;
  return type != T::UNDEFINED && type != T::FLOAT && type != T::DOUBLE && type != T::FLOAT16 &&
         type != T::BFLOAT16 && type != T::COMPLEX64 && type != T::COMPLEX128;
}

template <class T>
std::optional<std::vector<double>> raw_values(const std::string& raw, std::size_t count) {
  if (raw.size() != count * sizeof(T)) return std::nullopt;
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, raw.data() + i * sizeof(T), sizeof(T));
    values[i] = static_cast<double>(value);
  }
  return values;
}

template <class Field>
std::optional<std::vector<double>> field_values(const Field& field, std::size_t count) {
  if (static_cast<std::size_t>(field.size()) != count) return std::nullopt;
  return std::vector<double>(field.begin(), field.end());
}

// Values in either of protobuf's two places; nothing for types that no shape is computed from.
std::optional<std::vector<double>> stored_values(const onnx::TensorProto& tensor, std::size_t count) {
  using T = onnx::TensorProto;
  const std::string& raw = tensor.raw_data();
  const bool in_raw = !raw.empty();
  switch (tensor.data_type()) {
    case T::FLOAT:
      return in_raw ? raw_values<float>(raw, count) : field_values(tensor.float_data(), count);
    case T::DOUBLE:
      return in_raw ? raw_values<double>(raw, count) : field_values(tensor.double_data(), count);
    case T::INT64:
      return in_raw ? raw_values<std::int64_t>(raw, count) : field_values(tensor.int64_data(), count);
    case T::INT32:
      return in_raw ? raw_values<std::int32_t>(raw, count) : field_values(tensor.int32_data(), count);
    case T::BOOL:
      return in_raw ? raw_values<std::int8_t>(raw, count) : field_values(tensor.int32_data(), count);
    default:
      return std::nullopt;
  }
}

OnnxConstant constant(const onnx::TensorProto& tensor) {
  OnnxConstant result{.dims = Shape(tensor.dims().begin(), tensor.dims().end()),
                      .integer = is_integer(tensor.data_type())};
  for (const auto extent : result.dims) {
    if (extent < 0 || extent > kLargestOnnxExtent) {
      throw InputError("tensor '" + onnx_label(tensor.name()) + "' has an extent of " +
                       std::to_string(extent));
    }
  }
  const std::int64_t count = element_count(result.dims);
  if (count > kLargestOnnxTensor) throw InputError("tensor '" + onnx_label(tensor.name()) + "' is too large");
  const bool external = tensor.data_location() == onnx::TensorProto::EXTERNAL;
  if (count <= kLongestOnnxValues && !external)
    result.values = stored_values(tensor, static_cast<std::size_t>(count));
  if (!result.integer && count > 1) result.weight = tensor.name();
  return result;
}

OnnxValue value(const onnx::ValueInfoProto& info) {
  OnnxValue result{.name = info.name()};
  if (!info.type().has_tensor_type()) return result;
  const auto& type = info.type().tensor_type();
  result.integer = is_integer(type.elem_type());
  if (!type.has_shape()) return result;
  result.dims.emplace();
  for (const auto& dim : type.shape().dim()) {
    OnnxDim extent{.extent = {}, .symbol = dim.dim_param()};
    // Exporters also write 0 or -1 for "open".
    if (dim.has_dim_value() && dim.dim_value() > 0) extent.extent = dim.dim_value();
    if (extent.extent.value_or(1) > kLargestOnnxExtent) {
      throw InputError("'" + onnx_label(info.name()) + "' has an extent of " +
                       std::to_string(*extent.extent));
    }
    result.dims->push_back(std::move(extent));
  }
  return result;
}

// A number so large that sums of it would overflow is brought back to the largest that means
// "to the end".
std::int64_t clamped(std::int64_t value) {
  return std::clamp(value, -kLargestOnnxExtent, kLargestOnnxExtent);
}

std::optional<OnnxAttribute> attribute(const onnx::AttributeProto& a, const std::string& output) {
  using A = onnx::AttributeProto;
  switch (a.type()) {
    case A::INT:
      return clamped(a.i());
    case A::FLOAT:
      return static_cast<double>(a.f());
    case A::STRING:
      return a.s();
    case A::INTS: {
      std::vector<std::int64_t> ints(a.ints().begin(), a.ints().end());
      std::ranges::transform(ints, ints.begin(), clamped);
      return ints;
    }
    case A::FLOATS:
      return std::vector<double>(a.floats().begin(), a.floats().end());
    case A::TENSOR: {
      OnnxConstant tensor = constant(a.t());
      if (!tensor.weight.empty()) tensor.weight = output;
      return tensor;
    }
    case A::GRAPH:
    case A::GRAPHS:
      return OnnxSubgraph{};
    default:
      return std::nullopt;
  }
}

OnnxNode node(const onnx::NodeProto& proto, int index) {
  OnnxNode result{.name = onnx_label(proto.name()), .type = onnx_label(proto.op_type())};
  if (proto.domain() != "ai.onnx") result.domain = onnx_label(proto.domain());
  result.inputs.assign(proto.input().begin(), proto.input().end());
  result.outputs.assign(proto.output().begin(), proto.output().end());
  if (result.name.empty()) result.name = result.type + "_" + std::to_string(index);
  const std::string first = result.outputs.empty() ? "" : result.outputs.front();
  for (const auto& a : proto.attribute()) {
    if (auto kept = attribute(a, first)) result.attributes.insert_or_assign(a.name(), std::move(*kept));
  }
  return result;
}

// Buffers of well-known layers, by the last part of their name: stored like weights, and never trained.
bool is_buffer(const std::string& name) {
  static const std::set<std::string> buffers = {"inv_freq",  "cos_cached",  "sin_cached",
                                                "freqs_cos", "freqs_sin",   "attn_mask",
                                                "mask",      "causal_mask", "masked_bias"};
  const auto dot = name.find_last_of("./");
  return buffers.contains(dot == std::string::npos ? name : name.substr(dot + 1));
}

// PyTorch keeps parameters as initializers; what it writes as a node is a literal of the program.
void clear_literals(OnnxModel& model) {
  for (OnnxNode& node : model.nodes) {
    const auto value = node.attributes.find("value");
    if (node.type != "Constant" || value == node.attributes.end()) continue;
    if (auto* tensor = std::get_if<OnnxConstant>(&value->second)) tensor->weight.clear();
  }
}

void copy_graph(const onnx::GraphProto& graph, OnnxModel& model) {
  for (const auto& tensor : graph.initializer()) {
    OnnxConstant stored = constant(tensor);
    if (is_buffer(tensor.name())) stored.weight.clear();
    model.initializers.insert_or_assign(tensor.name(), std::move(stored));
  }
  for (const auto& info : graph.input()) {
    if (!model.initializers.contains(info.name())) model.inputs.push_back(value(info));
  }
  for (const auto& info : graph.output()) model.outputs.push_back(value(info));
  for (const auto& info : graph.value_info()) model.hints.insert_or_assign(info.name(), value(info));
  if (graph.node_size() > kNodes) throw InputError("has " + std::to_string(graph.node_size()) + " nodes");
  for (int i = 0; i < graph.node_size(); ++i) model.nodes.push_back(node(graph.node(i), i));
  if (model.producer == "pytorch") clear_literals(model);
}

// protobuf's own words on stderr would stand beside our error. The handler is the process's, so
// it is put back.
class QuietProtobuf {
 public:
  QuietProtobuf() : before_(pb::SetLogHandler(nullptr)) {}
  ~QuietProtobuf() { pb::SetLogHandler(before_); }
  QuietProtobuf(const QuietProtobuf&) = delete;
  QuietProtobuf& operator=(const QuietProtobuf&) = delete;

 private:
  pb::LogHandler* before_;
};

bool parse(std::istream& in, onnx::ModelProto& proto) {
  const QuietProtobuf quiet;
  pb::io::IstreamInputStream stream(&in);
  pb::io::CodedInputStream coded(&stream);
  coded.SetTotalBytesLimit(std::numeric_limits<int>::max());
  coded.SetRecursionLimit(kNesting);
  return proto.ParseFromCodedStream(&coded) && coded.ConsumedEntireMessage();
}

}  // namespace

OnnxModel read_onnx_model(std::istream& in, const std::string& file) {
  onnx::ModelProto proto;
  if (!parse(in, proto)) throw InputError({file}, "this is not an ONNX model, or it is cut short");
  if (!proto.has_graph())
    throw InputError({file}, "the file is empty or not an ONNX model: it holds no graph");
  OnnxModel model{.file = file, .producer = onnx_label(proto.producer_name())};
  for (const auto& opset : proto.opset_import()) {
    if (opset.domain().empty() || opset.domain() == "ai.onnx") model.opset = clamped(opset.version());
  }
  try {
    copy_graph(proto.graph(), model);
  } catch (const InputError& error) {
    throw InputError({file}, error.message(), error.hint());
  }
  return model;
}

}  // namespace sextant::nets
