// Exporters before opset 17 spell some operators out in arithmetic. Run as written, each step would
// be a pass over memory that no framework makes; so the spellings are read back as the operator.
#include <algorithm>
#include <cmath>
#include <set>

#include "onnx_model.h"

namespace sextant::nets {
namespace {

class Fuser {
 public:
  explicit Fuser(OnnxModel& model) : model_(model), dead_(model.nodes.size(), false) {
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
      for (const auto& output : model.nodes[i].outputs) {
        if (!output.empty()) producer_[output] = i;
      }
      for (const auto& input : model.nodes[i].inputs) readers_[input].insert(i);
    }
    for (const auto& output : model.outputs) kept_.insert(output.name);
  }

  void run() {
    for (std::size_t i = 0; i < model_.nodes.size(); ++i) {
      members_ = {i};
      if (dead_[i]) continue;
      if (!layer_norm(i) && !gelu(i) && !gated(i)) linear(i);
    }
    std::size_t i = 0;
    std::erase_if(model_.nodes, [&](const OnnxNode&) { return dead_[i++]; });
  }

 private:
  using Index = std::optional<std::size_t>;

  [[nodiscard]] const OnnxNode& node(std::size_t i) const { return model_.nodes[i]; }

  // The living node of this type that computes a tensor.
  Index made_by(const std::string& tensor, const char* type) {
    const auto it = producer_.find(tensor);
    if (it == producer_.end() || dead_[it->second]) return {};
    const OnnxNode& found = node(it->second);
    if (found.type != type || !found.domain.empty() || found.inputs.empty()) return {};
    members_.insert(it->second);
    return it->second;
  }

  // For an operator of two inputs: the one of this type, and the name of the other input.
  struct Pair {
    std::size_t made;
    std::string other;
  };
  std::optional<Pair> operand(std::size_t i, const char* type) {
    const auto& inputs = node(i).inputs;
    if (inputs.size() != 2) return {};
    for (const std::size_t side : {0, 1}) {
      if (const Index made = made_by(inputs[side], type)) return Pair{*made, inputs[1 - side]};
    }
    return {};
  }

  [[nodiscard]] const OnnxConstant* stored(const std::string& tensor) const {
    if (const auto it = model_.initializers.find(tensor); it != model_.initializers.end()) return &it->second;
    const auto it = producer_.find(tensor);
    if (it == producer_.end()) return nullptr;
    const OnnxNode& found = node(it->second);
    if (found.type == "Constant") return found.find<OnnxConstant>("value");
    // The exporter writes equal initial values once, and an Identity for each further owner.
    return found.type == "Identity" && found.inputs.size() == 1 ? initializer(found.inputs[0]) : nullptr;
  }
  [[nodiscard]] const OnnxConstant* initializer(const std::string& tensor) const {
    const auto it = model_.initializers.find(tensor);
    return it == model_.initializers.end() ? nullptr : &it->second;
  }
  [[nodiscard]] bool vector(const std::string& tensor) const {
    const OnnxConstant* c = stored(tensor);
    return c != nullptr && c->dims.size() == 1 && !c->integer;
  }
  [[nodiscard]] bool scalar(const std::string& tensor, double value) const {
    const OnnxConstant* c = stored(tensor);
    return c != nullptr && c->values && c->values->size() == 1 && std::abs(c->values->front() - value) < 1e-3;
  }

  // Inner results that anybody else reads must stay.
  [[nodiscard]] bool closed(std::size_t root) const {
    return std::ranges::all_of(members_, [&](std::size_t i) {
      return i == root || std::ranges::all_of(node(i).outputs, [&](const std::string& output) {
               const auto it = readers_.find(output);
               return !kept_.contains(output) &&
                      (it == readers_.end() || std::ranges::includes(members_, it->second));
             });
    });
  }

  bool replace(std::size_t root, const char* type, std::vector<std::string> inputs) {
    if (!closed(root)) return false;
    for (const std::size_t i : members_) dead_[i] = i != root;
    for (const auto& input : inputs) readers_[input].insert(root);
    OnnxNode& fused = model_.nodes[root];
    fused.type = type;
    fused.inputs = std::move(inputs);
    fused.attributes.clear();
    return true;
  }

