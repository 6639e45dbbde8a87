#include "sextant/stats/hypothesis.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sextant/core/error.h"
#include "sextant/core/infinity.h"
#include "sextant/core/rng.h"

namespace sextant::stats {
namespace {

using Values = std::vector<double>;

// Student (1908), hours of sleep gained under two drugs; t, df, p and intervals as printed in the
// manual of R's t.test for this data set.
const Values kFirst{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
const Values kSecond{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};

TEST(StatsHypothesis, PairedOnSleep) {
  const TTest test = paired_t_test(kFirst, kSecond);
  EXPECT_NEAR(test.t, -4.0621, 5e-5);
  EXPECT_EQ(test.df, 9);
  EXPECT_NEAR(test.p, 0.002833, 5e-7);
  EXPECT_NEAR(test.interval.low, -2.4598858, 5e-7);
  EXPECT_NEAR(test.interval.high, -0.7001142, 5e-7);
}

TEST(StatsHypothesis, TTestsWithoutScatter) {
  const TTest apart = paired_t_test(Values{1, 1}, Values{2, 2});
  EXPECT_EQ(apart.t, -kInfinity);
  EXPECT_EQ(apart.p, 0);
  EXPECT_EQ(paired_t_test(Values{3, 4}, Values{1, 2}).p, 0);
  EXPECT_EQ(paired_t_test(Values{3, 4}, Values{3, 4}).p, 1);
}

TEST(StatsHypothesis, OneWayByHand) {
  // Means 5, 9, 10 about 8: between 6 (9 + 1 + 4) = 84; within 16 + 24 + 28 = 68; F = 42 / (68/15).
  // With df1 = 2 the tail is (1 + 2F/15)^(-15/2).
  const std::vector<Values> groups{{6, 8, 4, 5, 3, 4}, {8, 12, 9, 11, 6, 8}, {13, 9, 11, 8, 7, 12}};
  const FTest test = one_way_f_test(groups);
  const double f = 42 / (68.0 / 15);
  EXPECT_NEAR(test.f, f, 1e-12);
  EXPECT_EQ(test.df1, 2);
  EXPECT_EQ(test.df2, 15);
  EXPECT_NEAR(test.p, std::pow(1 + 2 * f / 15, -7.5), 1e-14);
}

TEST(StatsHypothesis, OneWayEdges) {
  EXPECT_EQ(one_way_f_test(std::vector<Values>{{1, 1}, {2, 2}}).p, 0);
  EXPECT_EQ(one_way_f_test(std::vector<Values>{{0.1, 0.1, 0.1}, {0.1}}).p, 1);
  EXPECT_THROW(one_way_f_test(std::vector<Values>{}), InputError);
  EXPECT_THROW(one_way_f_test(std::vector<Values>{{1, 2}}), InputError);
  EXPECT_THROW(one_way_f_test(std::vector<Values>{{1, 2}, {}}), InputError);
  EXPECT_THROW(one_way_f_test(std::vector<Values>{{1}, {2}}), InputError);
}

TEST(StatsHypothesis, NestedModels) {
  // ((30 - 20) / 2) / (20 / 10) = 2.5, tail (1 + 2 * 2.5 / 10)^-5.
  const FTest test = compare_nested(ResidualSum{30, 12}, ResidualSum{20, 10});
  EXPECT_DOUBLE_EQ(test.f, 2.5);
  EXPECT_NEAR(test.p, std::pow(1.5, -5), 1e-14);
  EXPECT_EQ(compare_nested(ResidualSum{3, 5}, ResidualSum{0, 4}).p, 0);
  EXPECT_EQ(compare_nested(ResidualSum{0, 5}, ResidualSum{0, 4}).p, 1);
  EXPECT_THROW(compare_nested(ResidualSum{20, 10}, ResidualSum{30, 9}), InputError);
  EXPECT_THROW(compare_nested(ResidualSum{30, 10}, ResidualSum{20, 10}), InputError);
  EXPECT_THROW(compare_nested(ResidualSum{30, 10}, ResidualSum{20, 0}), InputError);
  EXPECT_THROW(compare_nested(ResidualSum{NAN, 10}, ResidualSum{20, 1}), InputError);
  EXPECT_THROW(compare_nested(ResidualSum{30, NAN}, ResidualSum{20, 1}), InputError);
  EXPECT_THROW(compare_nested(ResidualSum{30, 4}, ResidualSum{-1, 1}), InputError);
}

TEST(StatsHypothesis, NestedFitsNeedTheSameRows) {
  const OlsFit two = fit_ols({.x = Matrix(2, 0), .y = {1, 2}});
  const OlsFit three = fit_ols({.x = Matrix::from_rows({{1}, {2}, {4}}), .y = {1, 2, 3}});
  EXPECT_THROW(compare_nested(two, three), InputError);
}

TEST(StatsHypothesis, ChiSquareOnMendelsPeas) {
  // 9:3:3:1 of 556. By hand: 2.25^2/312.75 + 3.75^2/104.25 + 3.25^2/104.25 + 2.75^2/34.75 = 0.470024.
  const Values expected{312.75, 104.25, 104.25, 34.75};
  const ChiSquareTest test = chi_square_fit(Values{315, 108, 101, 32}, expected);
  EXPECT_NEAR(test.statistic, 0.470024, 5e-7);
  EXPECT_EQ(test.df, 3);
  // Odd df 3: erfc(sqrt(x/2)) + sqrt(2x/pi) exp(-x/2).
  const double x = test.statistic;
  EXPECT_NEAR(test.p, std::erfc(std::sqrt(x / 2)) + std::sqrt(2 * x / M_PI) * std::exp(-x / 2), 1e-13);
  EXPECT_EQ(test.small_cells, 0U);
  EXPECT_EQ(chi_square_fit(Values{315, 108, 101, 32}, expected, 1).df, 2);
  EXPECT_EQ(chi_square_fit(Values{4, 6}, Values{2, 8}).small_cells, 1U);
}

TEST(StatsHypothesis, ChiSquareBadInput) {
  EXPECT_THROW(chi_square_fit(Values{}, Values{}), InputError);
  EXPECT_THROW(chi_square_fit(Values{1}, Values{1}), InputError);
  EXPECT_THROW(chi_square_fit(Values{1, 2}, Values{1.5, 1.5}, 1), InputError);
  EXPECT_THROW(chi_square_fit(Values{1, 2}, Values{1, 3}), InputError);
  EXPECT_THROW(chi_square_fit(Values{1, 2}, Values{3, 0}), InputError);
  EXPECT_THROW(chi_square_fit(Values{-1, 2}, Values{0.5, 0.5}), InputError);
  EXPECT_THROW(chi_square_fit(Values{1, 2}, Values{3}), InputError);
}

TEST(StatsHypothesis, TTestBadInput) {
  EXPECT_THROW(paired_t_test(Values{}, Values{}), InputError);
  EXPECT_THROW(paired_t_test(Values{1, NAN}, Values{1, 2}), InputError);
  EXPECT_THROW(paired_t_test(Values{1, 2}, Values{1, 3}, 95), InputError);
  EXPECT_THROW(paired_t_test(Values{1, 2}, Values{1}), InputError);
  EXPECT_THROW(paired_t_test(Values{1}, Values{1}), InputError);
}

// Law: under equal means p is uniform, so about 5 % of the tests reject at 5 %.
TEST(StatsHypothesis, PairedKeepsItsLevel) {
  Rng rng = Rng(12).stream("paired");
  int rejected = 0;
  for (int round = 0; round < 4000; ++round) {
    Values a(8);
    Values b(8);
    for (double& v : a) v = 3 * rng.normal();
    for (double& v : b) v = rng.normal();
    rejected += paired_t_test(a, b).p < 0.05 ? 1 : 0;
  }
  EXPECT_NEAR(rejected, 200, 50);  // sd sqrt(4000 * 0.05 * 0.95) = 13.8
}

}  // namespace
}  // namespace sextant::stats
