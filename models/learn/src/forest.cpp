#include "forest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "json_fields.h"
#include "sextant/core/error.h"
#include "sextant/core/json_place.h"

namespace sextant::learn {
namespace {

float leaf_of(const Tree& tree, std::span<const float> x) {
  std::size_t at = 0;
  while (tree[at].left >= 0) {
    const TreeNode& node = tree[at];
    at = static_cast<std::size_t>(x[node.column] < node.value ? node.left : node.right);
  }
  return tree[at].value;
}

Json tree_json(const Tree& tree) {
  Json left = Json::array();
  Json right = Json::array();
  Json column = Json::array();
  Json value = Json::array();
  for (const auto& node : tree) {
    left.push_back(node.left);
    right.push_back(node.right);
    column.push_back(node.column);
    value.push_back(node.value);
  }
  return {{"left", left}, {"right", right}, {"column", column}, {"value", value}};
}

std::int32_t load_child(double number, std::size_t parent, std::size_t nodes) {
  if (number == -1) return -1;
  if (!(number > static_cast<double>(parent)) || !(number < static_cast<double>(nodes))) {
    throw InputError("a tree has a node whose children do not follow it");
  }
  if (number != std::floor(number)) throw InputError("a tree has a child whose number is not whole");
  return static_cast<std::int32_t>(number);
}

Tree load_tree(const Json& json, std::size_t columns) {
  const auto left = json_numbers(json, "left");
  const auto right = json_numbers(json, "right");
  const auto column = json_numbers(json, "column");
  const auto value = json_numbers(json, "value");
  const std::size_t nodes = left.size();
  if (nodes == 0 || right.size() != nodes || column.size() != nodes || value.size() != nodes) {
    throw JsonFault::at_value(json, "trees", "has lists that differ in length, or are empty");
  }
  Tree tree;
  for (std::size_t i = 0; i < nodes; ++i) {
    if (!(column[i] >= 0) || !(column[i] < static_cast<double>(std::max<std::size_t>(columns, 1)))) {
      throw JsonFault(json, "column", "names a column that the model does not have");
    }
    if (column[i] != std::floor(column[i])) throw JsonFault(json, "column", "has a number that is not whole");
    tree.push_back({load_child(left[i], i, nodes), load_child(right[i], i, nodes),
                    static_cast<std::uint32_t>(column[i]), narrowed(value[i])});
    if ((tree[i].left < 0) != (tree[i].right < 0))
      throw JsonFault::at_value(json, "trees", "has a node with one child");
  }
  return tree;
}

}  // namespace

float narrowed(double value) {
  constexpr double kMost = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value, -kMost, kMost));
}

float Forest::margin(std::span<const float> x) const {
  float sum = 0;
  for (const auto& tree : trees_) sum += leaf_of(tree, x);
  return sum;
}

double Forest::predict(std::span<const double> x) const {
  std::vector<float> narrow(x.size());
  std::ranges::transform(x, narrow.begin(), narrowed);
  const auto sum = static_cast<double>(margin(narrow));
  constexpr double kMost = std::numeric_limits<float>::max();
  return target_.back(std::clamp(sum, -kMost, kMost));
}

Json Forest::to_json() const {
  Json trees = Json::array();
  for (const auto& tree : trees_) trees.push_back(tree_json(tree));
  return {{"target", target_json(target_)}, {"trees", std::move(trees)}};
}

std::unique_ptr<Regressor> load_forest(const Json& json, const std::vector<SampleColumn>& columns) {
  std::vector<Tree> trees;
  for (const auto& tree : json_list(json, "trees")) {
    trees.push_back(load_tree(tree, columns.size()));
    if (columns.empty() && trees.back().size() > 1) throw InputError("a tree splits without columns");
  }
  return std::make_unique<Forest>(std::move(trees), load_target(json_field(json, "target")));
}

}  // namespace sextant::learn
