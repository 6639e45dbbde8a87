#include "onnx_infer.h"

#include <onnx/checker.h>
#include <onnx/defs/schema.h>
#include <onnx/shape_inference/implementation.h>

#include <algorithm>
#include <exception>
#include <set>

#include "overloaded.h"

namespace sextant::nets {
namespace {

constexpr int kIrVersion = 8;

void set_values(const OnnxConstant& from, onnx::TensorProto& to) {
  for (const auto extent : from.dims) to.add_dims(extent);
  to.set_data_type(from.integer ? onnx::TensorProto::INT64 : onnx::TensorProto::FLOAT);
  for (const double value : *from.values) {
    if (from.integer) {
      to.add_int64_data(static_cast<std::int64_t>(std::clamp(value, -0x1p62, 0x1p62)));
    } else {
      to.add_float_data(static_cast<float>(value));
    }
  }
}

void set_attribute(const OnnxAttribute& from, onnx::AttributeProto& to) {
  using A = onnx::AttributeProto;
  std::visit(Overloaded{
                 [&](std::int64_t i) { to.set_type(A::INT), to.set_i(i); },
                 [&](double f) { to.set_type(A::FLOAT), to.set_f(static_cast<float>(f)); },
                 [&](const std::string& s) { to.set_type(A::STRING), to.set_s(s); },
                 [&](const std::vector<std::int64_t>& ints) {
                   to.set_type(A::INTS);
                   for (const auto i : ints) to.add_ints(i);
                 },
                 [&](const std::vector<double>& floats) {
                   to.set_type(A::FLOATS);
                   for (const auto f : floats) to.add_floats(static_cast<float>(f));
                 },
                 [&](const OnnxConstant& tensor) {
                   to.set_type(A::TENSOR);
                   if (tensor.values) set_values(tensor, *to.mutable_t());
                 },
                 [](const OnnxSubgraph&) {},
             },
             from);
}

void set_type(const OnnxConstant& from, onnx::TypeProto& to) {
  auto& tensor = *to.mutable_tensor_type();
  tensor.set_elem_type(from.integer ? onnx::TensorProto::INT64 : onnx::TensorProto::FLOAT);
  for (const auto extent : from.dims) tensor.mutable_shape()->add_dim()->set_dim_value(extent);
  tensor.mutable_shape();
}

// Tensors get names of our own: theirs may be anything.
onnx::ModelProto single_node_model(const OnnxNode& node,
                                   const std::vector<std::optional<OnnxConstant>>& inputs,
                                   std::int64_t opset) {
  onnx::ModelProto model;
  model.set_ir_version(kIrVersion);
  model.add_opset_import()->set_version(opset);
  auto& graph = *model.mutable_graph();
  graph.set_name("one");
  auto& one = *graph.add_node();
  one.set_op_type(node.type);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string name = inputs[i] ? "in" + std::to_string(i) : "";
    one.add_input(name);
    if (!inputs[i]) continue;
    auto& info = *graph.add_input();
    info.set_name(name);
    set_type(*inputs[i], *info.mutable_type());
    if (!inputs[i]->values) continue;
    auto& data = *graph.add_initializer();
    data.set_name(name);
    set_values(*inputs[i], data);
  }
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    one.add_output("out" + std::to_string(i));
    graph.add_output()->set_name("out" + std::to_string(i));
  }
  for (const auto& [name, value] : node.attributes) {
    auto& attribute = *one.add_attribute();
    attribute.set_name(name);
    set_attribute(value, attribute);
  }
  return model;
}

std::optional<Shape> concrete(const onnx::ValueInfoProto& info) {
  if (!info.type().tensor_type().has_shape()) return {};
  Shape shape;
  for (const auto& dim : info.type().tensor_type().shape().dim()) {
    if (!dim.has_dim_value() || dim.dim_value() < 1) return {};
    if (dim.dim_value() > kLargestOnnxTensor) return {};
    shape.push_back(dim.dim_value());
  }
  return shape;
}

using MaybeOperands = std::vector<std::optional<OnnxConstant>>;

