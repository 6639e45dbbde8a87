// The contract of every method, run over the registry.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "sextant/core/rng.h"
#include "sextant/learn/metrics.h"
#include "sextant/learn/model.h"

namespace sextant::learn {
namespace {

// 5 + 2 a + 3 b, without noise; for Ernest its own law with scale a and machines b.
double law(const std::string& id, double a, double b) {
  return id == "ernest" ? 5 + 12 * a / b + 3 * std::log(b) + 0.5 * b : 5 + 2 * a + 3 * b;
}

Sample law_sample(const std::string& id, std::size_t rows, std::uint64_t seed) {
  Rng rng = Rng(seed).stream("law");
  Sample sample{{{"a", {}}, {"b", {}}}, stats::Matrix(rows, 2), {}};
  for (std::size_t i = 0; i < rows; ++i) {
    sample.x(i, 0) = 1 + 9 * rng.uniform();
    sample.x(i, 1) = 1 + 9 * rng.uniform();
    sample.y.push_back(law(id, sample.x(i, 0), sample.x(i, 1)));
  }
  return sample;
}

std::vector<double> predictions(const Regressor& regressor, const stats::Matrix& x) {
  std::vector<double> out;
  for (std::size_t i = 0; i < x.rows(); ++i) out.push_back(regressor.predict(x.row(i)));
  return out;
}

class MethodContract : public testing::TestWithParam<MethodInfo> {};

TEST_P(MethodContract, StatesItsParametersAndAGridWithinThem) {
  const MethodInfo& method = GetParam();
  EXPECT_FALSE(method.summary.empty());
  EXPECT_TRUE(method.reference.starts_with("docs/models/"));
  const auto grid = method.grid();
  EXPECT_GE(grid.size(), 1U);
  EXPECT_LE(grid.size(), 36U);
  bool absolute = false;
  for (const auto& point : grid) {
    EXPECT_EQ(point.size(), method.parameters.size());
    for (const auto& info : method.parameters) {
      ASSERT_TRUE(point.contains(info.name)) << info.name;
      EXPECT_GE(point.at(info.name), info.low) << info.name;
      EXPECT_LE(point.at(info.name), info.high) << info.name;
      EXPECT_GE(info.fallback, info.low);
      EXPECT_LE(info.fallback, info.high);
    }
    absolute |= point.at("relative") == 0;
  }
  EXPECT_TRUE(absolute) << "a response that is not positive needs a point with relative=0";
}

// Mean error in percent on rows of the same box that were not trained on, at the best point of the grid.
TEST_P(MethodContract, RecoversALaw) {
  const std::map<std::string, double> tolerance = {
      {"ols", 1e-9}, {"stepwise", 1e-6}, {"ridge", 0.1},          {"nnls", 1e-6},
      {"svr", 2},    {"ernest", 1e-6},   {"random-forest", 12.0}, {"xgboost", 6.0}};
  const MethodInfo& method = GetParam();
  ASSERT_TRUE(tolerance.contains(method.id)) << "state what the new method reaches";
  const Sample train = law_sample(method.id, 150, 1);
  const Sample test = law_sample(method.id, 60, 2);
  double best = INFINITY;
  for (const auto& point : method.grid()) {
    const auto predicted = predictions(*method.fit(train, with_settings(method, point), 0), test.x);
    best = std::min(best, compare(test.y, predicted).ape->mean);
  }
  EXPECT_LT(best, tolerance.at(method.id));
}

TEST_P(MethodContract, IsFiniteDeterministicAndSurvivesTheRoundTripToTheBit) {
  const MethodInfo& method = GetParam();
  const Sample train = law_sample(method.id, 40, 3);
  stats::Matrix queries = law_sample(method.id, 20, 4).x;
  queries(0, 0) = 0;  // and some that are far outside
  queries(1, 1) = -1e9;
  queries(2, 0) = 1e300;
  queries(3, 1) = 1e-300;
  const auto grid = method.grid();
  for (std::size_t p = 0; p < grid.size(); p += 3) {
    const auto first = method.fit(train, with_settings(method, grid[p]), 7);
    const auto again = method.fit(train, with_settings(method, grid[p]), 7);
    const auto loaded = method.load(Json::parse(first->to_json().dump()), train.columns);
    const auto a = predictions(*first, queries);
    const auto b = predictions(*again, queries);
    const auto c = predictions(*loaded, queries);
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_TRUE(std::isfinite(a[i])) << to_string(grid[p]) << " row " << i;
      EXPECT_EQ(std::bit_cast<std::uint64_t>(a[i]), std::bit_cast<std::uint64_t>(b[i]));
      EXPECT_EQ(std::bit_cast<std::uint64_t>(a[i]), std::bit_cast<std::uint64_t>(c[i]));
    }
    EXPECT_EQ(first->to_json(), loaded->to_json());
  }
}

TEST_P(MethodContract, SurvivesConstantAndCollinearColumns) {
  const MethodInfo& method = GetParam();
  Sample sample = law_sample(method.id, 40, 5);
  if (method.automatic) {
    const Sample two = sample;
    sample = {{{"a", {}}, {"b", {}}, {"fixed", {}}, {"twice", {}}}, stats::Matrix(40, 4), two.y};
    for (std::size_t i = 0; i < 40; ++i) {
      sample.x(i, 0) = two.x(i, 0);
      sample.x(i, 1) = two.x(i, 1);
      sample.x(i, 2) = 7;
      sample.x(i, 3) = 2 * two.x(i, 0) - 1;
    }
  } else {  // takes two columns only: one of them constant
    for (std::size_t i = 0; i < 40; ++i) {
      sample.x(i, 0) = 7;
      sample.y[i] = law(method.id, 7, sample.x(i, 1));
    }
  }
  for (const auto& point : method.grid()) {
    const auto predicted = predictions(*method.fit(sample, with_settings(method, point), 0), sample.x);
    const Metrics metrics = compare(sample.y, predicted);
    EXPECT_LT(metrics.ape->mean, 40) << to_string(point);
  }
}

TEST_P(MethodContract, LearnsAConstantResponse) {
  const MethodInfo& method = GetParam();
  Sample sample = law_sample(method.id, 20, 6);
  sample.y.assign(20, 4.0);
  for (const auto& point : method.grid()) {
    for (const double value : predictions(*method.fit(sample, with_settings(method, point), 0), sample.x)) {
      EXPECT_NEAR(value, 4, 1e-6) << to_string(point);
    }
  }
}

TEST_P(MethodContract, RefusesTheJsonOfNobody) {
  const std::vector<SampleColumn> columns = {{"a", {}}, {"b", {}}};
  for (const char* text : {"{}", "[]", "3", R"({"intercept": "x"})", R"({"trees": 1, "kernel": 1})"}) {
    EXPECT_THROW(GetParam().load(Json::parse(text), columns), InputError) << text;
  }
}

INSTANTIATE_TEST_SUITE_P(All, MethodContract, testing::ValuesIn(methods().all()), [](const auto& test) {
  std::string name = test.param.id;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace sextant::learn
