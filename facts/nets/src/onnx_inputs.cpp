// What a file says about itself beyond its graph: which inputs are weights, and what an exporter has folded
// away.
#include <algorithm>
#include <map>
#include <set>

#include "onnx_model.h"

namespace sextant::nets {
namespace {

// Places of an operator's inputs that hold weights.
const std::map<std::string, std::set<std::size_t>> kWeightSlots = {
    {"Conv", {1, 2}},
    {"ConvTranspose", {1, 2}},
    {"Gemm", {1, 2}},
    {"MatMul", {1}},
    {"BatchNormalization", {1, 2, 3, 4}},
    {"LayerNormalization", {1, 2}},
    {"InstanceNormalization", {1, 2}},
    {"GroupNormalization", {1, 2}},
    {"LSTM", {1, 2, 3}},
    {"GRU", {1, 2, 3}},
    {"RNN", {1, 2, 3}},
    {"PRelu", {1}},
};

// Operators that an exporter arranges weights with before they reach their layer.
const std::set<std::string> kArrangements = {"Transpose", "Unsqueeze", "Squeeze", "Reshape",
                                             "Identity",  "Slice",     "Concat",  "Cast"};

// Tensors that end in a place for weights, followed backwards through arrangements.
std::set<std::string> fed_as_weights(const OnnxModel& model) {
  std::set<std::string> names;
  for (auto node = model.nodes.rbegin(); node != model.nodes.rend(); ++node) {
    if (const auto slots = kWeightSlots.find(node->type); slots != kWeightSlots.end()) {
      for (std::size_t i = 0; i < node->inputs.size(); ++i) {
        if (slots->second.contains(i)) names.insert(node->inputs[i]);
      }
    }
    const bool passed_on =
        std::ranges::any_of(node->outputs, [&](const auto& name) { return names.contains(name); });
    if (passed_on && kArrangements.contains(node->type))
      names.insert(node->inputs.begin(), node->inputs.end());
  }
  return names;
}

bool has_fixed_extents(const OnnxValue& input) {
  return input.dims && !input.dims->empty() &&
         std::ranges::all_of(*input.dims, [](const OnnxDim& dim) { return dim.extent.has_value(); });
}

}  // namespace

void take_weight_inputs(OnnxModel& model) {
  if (model.inputs.size() < 2) return;
  const std::set<std::string> fed = fed_as_weights(model);
  const auto certain = [&](const OnnxValue& input) {
    return !input.integer && has_fixed_extents(input) && fed.contains(input.name);
  };
  // The first input is the data. Once one of the others is surely a weight, the rest of fixed size are
  // weights too: class tokens, positions and factors are multiplied and added like data.
  if (std::none_of(model.inputs.begin() + 1, model.inputs.end(), certain)) return;
  std::vector<OnnxValue> data = {model.inputs.front()};
  std::size_t taken = 0;
  for (auto input = model.inputs.begin() + 1; input != model.inputs.end(); ++input) {
    // Integers are never trained: indices of a layer bear its name, token ids and masks that of an argument.
    const bool buffer = input->integer && input->name.find('.') != std::string::npos;
    if ((input->integer && !buffer) || !has_fixed_extents(*input)) {
      data.push_back(*input);
      continue;
    }
    OnnxConstant constant{.dims = {}, .integer = buffer, .weight = buffer ? "" : input->name};
    for (const OnnxDim& dim : *input->dims) constant.dims.push_back(*dim.extent);
    model.initializers.insert_or_assign(input->name, std::move(constant));
    ++taken;
  }
  model.inputs = std::move(data);
  model.notes.push_back(std::to_string(taken) +
                        " inputs of the graph are counted as weights: the file holds their shapes only");
}

void note_folded_norms(OnnxModel& model) {
  std::size_t convolutions = 0;
  std::size_t renamed = 0;
  for (const OnnxNode& node : model.nodes) {
    if (node.type == "BatchNormalization") return;
    if (node.type != "Conv" || node.inputs.size() < 3) continue;
    ++convolutions;
    // PyTorch names a weight by its layer, unless the weight was computed when the file was written.
    if (node.inputs[1].starts_with("onnx::Conv_") && model.initializers.contains(node.inputs[1])) ++renamed;
  }
  if (renamed == 0 || 2 * renamed < convolutions) return;
  model.notes.push_back("the exporter folded batch norm into " + std::to_string(renamed) +
                        " convolutions: training takes more time and memory than this file shows; export the "
                        "network for training");
}

}  // namespace sextant::nets