// ONNX's inference trusts what it is given; a damaged file must not reach it. So it is asked only
// about operators whose results follow plainly from well-formed inputs.
const std::set<std::string> kAsked = {"Abs",
                                      "And",
                                      "ArgMax",
                                      "ArgMin",
                                      "AveragePool",
                                      "Ceil",
                                      "Clip",
                                      "Conv",
                                      "ConvTranspose",
                                      "Cos",
                                      "CumSum",
                                      "DepthToSpace",
                                      "Elu",
                                      "Equal",
                                      "Erf",
                                      "Exp",
                                      "Expand",
                                      "Floor",
                                      "GlobalMaxPool",
                                      "Greater",
                                      "GreaterOrEqual",
                                      "InstanceNormalization",
                                      "LeakyRelu",
                                      "Less",
                                      "LessOrEqual",
                                      "Log",
                                      "LpNormalization",
                                      "MatMul",
                                      "Max",
                                      "MaxPool",
                                      "Mean",
                                      "Min",
                                      "Mod",
                                      "Not",
                                      "Or",
                                      "PRelu",
                                      "Pad",
                                      "QuantizeLinear",
                                      "Reciprocal",
                                      "ReduceL2",
                                      "ReduceMax",
                                      "ReduceMean",
                                      "ReduceMin",
                                      "ReduceProd",
                                      "ReduceSum",
                                      "Resize",
                                      "Round",
                                      "ScatterND",
                                      "Selu",
                                      "Sign",
                                      "Sin",
                                      "Slice",
                                      "Softplus",
                                      "Softsign",
                                      "SpaceToDepth",
                                      "Sqrt",
                                      "Tile",
                                      "TopK",
                                      "Transpose",
                                      "Trilu",
                                      "Upsample",
                                      "Where",
                                      "Xor"};

bool positive_list(const OnnxNode& node, const char* attribute, std::size_t length) {
  const auto* list = node.find<std::vector<std::int64_t>>(attribute);
  return list == nullptr || (list->size() == length && std::ranges::min(*list) > 0);
}

// Windows agree with the map and the weights in the number of dimensions.
bool sound_window(const OnnxNode& node, const MaybeOperands& inputs) {
  const bool conv = node.type.starts_with("Conv");
  if (!conv && !node.type.ends_with("Pool")) return true;
  if (inputs.empty() || !inputs[0] || inputs[0]->dims.size() < 3) return false;
  const std::size_t rank = inputs[0]->dims.size();
  if (conv && (inputs.size() < 2 || !inputs[1] || inputs[1]->dims.size() != rank)) return false;
  const auto* pads = node.find<std::vector<std::int64_t>>("pads");
  return positive_list(node, "kernel_shape", rank - 2) && positive_list(node, "strides", rank - 2) &&
         positive_list(node, "dilations", rank - 2) && (pads == nullptr || pads->size() == 2 * (rank - 2));
}

bool may_ask(const OnnxNode& node, const MaybeOperands& inputs) {
  return node.domain.empty() && kAsked.contains(node.type) && !inputs.empty() && inputs[0] &&
         sound_window(node, inputs);
}

// The checker knows each operator's number of inputs and types of attributes; inference functions
// rely on them.
void check_and_infer(onnx::ModelProto& model) {
  onnx::checker::CheckerContext context;
  context.set_ir_version(kIrVersion);
  context.set_opset_imports({{"", static_cast<int>(model.opset_import(0).version())}});
  onnx::checker::LexicalScopeContext scope;
  for (const auto& input : model.graph().input()) scope.add(input.name());
  onnx::checker::check_node(model.graph().node(0), context, scope);
  onnx::shape_inference::InferShapes(model);
}

}  // namespace

std::vector<std::optional<Shape>> infer_onnx_shapes(const OnnxNode& node,
                                                    const std::vector<std::optional<OnnxConstant>>& inputs,
                                                    std::int64_t opset) {
  std::vector<std::optional<Shape>> shapes(node.outputs.size());
  if (!may_ask(node, inputs)) return shapes;
  const auto newest = onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map().at("").second;
  onnx::ModelProto model = single_node_model(node, inputs, std::clamp<std::int64_t>(opset, 1, newest));
  try {
    check_and_infer(model);
  } catch (const std::exception&) {
    return shapes;  // not known to ONNX, or not well formed: the caller has other sources
  }
  for (std::size_t i = 0; i < shapes.size(); ++i)
    shapes[i] = concrete(model.graph().output(static_cast<int>(i)));
  return shapes;
}

}  // namespace sextant::nets
