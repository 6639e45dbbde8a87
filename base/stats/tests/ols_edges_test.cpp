// Least squares where the data are short, degenerate or wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "cases.h"
#include "sextant/core/error.h"
#include "sextant/core/infinity.h"
#include "sextant/core/rng.h"
#include "sextant/stats/linear_model.h"

namespace sextant::stats {
namespace {

using test::read_design;
using Values = std::vector<double>;

std::string message_of(const Design& design, Intercept intercept = Intercept::fitted) {
  try {
    fit_ols(design, intercept);
  } catch (const InputError& e) {
    EXPECT_FALSE(e.hint().empty()) << e.message();
    return e.message();
  }
  return "no error";
}

// Hald's x1, x2 and columns made of them.
Design hald_with(const std::vector<double>& constants, double a, double b) {
  Design d = read_design("hald.txt", {1, 2});
  Matrix wider(d.x.rows(), 2 + constants.size() + 1);
  for (std::size_t i = 0; i < d.x.rows(); ++i) {
    wider(i, 0) = d.x(i, 0);
    for (std::size_t k = 0; k < constants.size(); ++k) wider(i, 1 + k) = constants[k];
    wider(i, 1 + constants.size()) = d.x(i, 1);
    wider(i, 2 + constants.size()) = 7 + a * d.x(i, 0) + b * d.x(i, 1);
  }
  return {.x = wider, .y = d.y};
}

TEST(StatsOlsEdges, ConstantAndCombinedColumnsAreDroppedAndNamed) {
  const OlsFit plain = fit_ols(read_design("hald.txt", {1, 2}));
  const OlsFit fit = fit_ols(hald_with({0.1, 0}, 0.25, -3));
  ASSERT_EQ(fit.dropped.size(), 3U);
  EXPECT_EQ(fit.dropped[0].name, "x2");
  EXPECT_EQ(fit.dropped[0].reason, "constant");
  EXPECT_EQ(fit.dropped[0].offset, 0.1);
  EXPECT_EQ(fit.dropped[1].column, 2U);
  EXPECT_EQ(fit.dropped[1].reason, "constant");
  EXPECT_EQ(fit.dropped[2].reason, "linear combination of the kept columns");
  EXPECT_EQ(fit.terms.size(), 3U);
  EXPECT_EQ(fit.df, 10);
  EXPECT_NEAR(fit.rss, plain.rss, 1e-9);
  EXPECT_NEAR(fit.press, plain.press, 1e-9);
}

TEST(StatsOlsEdges, QueryThatBreaksTheRelationExtrapolates) {
  const OlsFit plain = fit_ols(read_design("hald.txt", {1, 2}));
  const OlsFit fit = fit_ols(hald_with({0.1}, 0.25, -3));
  const double x4 = 7 + 0.25 * 10 - 3 * 50;
  const OlsPrediction inside = predict(fit, Values{10, 0.1, 50, x4});
  EXPECT_NEAR(inside.value, 100.3729, 5e-5);
  EXPECT_NEAR(inside.leverage, predict(plain, Values{10, 50}).leverage, 1e-10);
  EXPECT_FALSE(inside.extrapolates);
  EXPECT_TRUE(predict(fit, Values{10, 0.2, 50, x4}).extrapolates);
  EXPECT_TRUE(predict(fit, Values{10, 0.1, 50, x4 + 1}).extrapolates);
}

TEST(StatsOlsEdges, UnitsDoNotMakeAColumnVanish) {
  const OlsFit plain = fit_ols(read_design("hald.txt", {1, 2}));
  Design d = read_design("hald.txt", {1, 2});
  for (std::size_t i = 0; i < d.y.size(); ++i) {
    d.x(i, 0) *= 1e120;
    d.x(i, 1) *= 1e-120;
  }
  const OlsFit fit = fit_ols(d);
  EXPECT_TRUE(fit.dropped.empty());
  EXPECT_NEAR(fit.coefficients[0] * 1e120, plain.coefficients[0], 1e-10);
  EXPECT_NEAR(fit.terms[2].t, plain.terms[2].t, 1e-8);
}

TEST(StatsOlsEdges, DenormalColumnsAndWeights) {
  const Matrix x = Matrix::from_rows({{1e-310, 1}, {2e-310, 2}, {4e-310, 4}, {0, 5}});
  const OlsFit fit = fit_ols({.x = x, .y = {1, 2, 3, 5}});
  ASSERT_EQ(fit.dropped.size(), 1U);
  EXPECT_EQ(fit.dropped[0].column, 0U);
  EXPECT_FALSE(predict(fit, x.row(2)).extrapolates);
  EXPECT_EQ(message_of({.x = x, .y = {1, 2, 3, 5}, .names = {}, .weights = {1, 1, 1e-310, 1}}),
            "least squares: weight of row 3 is below 1e-150");
}

TEST(StatsOlsEdges, OneRowAndOnlyAnIntercept) {
  const OlsFit fit = fit_ols({.x = Matrix(1, 0), .y = {4}});
  EXPECT_EQ(fit.intercept, 4);
  EXPECT_EQ(fit.df, 0);
  EXPECT_TRUE(std::isinf(fit.sigma));
  EXPECT_TRUE(std::isinf(fit.press));
  EXPECT_EQ(predict(fit, Values{}).observation.high, std::numeric_limits<double>::infinity());
}

TEST(StatsOlsEdges, NoDegreesOfFreedomMeansNoKnowledgeOfTheNoise) {
  const OlsFit fit = fit_ols({.x = Matrix::from_rows({{1}, {3}}), .y = {2, 8}});
  EXPECT_NEAR(fit.intercept, -1, 1e-13);
  EXPECT_NEAR(fit.coefficients[0], 3, 1e-13);
  EXPECT_TRUE(std::isinf(fit.terms[1].standard_error));
  EXPECT_EQ(fit.terms[1].t, 0);
  EXPECT_EQ(fit.terms[1].p, 1);
  EXPECT_EQ(fit.adjusted_r2, 0);
  EXPECT_TRUE(std::isinf(fit.loo_residuals[0]));
  const OlsPrediction at = predict(fit, Values{2});
  EXPECT_NEAR(at.value, 5, 1e-13);
  EXPECT_TRUE(std::isinf(at.mean.low));
  EXPECT_TRUE(std::isinf(coefficient_interval(fit, 1).high));
}

TEST(StatsOlsEdges, RowThatAloneDeterminesAColumn) {
  const OlsFit fit = fit_ols({.x = Matrix::from_rows({{0}, {0}, {0}, {1}}), .y = {1, 2, 3, 9}});
  EXPECT_NEAR(fit.leverages[3], 1, 1e-14);
  EXPECT_TRUE(std::isinf(fit.loo_residuals[3]));
  EXPECT_FALSE(std::isinf(fit.loo_residuals[0]));
}

TEST(StatsOlsEdges, ConstantY) {
  const OlsFit fit = fit_ols({.x = Matrix::from_rows({{1}, {2}, {4}}), .y = {0.1, 0.1, 0.1}});
  EXPECT_EQ(fit.intercept, 0.1);
  EXPECT_EQ(fit.rss, 0);
  EXPECT_EQ(fit.r2, 0);
  EXPECT_EQ(fit.terms[1].t, 0);
  EXPECT_EQ(fit.terms[1].p, 1);
  EXPECT_EQ(fit.terms[0].p, 0);
}

TEST(StatsOlsEdges, EveryColumnDropped) {
  const OlsFit fit = fit_ols({.x = Matrix(3, 1), .y = {1, 2, 3}}, Intercept::none);
  EXPECT_TRUE(fit.terms.empty());
  EXPECT_EQ(fit.rss, 14);
  EXPECT_EQ(predict(fit, Values{0}).value, 0);
  EXPECT_TRUE(predict(fit, Values{1}).extrapolates);
}

// Laws on small whole numbers, where columns often are constant, equal or sums of others: residuals
// are orthogonal to every column, dropped ones too, and every training row keeps the relations.
TEST(StatsOlsEdges, RankDeficientLaws) {
  Rng rng = Rng(13).stream("rank");
  std::size_t dropped = 0;
  for (int round = 0; round < 500; ++round) {
    const std::size_t columns = 1 + rng.below(5);
    const std::size_t rows = columns + 1 + rng.below(4);
    Design d{.x = Matrix(rows, columns), .y = Values(rows)};
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) d.x(i, j) = static_cast<double>(rng.below(2));
      if (columns > 3) d.x(i, 1) = d.x(i, 0) - 2 * d.x(i, 3);
      d.y[i] = rng.normal();
    }
    const Intercept intercept = round % 2 == 0 ? Intercept::fitted : Intercept::none;
    const OlsFit fit = fit_ols(d, intercept);
    dropped += fit.dropped.size();
    EXPECT_EQ(fit.terms.size() + fit.dropped.size(), columns + (intercept == Intercept::fitted ? 1 : 0));
    for (std::size_t j = 0; j < columns; ++j) {
      const Values x = d.x.column(j);
      EXPECT_NEAR(std::inner_product(x.begin(), x.end(), fit.residuals.begin(), 0.0), 0, 1e-12);
    }
    for (std::size_t i = 0; i < rows; ++i) EXPECT_FALSE(predict(fit, d.x.row(i)).extrapolates);
  }
  EXPECT_GT(dropped, 100U);  // the law was put to the test
}

