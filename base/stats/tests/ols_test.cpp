#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cases.h"
#include "sextant/core/error.h"
#include "sextant/core/rng.h"
#include "sextant/stats/hypothesis.h"
#include "sextant/stats/linear_model.h"

namespace sextant::stats {
namespace {

using test::read_design;
using Values = std::vector<double>;

Design random_design(Rng& rng, std::size_t rows, std::size_t columns) {
  Design d{.x = Matrix(rows, columns), .y = Values(rows)};
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) d.x(i, j) = 5 + rng.normal();
    d.y[i] = rng.normal();
  }
  return d;
}

// Expected figures of the Hald data: Draper and Smith, and the worked example that names each digit.
TEST(StatsOls, HaldOnX1X2) {
  const OlsFit fit = fit_ols(read_design("hald.txt", {1, 2}));
  EXPECT_NEAR(fit.intercept, 52.5773, 5e-5);
  EXPECT_NEAR(fit.coefficients[0], 1.4683, 5e-5);
  EXPECT_NEAR(fit.coefficients[1], 0.6623, 5e-5);
  EXPECT_NEAR(fit.rss, 57.904, 5e-4);
  EXPECT_NEAR(fit.sigma, 2.40634, 5e-6);
  EXPECT_NEAR(fit.r2, 1 - 57.904 / 2715.763, 1e-6);
  EXPECT_NEAR(fit.adjusted_r2, 1 - (57.904 / 10) / (2715.763 / 12), 1e-6);
  EXPECT_NEAR(fit.press, 93.883, 5e-4);
  EXPECT_EQ(fit.df, 10);
  EXPECT_TRUE(fit.dropped.empty());
}

TEST(StatsOls, HaldOnX4X1KeepsTheGivenOrder) {
  const OlsFit fit = fit_ols(read_design("hald.txt", {4, 1}));
  ASSERT_EQ(fit.terms.size(), 3U);
  EXPECT_EQ(fit.terms[0].name, "(intercept)");
  EXPECT_EQ(fit.terms[1].name, "x4");
  EXPECT_EQ(fit.terms[2].name, "x1");
  EXPECT_NEAR(fit.terms[0].coefficient, 103.0974, 5e-5);
  EXPECT_NEAR(fit.terms[1].coefficient, -0.6140, 5e-5);
  EXPECT_NEAR(fit.terms[2].coefficient, 1.4400, 5e-5);
  EXPECT_NEAR(fit.rss, 74.762, 5e-4);
  EXPECT_NEAR(fit.terms[2].t * fit.terms[2].t, 108.224, 5e-4);  // the partial F of x1
}

TEST(StatsOls, HaldPredictionInterval) {
  const OlsFit fit = fit_ols(read_design("hald.txt", {1, 2}));
  const OlsPrediction at = predict(fit, Values{10, 50});
  EXPECT_NEAR(at.value, 100.3729, 5e-5);
  EXPECT_NEAR(at.leverage, 0.092477, 5e-7);
  EXPECT_NEAR(at.observation.low, 94.769, 5e-4);
  EXPECT_NEAR(at.observation.high, 105.977, 5e-4);
  EXPECT_NEAR(at.mean.width() / 2, 1.630, 5e-4);
  EXPECT_FALSE(at.extrapolates);
  EXPECT_TRUE(predict(fit, Values{30, 90}).extrapolates);
  EXPECT_GT(predict(fit, Values{10, 50}, 0.99).observation.width(), at.observation.width());
  // An observation of weight 4 has half the noise: variance sigma^2 (1/4 + leverage).
  const double half = 2.22814 * 2.40634 * std::sqrt(0.25 + 0.092477);
  EXPECT_NEAR(predict(fit, Values{10, 50}, 0.95, 4).observation.width() / 2, half, 1e-4);
}

