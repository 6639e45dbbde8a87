#include "onnx_translate.h"

#include <algorithm>
#include <set>

#include "onnx_fold.h"
#include "onnx_infer.h"
#include "sextant/core/error.h"

namespace sextant::nets {
namespace {

using Values = std::vector<double>;

// Constants of these are sizes, not weights.
const std::set<std::string> kNoWeights = {"Resize", "Upsample", "Expand", "Tile", "Where", "Pad"};

const OnnxRule* find_rule(const OnnxNode& node) {
  if (!node.domain.empty()) return nullptr;
  for (const auto* rules : {&onnx_layer_rules(), &onnx_arithmetic_rules(), &onnx_shape_rules(),
                            &onnx_map_rules(), &onnx_sequence_rules()}) {
    if (const auto it = rules->find(node.type); it != rules->end()) return &it->second;
  }
  return nullptr;
}

std::string opaque_type(const OnnxNode& node) {
  return node.domain.empty() ? node.type : node.domain + "." + node.type;
}

}  // namespace

const OnnxConstant* OnnxStep::constant(std::size_t i) const {
  return given(i) ? std::get_if<OnnxConstant>(&t_.operands_.at(node.inputs[i])) : nullptr;
}

const std::string& OnnxStep::name(std::size_t i) const {
  if (!given(i)) throw InputError("lacks its input number " + std::to_string(i + 1));
  return node.inputs[i];
}

Shape OnnxStep::shape(std::size_t i) const {
  if (const OnnxConstant* c = constant(i)) return c->dims;
  return t_.builder_.shape(std::get<Tensor>(t_.operands_.at(name(i))));
}

std::optional<double> OnnxStep::number(std::size_t i) const {
  const OnnxConstant* c = constant(i);
  if (c == nullptr || !c->values || c->values->size() != 1) return std::nullopt;
  return c->values->front();
}

std::vector<const OnnxConstant*> OnnxStep::constants_from(std::size_t first) const {
  std::vector<const OnnxConstant*> constants;
  for (std::size_t i = first; i < node.inputs.size(); ++i) constants.push_back(constant(i));
  return constants;
}

const Shape* OnnxStep::reference_shape(std::size_t i) const {
  if (t_.reference_ == nullptr || !given(i)) return nullptr;
  const auto it = t_.reference_->shapes_.find(node.inputs[i]);
  return it == t_.reference_->shapes_.end() ? nullptr : &it->second;
}

const OnnxConstant* OnnxStep::reference_constant(std::size_t i) const {
  if (t_.reference_ == nullptr || !given(i)) return nullptr;
  const auto it = t_.reference_->operands_.find(node.inputs[i]);
  return it == t_.reference_->operands_.end() ? nullptr : std::get_if<OnnxConstant>(&it->second);
}

Tensor OnnxStep::emit(Op op, const std::vector<Tensor>& inputs) {
  const std::string suffix = emitted_ == 0 ? "" : "." + std::to_string(emitted_);
  ++emitted_;
  const Tensor made = t_.builder_.add(std::move(op), inputs, node.name + suffix);
  if (element_count(t_.builder_.shape(made)) > kLargestOnnxTensor) {
    throw InputError("a tensor of " + to_string(t_.builder_.shape(made)) + " is too large");
  }
  return made;
}

void OnnxStep::result(OnnxOperand operand, std::size_t output) {
  if (used(output)) t_.define(node.outputs[output], std::move(operand));
}

Tensor OnnxStep::view(Tensor x, const Shape& shape) {
  return shape_of(x) == shape ? x : emit(Reshape{shape}, {x});
}

void OnnxStep::owns_weight(Tensor layer, const OnnxConstant& weight) {
  if (weight.weight.empty()) return;
  const auto [owner, first] = t_.owners_.emplace(weight.weight, layer.id);
  if (!first) t_.ties_.emplace_back(layer.id, owner->second);
}

void OnnxTranslation::define(const std::string& name, OnnxOperand operand) {
  const auto* made = std::get_if<Tensor>(&operand);
  shapes_[name] = made != nullptr ? builder_.shape(*made) : std::get<OnnxConstant>(operand).dims;
  operands_.insert_or_assign(name, std::move(operand));
}

Tensor OnnxTranslation::tensor(const std::string& name) {
  const OnnxOperand& operand = operands_.at(name);
  if (const auto* made = std::get_if<Tensor>(&operand)) return *made;
  const auto& constant = std::get<OnnxConstant>(operand);
  const bool weight = !constant.weight.empty();
  const std::string& key = weight ? constant.weight : name;
  auto found = parameters_.find(key);
  if (found == parameters_.end()) {
    const Op op = weight ? Op{Parameter{constant.dims}}
                         : Op{Constant{constant.dims, constant.integer, constant.values.value_or(Values{})}};
    found = parameters_.emplace(key, builder_.add(op, {}, onnx_label(name))).first;
  }
  if (builder_.shape(found->second) == constant.dims) return found->second;
  return builder_.add(Reshape{constant.dims}, {found->second}, onnx_label(name));
}

bool OnnxTranslation::translate(OnnxStep& step) {
  const OnnxNode& node = step.node;
  if (node.type == "Shape" && node.domain.empty() && step.is_tensor(0)) {
    step.result(shape_constant(step.shape(0), node));
    return true;
  }
  const bool fixed = std::ranges::none_of(node.inputs, [&](const std::string& name) {
    return !name.empty() && std::holds_alternative<Tensor>(operands_.at(name));
  });
  if (fixed && fold(step)) return true;
  const OnnxRule* rule = find_rule(node);
  return rule != nullptr && (*rule)(step);
}

// Constants of constants. Where the values cannot be followed, the extents can: a mask of many windows.
bool OnnxTranslation::fold(OnnxStep& step) {
  const auto constants = step.constants_from(0);
  if (auto folded = fold_onnx_node(step.node, constants)) {
    step.result(std::move(*folded));
    return true;
  }
  std::vector<std::optional<OnnxConstant>> operands;
  bool integer = true;
  for (const OnnxConstant* constant : constants) {
    if (constant != nullptr && !constant->weight.empty()) return false;
    operands.emplace_back(constant != nullptr ? std::optional(*constant) : std::nullopt);
    integer = integer && (constant == nullptr || constant->integer);
  }
  const auto shapes = infer_onnx_shapes(step.node, operands, model_.opset);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (step.used(i) && !shapes[i]) return false;
  }
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (step.used(i)) step.result(OnnxConstant{.dims = *shapes[i], .integer = integer}, i);
  }
  return true;
}