TEST(StatsOlsEdges, BadInputIsNamed) {
  const Matrix x = Matrix::from_rows({{1}, {2}, {3}});
  EXPECT_EQ(message_of({.x = Matrix(), .y = {}}), "least squares needs at least one row");
  EXPECT_EQ(message_of({.x = x, .y = {1, 2}}), "least squares: rows of x and y: lengths differ (3 and 2)");
  EXPECT_EQ(message_of({.x = x, .y = {1, kNan, 3}}), "least squares: y, row 2: value is NaN");
  EXPECT_EQ(message_of({.x = Matrix::from_rows({{1}, {2}, {HUGE_VAL}}), .y = {1, 2, 3}, .names = {"batch"}}),
            "least squares: column 'batch', row 3: value is infinite");
  EXPECT_EQ(message_of({.x = Matrix::from_rows({{1, 2}, {2, 5}}), .y = {1, 2}}),
            "least squares: 2 rows cannot determine 3 terms");
  EXPECT_EQ(message_of({.x = x, .y = {1, 2, 3}, .names = {}, .weights = {1, 0, 1}}),
            "least squares: weight of row 2 is not positive");
  EXPECT_EQ(message_of({.x = Matrix(2, 0), .y = {1, 2}}, Intercept::none), "least squares has no terms");
  EXPECT_THAT(message_of({.x = x, .y = {1, 2, 1e200}}), testing::HasSubstr("too large"));
  EXPECT_THAT(message_of({.x = x, .y = {1, 2, 3}, .names = {"a", "b"}}), testing::HasSubstr("names"));
}

