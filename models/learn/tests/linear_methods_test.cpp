// The worked examples of ridge, NNLS and Ernest, through the methods as users call them.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "error_of.h"
#include "sextant/learn/method.h"

namespace sextant::learn {
namespace {

std::unique_ptr<Regressor> fitted(const char* id, const Sample& sample, const MethodSettings& settings) {
  const MethodInfo& method = methods().get(id);
  return method.fit(sample, with_settings(method, settings), 0);
}

double at(const Regressor& r, std::vector<double> x) {
  return r.predict(x);
}

// x = 1, 2, 3, 4: Sxx = 5 and Sxy = 9.7, so the slope is 9.7 / (5 + lambda). The method penalises
// columns of standard deviation 1; the variance is 5/3, so its lambda is 3/5 of that one.
TEST(LinearMethods, RidgeShrinksByThePenalty) {
  Sample sample{{{"x", {}}}, stats::Matrix::from_rows({{1}, {2}, {3}, {4}}), {2.1, 3.9, 6.2, 7.8}};
  const auto line = [&](double lambda) {
    const auto r = fitted("ridge", sample, {{"degree", 0}, {"lambda", lambda * 0.6}, {"relative", 0}});
    return std::pair(at(*r, {1}) - at(*r, {0}), at(*r, {0}));
  };
  EXPECT_NEAR(line(0).first, 1.94, 1e-9);
  EXPECT_NEAR(line(0.1).first, 1.90196, 5e-6);
  EXPECT_NEAR(line(1).first, 1.61667, 5e-6);
  EXPECT_NEAR(line(1).second, 0.95833, 5e-6);
}

const std::vector<std::vector<double>> kErnestRuns = {{.125, 1}, {.125, 2}, {.25, 4}, {.25, 8},
                                                      {.5, 8},   {.5, 16},  {.25, 16}};  // s, m

std::unique_ptr<Regressor> ernest(std::vector<double> times) {
  Sample sample{{{"s", {}}, {"m", {}}}, stats::Matrix::from_rows(kErnestRuns), std::move(times)};
  return fitted("ernest", sample, {{"relative", 0}});
}

TEST(LinearMethods, ErnestRecoversExactTimes) {
  // 5 + 120 s/m + 3 ln m + 0.5 m
  const auto r = ernest({20.5, 15.5794, 18.6589, 18.9883, 22.7383, 25.0678, 23.1928});
  EXPECT_NEAR(at(*r, {1, 32}), 35.1472, 2e-4);
  const Json fit = r->to_json();
  EXPECT_NEAR(fit.at("intercept").get<double>(), 5, 5e-3);
  const std::vector<double> want = {120, 3, 0.5};
  ASSERT_EQ(fit.at("terms").size(), 3U);
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_NEAR(fit.at("terms").at(j).at("coefficient").get<double>() / want[j], 1, 1e-3);
  }
}

TEST(LinearMethods, ErnestHoldsANegativePartAtZero) {
  const auto r = ernest({19, 12, 11.5, 8, 12, 9.5, 8.5});
  EXPECT_NEAR(at(*r, {1, 32}), 12.187, 5e-4);
  const Json fit = r->to_json();
  EXPECT_NEAR(fit.at("intercept").get<double>(), 3.4964, 5e-5);
  ASSERT_EQ(fit.at("terms").size(), 2U);  // no ln m
  EXPECT_NEAR(fit.at("terms").at(0).at("coefficient").get<double>(), 121.956, 5e-4);
  EXPECT_NEAR(fit.at("terms").at(1).at("coefficient").get<double>(), 0.1525, 5e-5);
}

TEST(LinearMethods, ErnestSaysWhatItNeeds) {
  const auto fit = [](const Sample& sample) { fitted("ernest", sample, {{"relative", 0}}); };
  EXPECT_NE(sextant::test::error_of([&] {
              fit({{{"m", {}}}, stats::Matrix(2, 1, 1.0), {1, 2}});
            }).find("takes two `features` that are numbers, SCALE,MACHINES; these are m"),
            std::string::npos);
  EXPECT_NE(sextant::test::error_of([&] {
              fit({{{"s", {}}, {"m", {}}}, stats::Matrix::from_rows({{1, 0}, {1, 2}}), {1, 2}});
            }).find("positive machines, and 'm'"),
            std::string::npos);
}

// Relative weights: of y = 1 and y = 3 at one x, least squares says 2; minimising
// (c - 1)^2 + (c - 3)^2 / 9 gives c = (1 + 1/3) / (1 + 1/9) = 1.2.
TEST(LinearMethods, RelativeErrorsWeighSmallResponsesMore) {
  Sample sample{{{"x", {}}}, stats::Matrix::from_rows({{1}, {1}, {2}, {2}}), {1, 3, 1, 3}};
  for (const char* id : {"ols", "ridge", "nnls", "stepwise"}) {
    const MethodInfo& method = methods().get(id);
    MethodSettings settings = method.grid().front();
    if (settings.contains("degree")) settings["degree"] = 0;
    settings["relative"] = 0;
    EXPECT_NEAR(at(*fitted(id, sample, settings), {1}), 2, 1e-9) << id;
    settings["relative"] = 1;
    EXPECT_NEAR(at(*fitted(id, sample, settings), {1}), 1.2, 1e-9) << id;
  }
}

}  // namespace
}  // namespace sextant::learn
