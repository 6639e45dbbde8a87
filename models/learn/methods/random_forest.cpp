// random-forest: the mean of trees grown on random rows and columns (Breiman 2001), by the XGBoost
// library's parallel trees: rows are drawn without replacement, 63 % for each tree.
#include "forest.h"
#include "grid.h"
#include "sextant/core/text.h"

namespace sextant::learn::method_random_forest {
namespace {

std::vector<MethodSettings> grid() {
  return grid_product(
      {{"columns", {0.5, 1}}, {"depth", {6, 14}}, {"leaf", {1, 3}}, {"relative", {0, 1}}, {"trees", {100}}});
}

std::unique_ptr<Regressor> fit(const Sample& sample, const Parameters& parameters, std::uint64_t seed) {
  const auto count = [&](const char* name) { return std::to_string(parameters.count(name)); };
  return grow_forest(sample, target_of(sample.y, parameters),
                     {.settings = {{"num_parallel_tree", count("trees")},
                                   {"max_depth", count("depth")},
                                   {"min_child_weight", count("leaf")},
                                   {"colsample_bynode", number_text(parameters.share("columns"))},
                                   {"subsample", "0.63"},
                                   {"lambda", "0"},  // a leaf is the mean of its rows
                                   {"eta", "1"},
                                   {"seed", std::to_string(seed & 0x7fffffffU)}},
                      .rounds = 1});
}

}  // namespace

std::vector<MethodInfo> plugin() {
  MethodInfo info;
  info.id = "random-forest";
  info.summary = "mean of trees on random rows and columns; interpolates only";
  info.reference = "docs/models/random-forest.md";
  info.parameters = {share_parameter("columns", "share of the columns tried at a split", {1, 0.01, 1}),
                     count_parameter("depth", "of a tree", {8, 1, 20}),
                     count_parameter("leaf", "fewest rows in a leaf", {1, 1, 1e6}), relative_parameter(),
                     count_parameter("trees", "number of trees", {100, 1, 5000})};
  info.grid = grid;
  info.fit = fit;
  info.load = load_forest;
  return {info};
}

}  // namespace sextant::learn::method_random_forest