TEST(StatsOls, StepwiseTraceOfHald) {
  const auto fit = [](const std::vector<std::size_t>& c) { return fit_ols(read_design("hald.txt", c)); };
  const OlsFit constant = fit({});
  EXPECT_NEAR(constant.rss, 2715.763, 5e-4);
  EXPECT_NEAR(compare_nested(constant, fit({4})).f, 22.799, 5e-4);
  EXPECT_NEAR(compare_nested(fit({4}), fit({4, 1})).f, 108.224, 5e-4);
  const FTest x2 = compare_nested(fit({4, 1}), fit({4, 1, 2}));
  EXPECT_NEAR(x2.f, 5.026, 5e-4);
  EXPECT_NEAR(x2.p, 0.05169, 5e-6);
  const FTest x4 = compare_nested(fit({1, 2}), fit({4, 1, 2}));
  EXPECT_NEAR(x4.f, 1.863, 5e-4);
  EXPECT_NEAR(x4.p, 0.2054, 5e-5);
  const OlsFit with_x3 = fit({4, 1, 3});
  EXPECT_NEAR(with_x3.rss, 50.836, 5e-4);
  EXPECT_NEAR(compare_nested(fit({4, 1}), with_x3).p, 0.0697, 5e-5);
}

TEST(StatsOls, LayerTimes) {
  // Milliseconds over GFLOP; worked example of a per-layer regression.
  const OlsFit fit = fit_ols({.x = Matrix::from_rows({{.2}, {.5}, {1}, {2}, {4}}),
                              .y = {.35, .61, 1.04, 1.93, 3.68},
                              .names = {"gflop"}});
  EXPECT_NEAR(fit.intercept, 0.170810, 5e-7);
  EXPECT_NEAR(fit.terms[0].standard_error, 0.003896, 5e-7);
  EXPECT_NEAR(fit.coefficients[0], 0.877396, 5e-7);
  EXPECT_NEAR(fit.terms[1].standard_error, 0.001888, 5e-7);
  EXPECT_NEAR(fit.sigma * fit.sigma, 3.3616e-5, 5e-10);
}

TEST(StatsOls, LongleyReachesTheCertifiedDigits) {
  const OlsFit fit = fit_ols(read_design("longley.txt", {1, 2, 3, 4, 5, 6}));
  const double coefficients[] = {-3482258.63459582, 15.0618722713733,  -0.358191792925910E-01,
                                 -2.02022980381683, -1.03322686717359, -0.511041056535807E-01,
                                 1829.15146461355};
  const double errors[] = {890420.383607373,  84.9149257747669,  0.334910077722432E-01, 0.488399681651699,
                           0.214274163161675, 0.226073200069370, 455.478499142212};
  ASSERT_EQ(fit.terms.size(), 7U);
  for (std::size_t k = 0; k < 7; ++k) {
    EXPECT_NEAR(fit.terms[k].coefficient / coefficients[k], 1, 1e-9) << fit.terms[k].name;
    EXPECT_NEAR(fit.terms[k].standard_error / errors[k], 1, 1e-9) << fit.terms[k].name;
  }
  EXPECT_NEAR(fit.sigma / 304.854073561965, 1, 1e-10);
  EXPECT_NEAR(fit.r2, 0.995479004577296, 1e-12);
}

TEST(StatsOls, CoefficientInterval) {
  const OlsFit fit = fit_ols(read_design("hald.txt", {1, 2}));
  const Interval i = coefficient_interval(fit, 1);
  EXPECT_NEAR(i.high - fit.coefficients[0], 2.22814 * fit.terms[1].standard_error, 1e-6);
  EXPECT_NEAR(i.low + i.high, 2 * fit.coefficients[0], 1e-12);
  EXPECT_THROW(coefficient_interval(fit, 3), InputError);
  EXPECT_THROW(coefficient_interval(fit, 0, 0), InputError);
}

TEST(StatsOls, WithoutIntercept) {
  // x = 1 2 3, y = 2 4 7: beta = (2 + 8 + 21) / 14, rss = 69 - 31^2/14, R2 about 0.
  const OlsFit fit = fit_ols({.x = Matrix::from_rows({{1}, {2}, {3}}), .y = {2, 4, 7}}, Intercept::none);
  EXPECT_NEAR(fit.coefficients[0], 31.0 / 14, 1e-14);
  EXPECT_NEAR(fit.rss, 69 - 961.0 / 14, 1e-12);
  EXPECT_NEAR(fit.r2, 961.0 / 14 / 69, 1e-14);
  EXPECT_EQ(fit.intercept, 0);
  EXPECT_EQ(fit.df, 2);
  EXPECT_NEAR(predict(fit, Values{2}).leverage, 4.0 / 14, 1e-15);
}