TEST(StatsOlsEdges, BadQueries) {
  const OlsFit fit = fit_ols({.x = Matrix::from_rows({{1}, {2}, {4}}), .y = {1, 2, 3}});
  EXPECT_THROW(predict(fit, Values{}), InputError);
  EXPECT_THROW(predict(fit, Values{1, 2}), InputError);
  EXPECT_THROW(predict(fit, Values{kNan}), InputError);
  EXPECT_THROW(predict(fit, Values{1}, 95), InputError);
  EXPECT_THROW(predict(fit, Values{1}, 0.95, 0), InputError);
}

TEST(StatsMatrix, ShapesAndSelections) {
  const Matrix m = Matrix::from_rows({{1, 2, 3}, {4, 5, 6}});
  EXPECT_EQ(m.rows(), 2U);
  EXPECT_EQ(m.columns(), 3U);
  EXPECT_EQ(m.column(1), (Values{2, 5}));
  EXPECT_EQ(m.select_columns(std::vector<std::size_t>{2, 0}), Matrix::from_rows({{3, 1}, {6, 4}}));
  EXPECT_EQ(m.select_rows(std::vector<std::size_t>{1, 1}), Matrix::from_rows({{4, 5, 6}, {4, 5, 6}}));
  EXPECT_EQ(with_ones(m), Matrix::from_rows({{1, 1, 2, 3}, {1, 4, 5, 6}}));
  EXPECT_THROW(Matrix::from_rows({{1, 2}, {3}}), InputError);
  EXPECT_THROW(static_cast<void>(m.column(3)), InputError);
  EXPECT_THROW(static_cast<void>(m.select_columns(std::vector<std::size_t>{3})), InputError);
  EXPECT_THROW(static_cast<void>(m.select_rows(std::vector<std::size_t>{2})), InputError);
}

}  // namespace
}  // namespace sextant::stats
