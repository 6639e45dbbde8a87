#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cases.h"
#include "sextant/core/error.h"
#include "sextant/core/rng.h"
#include "sextant/stats/linear_model.h"

namespace sextant::stats {
namespace {

using Values = std::vector<double>;

// Centred x'x = 5 and x'y = 9.7, so the slope is 9.7 / (5 + lambda).
Design line() {
  return {.x = Matrix::from_rows({{1}, {2}, {3}, {4}}), .y = {2.1, 3.9, 6.2, 7.8}};
}

TEST(StatsRidge, WorkedExample) {
  EXPECT_NEAR(fit_ridge(line(), 0).coefficients[0], 1.94, 1e-12);
  EXPECT_NEAR(fit_ridge(line(), 0.1).coefficients[0], 1.90196, 5e-6);
  const RidgeFit fit = fit_ridge(line(), 1);
  EXPECT_NEAR(fit.coefficients[0], 1.61667, 5e-6);
  EXPECT_NEAR(fit.intercept, 0.95833, 5e-6);
  EXPECT_NEAR(fit.effective_df, 1 + 5.0 / 6, 1e-12);
  EXPECT_NEAR(predict(fit, Values{10}), 0.958333333 + 16.1666667, 1e-6);
}

TEST(StatsRidge, NoPenaltyIsLeastSquares) {
  const Design hald = test::read_design("hald.txt", {1, 2});
  const RidgeFit ridge = fit_ridge(hald, 0);
  const OlsFit ols = fit_ols(hald);
  EXPECT_NEAR(ridge.intercept, ols.intercept, 1e-10);
  EXPECT_NEAR(ridge.coefficients[1], ols.coefficients[1], 1e-12);
  EXPECT_NEAR(ridge.press, 93.883, 5e-4);
  EXPECT_NEAR(ridge.effective_df, 3, 1e-12);
}

TEST(StatsRidge, DegenerateColumns) {
  // Twice the same column: least norm shares the slope 1.94 equally. The constant gets nothing.
  Design d = line();
  Matrix wider(4, 3, 0.1);
  for (std::size_t i = 0; i < 4; ++i) wider(i, 0) = wider(i, 2) = d.x(i, 0);
  d.x = wider;
  const RidgeFit fit = fit_ridge(d, 0);
  EXPECT_NEAR(fit.coefficients[0], 0.97, 1e-12);
  EXPECT_EQ(fit.coefficients[1], 0);
  EXPECT_NEAR(fit.coefficients[2], 0.97, 1e-12);
  EXPECT_NEAR(fit_ridge(d, 1).coefficients[0], 9.7 / 11, 1e-12);  // 2b (10 + 1) = 2 * 9.7
}

TEST(StatsRidge, SmallSamples) {
  const RidgeFit one = fit_ridge({.x = Matrix::from_rows({{3, 4}}), .y = {7}}, 1);
  EXPECT_EQ(one.intercept, 7);
  EXPECT_EQ(one.coefficients, (Values{0, 0}));
  EXPECT_EQ(fit_ridge({.x = Matrix(2, 0), .y = {1, 3}}, 1).intercept, 2);
  // More columns than rows: exact when unpenalised.
  EXPECT_NEAR(fit_ridge({.x = Matrix::from_rows({{1, 0, 2}, {0, 1, 5}}), .y = {1, 2}}, 0).rss, 0, 1e-20);
}

TEST(StatsRidge, BadInput) {
  EXPECT_THROW(fit_ridge(line(), -1), InputError);
  EXPECT_THROW(fit_ridge(line(), NAN), InputError);
  EXPECT_THROW(fit_ridge({.x = Matrix(), .y = {}}, 1), InputError);
  EXPECT_THROW(fit_ridge({.x = Matrix::from_rows({{NAN}}), .y = {1}}, 1), InputError);
  EXPECT_THROW(predict(fit_ridge(line(), 1), Values{}), InputError);
}

// Laws on random problems: X'r = lambda beta on centred data, and PRESS equals refitting.
TEST(StatsRidge, NormalEquationsAndPress) {
  Rng rng = Rng(21).stream("ridge");
  for (int round = 0; round < 30; ++round) {
    const std::size_t columns = 1 + rng.below(10);
    Design d{.x = Matrix(8, columns), .y = Values(8)};
    for (std::size_t i = 0; i < 8; ++i) {
      for (std::size_t j = 0; j < columns; ++j) d.x(i, j) = rng.normal();
      d.y[i] = rng.normal();
    }
    const double lambda = 0.1 + rng.uniform();
    const RidgeFit fit = fit_ridge(d, lambda);
    for (std::size_t j = 0; j < columns; ++j) {
      double dot = 0;  // the residuals sum to 0, so x need not be centred
      for (std::size_t i = 0; i < 8; ++i) dot += d.x(i, j) * fit.residuals[i];
      EXPECT_NEAR(dot, lambda * fit.coefficients[j], 1e-11);
    }
    double press = 0;
    for (std::size_t out = 0; out < 8; ++out) {
      std::vector<std::size_t> kept;
      Design rest;
      for (std::size_t i = 0; i < 8; ++i) {
        if (i == out) continue;
        kept.push_back(i);
        rest.y.push_back(d.y[i]);
      }
      rest.x = d.x.select_rows(kept);
      const double error = d.y[out] - predict(fit_ridge(rest, lambda), d.x.row(out));
      press += error * error;
    }
    EXPECT_NEAR(fit.press, press, 1e-9);
  }
}

}  // namespace
}  // namespace sextant::stats
