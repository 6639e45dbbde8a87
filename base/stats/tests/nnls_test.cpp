#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cases.h"
#include "sextant/core/error.h"
#include "sextant/core/rng.h"
#include "sextant/stats/linear_model.h"

namespace sextant::stats {
namespace {

using Values = std::vector<double>;

// Ernest (Venkataraman et al. 2016): t = a + b s/m + c ln m + d m, all coefficients >= 0.
Values ernest_row(double m, double s) {
  return {1, s / m, std::log(m), m};
}

Design ernest(std::size_t time_column) {
  std::vector<Values> rows;
  Design d;
  for (const auto& row : test::read_cases("ernest.txt")) {
    rows.push_back(ernest_row(row.number(0), row.number(1)));
    d.y.push_back(row.number(time_column));
  }
  d.x = Matrix::from_rows(rows);
  return d;
}

TEST(StatsNnls, ErnestRecoversExactData) {
  const NnlsFit fit = fit_nnls(ernest(2));
  const double want[] = {5, 120, 3, 0.5};
  // The times have four decimals; so, roughly, do the coefficients.
  for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(fit.coefficients[j] / want[j], 1, 1e-3);
  EXPECT_NEAR(predict(fit, ernest_row(32, 1)), 35.1472, 2e-4);
}

TEST(StatsNnls, ErnestHoldsANegativeTermAtZero) {
  const NnlsFit fit = fit_nnls(ernest(3));
  EXPECT_NEAR(fit.coefficients[0], 3.4964, 5e-5);
  EXPECT_NEAR(fit.coefficients[1], 121.956, 5e-4);
  EXPECT_EQ(fit.coefficients[2], 0);
  EXPECT_NEAR(fit.coefficients[3], 0.1525, 5e-5);
  EXPECT_NEAR(fit.gradient[2], -0.5772, 5e-5);
  EXPECT_NEAR(fit.gradient[0], 0, 1e-10);
  EXPECT_NEAR(predict(fit, ernest_row(32, 1)), 12.187, 5e-4);

  const OlsFit free = fit_ols(ernest(3), Intercept::none);
  EXPECT_NEAR(free.coefficients[0], 5.5958, 5e-5);
  EXPECT_NEAR(free.coefficients[1], 105.669, 5e-4);
  EXPECT_NEAR(free.coefficients[2], -1.3601, 5e-5);
  EXPECT_NEAR(free.coefficients[3], 0.2924, 5e-5);
  EXPECT_NEAR(predict(free, ernest_row(32, 1)).value, 13.539, 5e-4);
}

TEST(StatsNnls, SmallAndDegenerateInput) {
  // One row, y negative: nothing helps, all zero, gradient x y.
  const NnlsFit none = fit_nnls({.x = Matrix::from_rows({{1, 2}}), .y = {-3}});
  EXPECT_EQ(none.coefficients, (Values{0, 0}));
  EXPECT_EQ(none.gradient, (Values{-3, -6}));
  EXPECT_EQ(none.rss, 9);
  // A column of zeros and a column twice: an exact fit all the same.
  const NnlsFit twice = fit_nnls({.x = Matrix::from_rows({{0, 1, 1}, {0, 2, 2}}), .y = {3, 6}});
  EXPECT_EQ(twice.coefficients[0], 0);
  EXPECT_NEAR(twice.coefficients[1] + twice.coefficients[2], 3, 1e-12);
  EXPECT_TRUE(twice.converged);
}

TEST(StatsNnls, WholeWeightsEqualRepeatedRows) {
  const NnlsFit weighted = fit_nnls(
      {.x = Matrix::from_rows({{1, 1}, {1, 2}, {1, 4}}), .y = {1, 3, 4}, .names = {}, .weights = {1, 2, 1}});
  const NnlsFit repeated =
      fit_nnls({.x = Matrix::from_rows({{1, 1}, {1, 2}, {1, 2}, {1, 4}}), .y = {1, 3, 3, 4}});
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_NEAR(weighted.coefficients[j], repeated.coefficients[j], 1e-13);
    EXPECT_NEAR(weighted.gradient[j], repeated.gradient[j], 1e-12);
  }
  EXPECT_NEAR(weighted.rss, repeated.rss, 1e-13);
}

TEST(StatsNnls, BadInput) {
  EXPECT_THROW(fit_nnls({.x = Matrix(), .y = {}}), InputError);
  EXPECT_THROW(fit_nnls({.x = Matrix(2, 0), .y = {1, 2}}), InputError);
  EXPECT_THROW(fit_nnls({.x = Matrix(2, 1), .y = {1, INFINITY}}), InputError);
  EXPECT_THROW(predict(fit_nnls({.x = Matrix(1, 1, 1.0), .y = {1}}), Values{}), InputError);
}

Design random_problem(Rng& rng) {
  const std::size_t rows = 1 + rng.below(8);
  const std::size_t columns = 1 + rng.below(6);  // sometimes more than rows
  Design d{.x = Matrix(rows, columns), .y = Values(rows)};
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      d.x(i, j) = std::pow(1000.0, static_cast<double>(j % 3)) * rng.normal();
    }
    // Every third column repeats another one up to a factor.
    if (columns > 3) d.x(i, 3) = 2.5 * d.x(i, 0);
    d.y[i] = rng.normal();
  }
  return d;
}

// Law: the optimality conditions, which are sufficient because the problem is convex.
TEST(StatsNnls, RandomProblemsSatisfyTheOptimalityConditions) {
  Rng rng = Rng(9).stream("nnls");
  for (int round = 0; round < 1000; ++round) {
    const Design d = random_problem(rng);
    const NnlsFit fit = fit_nnls(d);
    EXPECT_TRUE(fit.converged);
    for (std::size_t j = 0; j < d.x.columns(); ++j) {
      double norm = 0;
      for (const double v : d.x.column(j)) norm = std::hypot(norm, v);
      EXPECT_GE(fit.coefficients[j], 0);
      EXPECT_LE(fit.gradient[j], 1e-9 * norm) << "round " << round;
      if (fit.coefficients[j] > 0) {
        EXPECT_NEAR(fit.gradient[j], 0, 1e-9 * norm) << "round " << round;
      }
    }
  }
}

}  // namespace
}  // namespace sextant::stats
