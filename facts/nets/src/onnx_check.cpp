#include <algorithm>
#include <set>

#include "onnx_model.h"
#include "sextant/core/error.h"

namespace sextant::nets {
namespace {

constexpr std::size_t kLongestLabel = 200;  // characters

std::set<std::string> given_names(const OnnxModel& model) {
  std::set<std::string> names;
  for (const auto& [name, tensor] : model.initializers) names.insert(name);
  for (const auto& input : model.inputs) names.insert(input.name);
  return names;
}

[[noreturn]] void refuse_input(const OnnxModel& model, const OnnxNode& node, const std::string& input) {
  const bool later = std::ranges::any_of(
      model.nodes, [&](const OnnxNode& other) { return std::ranges::count(other.outputs, input) > 0; });
  throw InputError({model.file},
                   "node '" + node.name + "' (" + node.type + ") reads '" + onnx_label(input) + "', " +
                       (later ? "which is computed only after it" : "which nothing computes"),
                   later ? "the nodes form a cycle, or do not stand in order" : "is the file complete?");
}

// Every input stands before its reader, and every name is given once.
void check_order(const OnnxModel& model) {
  std::set<std::string> known = given_names(model);
  for (const auto& node : model.nodes) {
    for (const auto& input : node.inputs) {
      if (!input.empty() && !known.contains(input)) refuse_input(model, node, input);
    }
    for (const auto& output : node.outputs) {
      if (!output.empty() && !known.insert(output).second) {
        throw InputError({model.file},
                         "node '" + node.name + "' computes '" + onnx_label(output) + "' a second time");
      }
    }
  }
  for (const auto& output : model.outputs) {
    if (!known.contains(output.name))
      throw InputError({model.file}, "no node computes the output '" + onnx_label(output.name) + "'");
  }
}

void drop_unused(OnnxModel& model) {
  std::set<std::string> needed;
  for (const auto& output : model.outputs) needed.insert(output.name);
  std::vector<OnnxNode> kept;
  for (auto node = model.nodes.rbegin(); node != model.nodes.rend(); ++node) {
    if (std::ranges::none_of(node->outputs, [&](const auto& name) { return needed.contains(name); }))
      continue;
    for (auto& output : node->outputs) {
      if (!needed.contains(output)) output.clear();
    }
    needed.insert(node->inputs.begin(), node->inputs.end());
    kept.push_back(std::move(*node));
  }
  model.nodes.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
}

}  // namespace

std::string onnx_label(const std::string& name) {
  std::string text = name.substr(0, kLongestLabel);
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
  return text;
}

void check_onnx_model(OnnxModel& model) {
  if (model.nodes.empty()) throw InputError({model.file}, "the graph has no nodes");
  if (model.outputs.empty()) throw InputError({model.file}, "the graph has no outputs");
  check_order(model);
  drop_unused(model);
  if (model.nodes.empty())
    throw InputError({model.file}, "the graph computes nothing: its outputs are its inputs");
}

}  // namespace sextant::nets
