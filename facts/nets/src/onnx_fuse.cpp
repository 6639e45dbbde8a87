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
    for (std::size_t i = 0; i < model_.nodes.size();
         ++i) {  // the largest pattern first: others are parts of it
      members_ = {i};
      if (!dead_[i]) layer_norm(i);
    }
    for (std::size_t i = 0; i < model_.nodes.size(); ++i) {
      members_ = {i};
      if (dead_[i]) continue;
      if (!rms_norm(i) && !group_norm(i) && !gelu(i) && !gated(i)) linear(i);
    }
    for (std::size_t i = 0; i < model_.nodes.size(); ++i) {  // what no factors follow
      members_ = {i};
      if (!dead_[i]) plain_norm(i);
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

  // A tensor before it was cast: sums of squares are computed in another precision.
  std::string uncast(const std::string& tensor) {
    const Index cast = made_by(tensor, "Cast");
    return cast ? node(*cast).inputs[0] : tensor;
  }

  // mean(x^2) over the last axis, of whatever tensor x; the square is a power or a product.
  std::optional<std::string> mean_of_squares(const std::string& tensor) {
    const Index mean = made_by(tensor, "ReduceMean");
    if (!mean || !over_last(*mean)) return {};
    const auto maker = producer_.find(node(*mean).inputs[0]);
    if (maker == producer_.end() || node(maker->second).inputs.size() != 2) return {};
    const OnnxNode& square = node(maker->second);
    const bool power = square.type == "Pow" && scalar(square.inputs[1], 2);
    const bool product = square.type == "Mul" && square.inputs[0] == square.inputs[1];
    if (!power && !product) return {};
    members_.insert(maker->second);
    return square.inputs[0];
  }

  // What sqrt(mean(x^2) + eps) is the root of: x.
  std::optional<std::string> under_root(std::size_t root) {
    const Index shifted = made_by(node(root).inputs[0], "Add");
    if (!shifted || node(*shifted).inputs.size() != 2) return {};
    for (const std::size_t side : {0, 1}) {
      if (stored(node(*shifted).inputs[1 - side]) == nullptr) continue;
      if (auto squared = mean_of_squares(node(*shifted).inputs[side])) return squared;
    }
    return {};
  }

  // (x - mean(x)) / sqrt(mean((x - mean(x))^2) + eps), by its Div: x.
  std::optional<std::string> normalised(std::size_t ratio) {
    if (node(ratio).type != "Div" || node(ratio).inputs.size() != 2) return {};
    const Index root = made_by(node(ratio).inputs[1], "Sqrt");
    const Index centred = made_by(node(ratio).inputs[0], "Sub");
    if (!root || !centred || node(*centred).inputs.size() != 2) return {};
    const auto squared = under_root(*root);
    if (!squared || uncast(*squared) != uncast(node(ratio).inputs[0])) return {};
    const std::string x = node(*centred).inputs[0];
    const Index mean = made_by(node(*centred).inputs[1], "ReduceMean");
    if (!mean || node(*mean).inputs[0] != x || !over_last(*mean)) return {};
    return x;
  }

  // ... * weight + bias
  bool layer_norm(std::size_t i) {
    if (node(i).type != "Add") return false;
    const auto scaled = operand(i, "Mul");
    if (!scaled || !vector(scaled->other)) return false;
    const auto ratio = operand(scaled->made, "Div");
    if (!ratio || !vector(ratio->other)) return false;
    const auto x = normalised(ratio->made);
    return x && replace(i, "LayerNormalization", {*x, ratio->other, scaled->other});
  }

  // The same without factors and offsets.
  bool plain_norm(std::size_t i) {
    const auto x = normalised(i);
    return x && replace(i, "LayerNormalization", {*x});
  }

  // weight * x / sqrt(mean(x^2) + eps); the quotient is also written as a product with the inverse. Of a
  // centred x it is a layer norm without offsets.
  bool rms_norm(std::size_t i) {
    if (node(i).type != "Mul" || node(i).inputs.size() != 2) return false;
    for (const std::size_t side : {0, 1}) {
      members_ = {i};
      const std::string weight = node(i).inputs[1 - side];
      if (!vector(weight)) continue;
      if (const Index ratio = made_by(node(i).inputs[side], "Div")) {
        const auto x = normalised(*ratio);
        if (x && replace(i, "LayerNormalization", {*x, weight})) return true;
        members_ = {i};
      }
      const auto x = over_root(uncast(node(i).inputs[side]));
      if (x && replace(i, "RmsNorm", {*x, weight})) return true;
    }
    return false;
  }

  std::optional<std::string> over_root(const std::string& tensor) {
    if (const Index ratio = made_by(tensor, "Div"); ratio && node(*ratio).inputs.size() == 2) {
      const Index root = made_by(node(*ratio).inputs[1], "Sqrt");
      return root ? root_of_own_squares(node(*ratio).inputs[0], *root) : std::nullopt;
    }
    const Index product = made_by(tensor, "Mul");
    if (!product || node(*product).inputs.size() != 2) return {};
    for (const std::size_t side : {0, 1}) {
      if (const Index root = inverted_root(node(*product).inputs[1 - side]))
        return root_of_own_squares(node(*product).inputs[side], *root);
    }
    return {};
  }

  // 1 / sqrt(…), by its Sqrt.
  Index inverted_root(const std::string& inverse) {
    if (const Index ratio = made_by(inverse, "Div"); ratio && scalar(node(*ratio).inputs[0], 1))
      return made_by(node(*ratio).inputs.back(), "Sqrt");
    const Index turned = made_by(inverse, "Reciprocal");
    return turned ? made_by(node(*turned).inputs[0], "Sqrt") : Index{};
  }

  std::optional<std::string> root_of_own_squares(const std::string& x, std::size_t root) {
    const auto squared = under_root(root);
    if (!squared || uncast(*squared) != uncast(x)) return {};
    return uncast(x);
  }

  // PyTorch's group norm: channels in groups, instance norm with ones and zeros, back, factors and offsets.
  bool group_norm(std::size_t i) {
    if (node(i).type != "Add") return false;
    const auto scaled = operand(i, "Mul");
    if (!scaled || stored(scaled->other) == nullptr) return false;
    const auto back = operand(scaled->made, "Reshape");
    if (!back || stored(back->other) == nullptr) return false;
    const Index norm = made_by(node(back->made).inputs[0], "InstanceNormalization");
    if (!norm || node(*norm).inputs.size() != 3) return false;
    const Index apart = made_by(node(*norm).inputs[0], "Reshape");
    const OnnxConstant* groups = stored(node(*norm).inputs[1]);
    if (!apart || groups == nullptr || groups->dims.size() != 1) return false;
    const std::int64_t count = groups->dims[0];
    if (!replace(i, "GroupNormalization", {node(*apart).inputs[0], back->other, scaled->other})) return false;
    model_.nodes[i].attributes["num_groups"] = count;
    return true;
  }

  // x * (erf(x / sqrt 2) + 1) * 0.5
  bool gelu(std::size_t i) {
    if (node(i).type != "Mul") return false;
    const auto product = operand(i, "Mul");
    if (!product) return false;
    if (scalar(product->other, 0.5)) {
      const auto sum = operand(product->made, "Add");
      return sum && is_erf_sum(sum->made, sum->other) && replace(i, "Gelu", {sum->other});
    }
    return halved_gelu(i);
  }

  // 0.5 * x * (erf(x / sqrt 2) + 1)
  bool halved_gelu(std::size_t i) {
    members_ = {i};
    const auto sum = operand(i, "Add");
    const Index half = sum ? made_by(sum->other, "Mul") : Index{};
    if (!half || node(*half).inputs.size() != 2) return false;
    const auto& factors = node(*half).inputs;
    const std::size_t side = scalar(factors[0], 0.5) ? 1 : 0;
    if (!scalar(factors[1 - side], 0.5)) return false;
    const std::string x = factors[side];
    return is_erf_sum(sum->made, x) && replace(i, "Gelu", {x});
  }

  // erf(x / sqrt 2) + 1
  bool is_erf_sum(std::size_t sum, const std::string& x) {
    const auto erf = operand(sum, "Erf");
    if (!erf || !scalar(erf->other, 1)) return false;
    const std::string argument = node(erf->made).inputs[0];
    if (const Index ratio = made_by(argument, "Div"))
      return node(*ratio).inputs[0] == x && scalar(node(*ratio).inputs.back(), std::sqrt(2.0));
    const Index product = made_by(argument, "Mul");
    return product && node(*product).inputs[0] == x && scalar(node(*product).inputs.back(), std::sqrt(0.5));
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
