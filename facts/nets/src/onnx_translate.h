// Node by node from ONNX to our graph, with concrete shapes. A rule translates one operator; what no
// rule takes becomes Opaque.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "onnx_model.h"
#include "sextant/nets/builder.h"

namespace sextant::nets {

// What a name stands for: a tensor of the graph under construction, or a constant.
using OnnxOperand = std::variant<Tensor, OnnxConstant>;

class OnnxStep;

// True if the operator was translated; false leaves it to Opaque. A rule that returns false has
// added nothing.
using OnnxRule = bool (*)(OnnxStep&);
const std::map<std::string, OnnxRule>& onnx_layer_rules();
const std::map<std::string, OnnxRule>& onnx_arithmetic_rules();
const std::map<std::string, OnnxRule>& onnx_shape_rules();
const std::map<std::string, OnnxRule>& onnx_map_rules();
const std::map<std::string, OnnxRule>& onnx_sequence_rules();

class OnnxTranslation {
 public:
  // `reference` has run with the file's own sizes, if these differ from the bound ones.
  OnnxTranslation(const OnnxModel& model, const OnnxTranslation* reference)
      : model_(model), reference_(reference) {}

  // Throws InputError that names the file and the node.
  Graph run(const std::vector<Shape>& inputs, const std::string& name);

 private:
  friend class OnnxStep;

  [[nodiscard]] std::int64_t batch() const { return shapes_.at(model_.inputs.front().name).at(0); }
  void step(const OnnxNode& node);
  void attempt(OnnxStep& step);
  bool translate(OnnxStep& step);
  bool fold(OnnxStep& step);
  [[nodiscard]] bool complete(const OnnxStep& step) const;  // every used result is there
  void opaque(OnnxStep& step);
  Shape opaque_shape(const OnnxStep& step, const std::optional<Shape>& inferred, const std::string& output);
  std::optional<Shape> hinted(const std::string& output) const;
  Tensor tensor(const std::string& name);
  void define(const std::string& name, OnnxOperand operand);

  const OnnxModel& model_;
  const OnnxTranslation* reference_;
  GraphBuilder builder_{""};
  std::map<std::string, OnnxOperand> operands_;
  std::map<std::string, Shape> shapes_;
  std::map<std::string, Tensor> parameters_;     // stored tensors that stand in the graph
  std::map<std::string, NodeId> owners_;         // first layer that uses a stored matrix
  std::vector<std::pair<NodeId, NodeId>> ties_;  // a layer and the owner of its weights
  bool guessed_ = false;  // a shape is a guess: what does not fit afterwards is not the user's slip
};

// One node in the hands of a rule.
class OnnxStep {
 public:
  OnnxStep(OnnxTranslation& translation, const OnnxNode& of) : node(of), t_(translation) {}

  const OnnxNode& node;

  [[nodiscard]] bool given(std::size_t i) const { return i < node.inputs.size() && !node.inputs[i].empty(); }
  [[nodiscard]] const OnnxConstant* constant(std::size_t i) const;  // null if absent or computed
  [[nodiscard]] bool is_tensor(std::size_t i) const { return given(i) && constant(i) == nullptr; }
  [[nodiscard]] Shape shape(std::size_t i) const;
  [[nodiscard]] std::optional<double> number(std::size_t i) const;  // a constant of one element
  [[nodiscard]] std::vector<const OnnxConstant*> constants_from(std::size_t first) const;
  [[nodiscard]] std::int64_t batch() const { return t_.batch(); }
  [[nodiscard]] std::int64_t file_batch() const {
    return (t_.reference_ == nullptr ? t_ : *t_.reference_).batch();
  }
  // An input as it is at the file's own sizes: its shape, its values if it is a constant. Null if
  // the bound sizes are the file's.
  [[nodiscard]] const Shape* reference_shape(std::size_t i) const;
  [[nodiscard]] const OnnxConstant* reference_constant(std::size_t i) const;

  // The operand as a tensor; a stored weight becomes a Parameter, once.
  Tensor tensor(std::size_t i) { return t_.tensor(name(i)); }
  Tensor emit(Op op, const std::vector<Tensor>& inputs);
  [[nodiscard]] const Shape& shape_of(Tensor x) const { return t_.builder_.shape(x); }
  [[nodiscard]] const Node& node_of(Tensor x) const { return t_.builder_.node(x); }
  void result(OnnxOperand operand, std::size_t output = 0);
  bool used(std::size_t output) const {
    return output < node.outputs.size() && !node.outputs[output].empty();
  }

  // Result of reshaping x, or x itself where nothing changes.
  Tensor view(Tensor x, const Shape& shape);
  // Says that this layer multiplies by the stored matrix: a second user shares the first one's.
  void owns_weight(Tensor layer, const OnnxConstant& weight);

 private:
  [[nodiscard]] const std::string& name(std::size_t i) const;  // throws InputError for an absent input

  OnnxTranslation& t_;
  int emitted_ = 0;
};

}  // namespace sextant::nets