bool OnnxTranslation::complete(const OnnxStep& step) const {
  return std::ranges::all_of(step.node.outputs, [&](const std::string& output) {
    return output.empty() || operands_.contains(output);
  });
}

void OnnxTranslation::attempt(OnnxStep& step) {
  try {
    // A rule may know only some of the results (the mask of a dropout, saved statistics).
    if (translate(step) && complete(step)) return;
  } catch (const InputError&) {
    if (!guessed_) throw;
  }
  opaque(step);
}

void OnnxTranslation::step(const OnnxNode& node) {
  try {
    OnnxStep step(*this, node);
    attempt(step);
  } catch (const InputError& error) {
    const bool rebound = reference_ != nullptr && error.hint().empty();
    throw InputError(
        {model_.file}, "node '" + node.name + "' (" + node.type + "): " + error.message(),
        rebound ? "the sizes asked for are not the file's own, and do not fit it" : error.hint());
  }
}

// What the file says of an inner tensor, for the bound batch.
std::optional<Shape> OnnxTranslation::hinted(const std::string& output) const {
  const auto hint = model_.hints.find(output);
  if (hint == model_.hints.end() || !hint->second.dims || hint->second.dims->empty()) return {};
  Shape shape;
  for (const auto& dim : *hint->second.dims) {
    if (!dim.extent) return {};
    shape.push_back(*dim.extent);
  }
  if (shape[0] == (reference_ == nullptr ? *this : *reference_).batch()) shape[0] = batch();
  return shape;
}

Shape OnnxTranslation::opaque_shape(const OnnxStep& step, const std::optional<Shape>& inferred,
                                    const std::string& output) {
  if (inferred) return *inferred;
  guessed_ = true;
  if (const auto hint = hinted(output)) return *hint;
  for (std::size_t i = 0; i < step.node.inputs.size(); ++i) {
    if (step.is_tensor(i)) return step.shape(i);
  }
  return {1};
}

void OnnxTranslation::opaque(OnnxStep& step) {
  const OnnxNode& node = step.node;
  std::vector<std::optional<OnnxConstant>> operands;
  std::vector<Tensor> inputs;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    operands.emplace_back();
    if (!step.given(i)) continue;
    const OnnxConstant* constant = step.constant(i);
    operands.back() = constant != nullptr ? *constant : OnnxConstant{.dims = step.shape(i)};
    const bool weight = constant != nullptr && !constant->weight.empty() && !kNoWeights.contains(node.type);
    if (constant == nullptr || weight) inputs.push_back(step.tensor(i));
  }
  const auto inferred = infer_onnx_shapes(node, operands, model_.opset);
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (!step.used(i) || operands_.contains(node.outputs[i])) continue;
    step.result(
        step.emit(Opaque{opaque_type(node), opaque_shape(step, inferred[i], node.outputs[i])}, inputs), i);
  }
}

Graph OnnxTranslation::run(const std::vector<Shape>& inputs, const std::string& name) {
  builder_ = GraphBuilder(name);
  for (const auto& [tensor_name, constant] : model_.initializers) define(tensor_name, constant);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const OnnxValue& input = model_.inputs[i];
    define(input.name, builder_.add(Input{inputs[i], input.integer && inputs[i].size() == 2}, {},
                                    onnx_label(input.name)));
  }
  for (const auto& node : model_.nodes) step(node);
  std::vector<Tensor> outputs;
  for (const auto& output : model_.outputs) outputs.push_back(tensor(output.name));
  Graph graph = builder_.finish(outputs);
  for (const auto& [layer, owner] : ties_) graph.nodes[static_cast<std::size_t>(layer)].weight_of = owner;
  graph.notes = model_.notes;
  return without_loose_ends(graph);
}

}  // namespace sextant::nets