TEST(StatsOls, WholeWeightsEqualRepeatedRows) {
  const OlsFit weighted =
      fit_ols({.x = Matrix::from_rows({{1}, {2}, {4}}), .y = {1, 3, 4}, .names = {}, .weights = {1, 3, 2}});
  const OlsFit repeated =
      fit_ols({.x = Matrix::from_rows({{1}, {2}, {2}, {2}, {4}, {4}}), .y = {1, 3, 3, 3, 4, 4}});
  EXPECT_NEAR(weighted.intercept, repeated.intercept, 1e-13);
  EXPECT_NEAR(weighted.coefficients[0], repeated.coefficients[0], 1e-13);
  EXPECT_NEAR(weighted.rss, repeated.rss, 1e-13);
  EXPECT_NEAR(weighted.r2, repeated.r2, 1e-13);
  EXPECT_NEAR(weighted.leverages[1], 3 * repeated.leverages[1], 1e-13);
  EXPECT_EQ(weighted.df, 1);  // but weights are not counts: three rows were seen
}

// Laws on random problems, weighted and not.
TEST(StatsOls, ResidualsAreOrthogonalToTheColumns) {
  Rng rng = Rng(5).stream("ols");
  for (int round = 0; round < 100; ++round) {
    const std::size_t columns = 1 + rng.below(5);
    Design d = random_design(rng, columns + 2 + rng.below(20), columns);
    if (round % 2 == 1) {
      for (std::size_t i = 0; i < d.y.size(); ++i) d.weights.push_back(0.1 + rng.uniform());
    }
    const OlsFit fit = fit_ols(d);
    double leverage = 0;
    for (const double h : fit.leverages) leverage += h;
    EXPECT_NEAR(leverage, static_cast<double>(columns + 1), 1e-10);
    for (std::size_t j = 0; j <= columns; ++j) {
      double dot = 0;
      for (std::size_t i = 0; i < fit.rows; ++i) {
        const double w = d.weights.empty() ? 1 : d.weights[i];
        dot += w * fit.residuals[i] * (j == columns ? 1 : d.x(i, j));
      }
      EXPECT_NEAR(dot, 0, 1e-10);
    }
  }
}

TEST(StatsOls, LeaveOneOutEqualsRefitting) {
  Rng rng = Rng(6).stream("loo");
  Design d = random_design(rng, 9, 2);
  for (std::size_t i = 0; i < 9; ++i) d.weights.push_back(0.5 + rng.uniform());
  const OlsFit fit = fit_ols(d);
  double press = 0;
  for (std::size_t out = 0; out < 9; ++out) {
    std::vector<std::size_t> kept;
    Design rest;
    for (std::size_t i = 0; i < 9; ++i) {
      if (i == out) continue;
      kept.push_back(i);
      rest.y.push_back(d.y[i]);
      rest.weights.push_back(d.weights[i]);
    }
    rest.x = d.x.select_rows(kept);
    const double error = d.y[out] - predict(fit_ols(rest), d.x.row(out)).value;
    EXPECT_NEAR(fit.loo_residuals[out], error, 1e-10);
    press += d.weights[out] * error * error;
  }
  EXPECT_NEAR(fit.press, press, 1e-10);
}

// Law: a training row never extrapolates, and its leverage is the one of the fit.
TEST(StatsOls, TrainingRowsDoNotExtrapolate) {
  Rng rng = Rng(8).stream("rows");
  for (int round = 0; round < 50; ++round) {
    Design d = random_design(rng, 12, 3);
    for (std::size_t i = 0; i < 12; ++i) d.weights.push_back(0.5 + rng.uniform());
    const OlsFit fit = fit_ols(d);
    for (std::size_t i = 0; i < 12; ++i) {
      const OlsPrediction at = predict(fit, d.x.row(i));
      EXPECT_FALSE(at.extrapolates);
      EXPECT_NEAR(at.leverage * d.weights[i], fit.leverages[i], 1e-10);
      EXPECT_NEAR(d.y[i] - at.value, fit.residuals[i], 1e-10);
    }
  }
}

}  // namespace
}  // namespace sextant::stats
