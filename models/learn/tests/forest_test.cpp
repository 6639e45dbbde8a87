// Our sum over trees against the library's own prediction of the same training run.
#include "forest.h"

#include <gtest/gtest.h>
#include <xgboost/c_api.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "error_of.h"
#include "sextant/core/rng.h"

namespace sextant::learn {
namespace {

constexpr std::size_t kRows = 80;

Sample wavy() {
  Rng rng = Rng(11).stream("forest");
  Sample sample{{{"a", {}}, {"b", {}}}, stats::Matrix(kRows, 2), {}};
  for (std::size_t i = 0; i < kRows; ++i) {
    sample.x(i, 0) = static_cast<float>(rng.uniform());
    sample.x(i, 1) = static_cast<float>(rng.uniform());
    sample.y.push_back(static_cast<float>(std::sin(9 * sample.x(i, 0)) + sample.x(i, 1)));
  }
  return sample;
}

std::vector<float> library_predictions(const Sample& sample, const BoostOptions& options) {
  std::vector<float> x(sample.x.data(), sample.x.data() + 2 * kRows);
  const std::vector<float> y(sample.y.begin(), sample.y.end());
  DMatrixHandle data = nullptr;
  EXPECT_EQ(XGDMatrixCreateFromMat(x.data(), kRows, 2, std::numeric_limits<float>::infinity(), &data), 0);
  EXPECT_EQ(XGDMatrixSetFloatInfo(data, "label", y.data(), kRows), 0);
  BoosterHandle booster = nullptr;
  EXPECT_EQ(XGBoosterCreate(&data, 1, &booster), 0);
  for (const auto& [name, value] :
       {std::pair("nthread", "1"), {"base_score", "0"}, {"tree_method", "exact"}, {"verbosity", "0"}}) {
    XGBoosterSetParam(booster, name, value);
  }
  for (const auto& [name, value] : options.settings) XGBoosterSetParam(booster, name.c_str(), value.c_str());
  for (int round = 0; round < options.rounds; ++round) XGBoosterUpdateOneIter(booster, round, data);
  bst_ulong length = 0;
  const float* out = nullptr;
  EXPECT_EQ(XGBoosterPredict(booster, data, 0, 0, 0, &length, &out), 0);
  std::vector<float> predictions(out, out + length);
  XGBoosterFree(booster);
  XGDMatrixFree(data);
  return predictions;
}

TEST(Forest, PredictsWhatTheLibraryPredictsToTheBit) {
  const Sample sample = wavy();
  const std::vector<BoostOptions> runs = {
      {.settings = {{"max_depth", "5"}, {"gamma", "0.01"}, {"seed", "3"}}, .rounds = 40},
      {.settings = {{"max_depth", "9"},
                    {"num_parallel_tree", "50"},
                    {"subsample", "0.63"},
                    {"eta", "1"},
                    {"lambda", "0"},
                    {"seed", "3"}},
       .rounds = 1}};
  for (const auto& options : runs) {
    const auto forest = grow_forest(sample, Target{false, 0, 1}, options);
    const auto library = library_predictions(sample, options);
    ASSERT_EQ(library.size(), kRows);
    for (std::size_t i = 0; i < kRows; ++i) {
      EXPECT_EQ(forest->predict(sample.x.row(i)), static_cast<double>(library[i])) << i;
    }
  }
}

TEST(Forest, TheSeedCountsWhereThereIsChance) {
  const Sample sample = wavy();
  const MethodInfo& method = methods().get("random-forest");
  const Parameters parameters =
      with_settings(method, {{"columns", 1}, {"depth", 6}, {"leaf", 1}, {"relative", 0}, {"trees", 5}});
  EXPECT_NE(method.fit(sample, parameters, 1)->to_json(), method.fit(sample, parameters, 2)->to_json());
}

TEST(Forest, AValueAtTheThresholdGoesRight) {
  const Forest forest({{{1, 2, 0, 1.5F}, {-1, -1, 0, 10}, {-1, -1, 0, 20}}}, Target{false, 0, 1});
  EXPECT_EQ(forest.predict(std::vector<double>{1.25}), 10);
  EXPECT_EQ(forest.predict(std::vector<double>{1.5}), 20);
}

TEST(Forest, BrokenTreesAreRefused) {
  const std::vector<SampleColumn> columns = {{"a", {}}};
  const auto load = [&](const std::string& tree) {
    return sextant::test::error_of([&] {
      load_forest(Json::parse(R"({"target": {"log": 0, "mean": 0, "sd": 1}, "trees": [)" + tree + "]}"),
                  columns);
    });
  };
  EXPECT_EQ(load(R"({"left": [1, -1, -1], "right": [2, -1, -1], "column": [0, 0, 0], "value": [1, 2, 3]})"),
            "no error");
  // A node that is its own child would never end.
  EXPECT_NE(load(R"({"left": [0], "right": [0], "column": [0], "value": [1]})").find("do not follow"),
            std::string::npos);
  EXPECT_NE(load(R"({"left": [5], "right": [6], "column": [0], "value": [1]})").find("do not follow"),
            std::string::npos);
  // A child between a node and itself would be cut to that node.
  EXPECT_NE(
      load(R"({"left": [0.5, -1], "right": [1, -1], "column": [0, 0], "value": [1, 2]})").find("not whole"),
      std::string::npos);
  EXPECT_NE(
      load(R"({"left": [1, -1], "right": [-1, -1], "column": [0, 0], "value": [1, 2]})").find("one child"),
      std::string::npos);
  EXPECT_NE(load(R"({"left": [-1], "right": [-1], "column": [4], "value": [1]})").find("does not have"),
            std::string::npos);
  EXPECT_NE(load(R"({"left": [], "right": [], "column": [], "value": []})").find("empty"), std::string::npos);
}

}  // namespace
}  // namespace sextant::learn
