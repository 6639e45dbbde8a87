// xgboost: gradient boosting of regression trees by the XGBoost library (Chen and Guestrin 2016).
#include "forest.h"
#include "grid.h"
#include "sextant/core/text.h"

namespace sextant::learn::method_xgboost {
namespace {

std::vector<MethodSettings> grid() {
  return grid_product({{"depth", {2, 4, 6}},
                       {"gamma", {0}},
                       {"min-child-weight", {1}},
                       {"rate", {0.1, 0.3}},
                       {"relative", {0, 1}},
                       {"trees", {150}}});
}

std::unique_ptr<Regressor> fit(const Sample& sample, const Parameters& parameters, std::uint64_t seed) {
  const auto text = [&](const char* name) { return number_text(parameters.number(name)); };
  return grow_forest(sample, target_of(sample.y, parameters),
                     {.settings = {{"max_depth", std::to_string(parameters.count("depth"))},
                                   {"gamma", text("gamma")},
                                   {"min_child_weight", text("min-child-weight")},
                                   {"eta", text("rate")},
                                   {"seed", std::to_string(seed & 0x7fffffffU)}},
                      .rounds = static_cast<int>(parameters.count("trees"))});
}

}  // namespace

std::vector<MethodInfo> plugin() {
  MethodInfo info;
  info.id = "xgboost";
  info.summary = "gradient boosting of trees; interpolates only";
  info.reference = "docs/models/xgboost.md";
  info.parameters = {count_parameter("depth", "of a tree", {4, 1, 20}),
                     number_parameter("gamma", "least gain of a split", {0, 0, 1e6}),
                     number_parameter("min-child-weight", "fewest rows in a leaf", {1, 0, 1e6}),
                     number_parameter("rate", "learning rate", {0.1, 0.001, 1}),
                     relative_parameter(),
                     count_parameter("trees", "number of trees", {150, 1, 5000})};
  info.aliases = {"gradient-boosting"};
  info.grid = grid;
  info.fit = fit;
  info.load = load_forest;
  return {info};
}

}  // namespace sextant::learn::method_xgboost