  [[nodiscard]] bool over_last(std::size_t i) const {
    return node(i).get<std::vector<std::int64_t>>("axes", {}) == std::vector<std::int64_t>{-1};
  }

  // (x - mean) / sqrt(mean((x - mean)^2) + eps) * weight + bias
  bool layer_norm(std::size_t i) {
    if (node(i).type != "Add") return false;
    const auto scaled = operand(i, "Mul");
    if (!scaled || !vector(scaled->other)) return false;
    const auto ratio = operand(scaled->made, "Div");
    if (!ratio || !vector(ratio->other)) return false;
    const auto root = operand(ratio->made, "Sqrt");
    if (!root) return false;
    const Index centred = made_by(root->other, "Sub");
    const Index shifted = made_by(node(root->made).inputs[0], "Add");
    if (!centred || !shifted || node(*centred).inputs.size() != 2) return false;
    const auto variance = operand(*shifted, "ReduceMean");
    if (!variance || !over_last(variance->made)) return false;
    const Index squared = made_by(node(variance->made).inputs[0], "Pow");
    if (!squared || node(*squared).inputs[0] != root->other) return false;
    const Index mean = made_by(node(*centred).inputs[1], "ReduceMean");
    const std::string x = node(*centred).inputs[0];
    if (!mean || node(*mean).inputs[0] != x || !over_last(*mean)) return false;
    return replace(i, "LayerNormalization", {x, ratio->other, scaled->other});
  }

  // x * (erf(x / sqrt 2) + 1) * 0.5
  bool gelu(std::size_t i) {
    if (node(i).type != "Mul") return false;
    const auto product = operand(i, "Mul");
    if (!product || !scalar(product->other, 0.5)) return false;
    const auto sum = operand(product->made, "Add");
    if (!sum) return false;
    const auto erf = operand(sum->made, "Erf");
    if (!erf || !scalar(erf->other, 1)) return false;
    const Index ratio = made_by(node(erf->made).inputs[0], "Div");
    if (!ratio || node(*ratio).inputs[0] != sum->other || !scalar(node(*ratio).inputs.back(), std::sqrt(2.0)))
      return false;
    return replace(i, "Gelu", {sum->other});
  }

  // x * sigmoid(x), and the same with the hard sigmoid.
  bool gated(std::size_t i) {
    if (node(i).type != "Mul") return false;
    for (const auto& [gate, whole] : {std::pair("Sigmoid", "Silu"), std::pair("HardSigmoid", "HardSwish")}) {
      members_ = {i};
      const auto pair = operand(i, gate);
      if (pair && node(pair->made).inputs[0] == pair->other) return replace(i, whole, {pair->other});
    }
    return false;
  }

  // x W + b with constant W: the bias is added inside the matrix product's kernel.
  void linear(std::size_t i) {
    members_ = {i};
    if (node(i).type != "Add") return;
    const auto product = operand(i, "MatMul");
    if (!product || !vector(product->other) || node(product->made).inputs.size() != 2) return;
    const std::string weight = node(product->made).inputs[1];
    const auto turned = producer_.find(weight);
    const OnnxConstant* matrix = stored(weight);
    if (matrix == nullptr && turned != producer_.end()) {
      const OnnxNode& maker = node(turned->second);
      if (maker.type == "Transpose" && !maker.inputs.empty()) matrix = stored(maker.inputs[0]);
    }
    if (matrix == nullptr || matrix->dims.size() != 2) return;
    // A bias of one element or of another length is an ordinary sum.
    if (std::ranges::count(matrix->dims, stored(product->other)->dims[0]) == 0) return;
    replace(i, "LinearWithBias", {node(product->made).inputs[0], weight, product->other});
  }

  OnnxModel& model_;
  std::vector<bool> dead_;
  std::map<std::string, std::size_t> producer_;
  std::map<std::string, std::set<std::size_t>> readers_;
  std::set<std::string> kept_;     // outputs of the whole graph
  std::set<std::size_t> members_;  // nodes of the pattern being tried
};

}  // namespace

void fuse_onnx_patterns(OnnxModel& model) {
  Fuser(model).run();
}

}  // namespace sextant::nets
