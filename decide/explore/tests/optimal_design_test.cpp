#include "optimal_design.h"

#include <gtest/gtest.h>

#include <cmath>

#include "error_of.h"
#include "sextant/explore/design.h"
#include "space_fixture.h"

namespace sextant::explore {
namespace {

using sextant::test::error_of;
using test::integer_factor;
using test::ordinal_factor;
using test::real_factor;

stats::Matrix corners(std::size_t factors) {
  std::vector<std::vector<double>> rows;
  for (std::size_t run = 0; run < (std::size_t{1} << factors); ++run) {
    std::vector<double> row = {1};
    for (std::size_t f = 0; f < factors; ++f) row.push_back(((run >> f) & 1U) != 0 ? 1 : -1);
    rows.push_back(std::move(row));
  }
  return stats::Matrix::from_rows(rows);
}

// 1, x, x^2 on a grid of [-1, 1].
stats::Matrix parabola(int steps) {
  std::vector<std::vector<double>> rows;
  for (int i = 0; i <= steps; ++i) {
    const double x = -1 + 2.0 * i / steps;
    rows.push_back({1, x, x * x});
  }
  return stats::Matrix::from_rows(rows);
}

// All of 2^3 is D-optimal for main effects: X'X = 8 I. So is the half fraction with 4 runs, det = 4^4.
TEST(DOptimal, TwoLevelDesignsAreFound) {
  const stats::Matrix all = corners(3);
  const std::vector<double> weights = d_optimal_weights(all);
  for (const double w : weights) EXPECT_NEAR(w, 1.0 / 8, 1e-12);
  Rng rng = Rng(1).stream("d");
  const auto half = d_optimal_rows(all, {.runs = 4}, rng);
  EXPECT_NEAR(d_efficiency(all, half, weights), 1, 1e-12);
  const auto whole = d_optimal_rows(all, {.runs = 8}, rng);
  EXPECT_NEAR(d_efficiency(all, whole, weights), 1, 1e-12);
  // Five of eight corners: the best of all subsets.
  const auto five = d_optimal_rows(all, {.runs = 5}, rng);
  double best = 0;
  for (unsigned subset = 0; subset < 256; ++subset) {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < 8; ++i) {
      if (((subset >> i) & 1U) != 0) rows.push_back(i);
    }
    if (rows.size() == 5) best = std::max(best, d_efficiency(all, rows, weights));
  }
  EXPECT_NEAR(d_efficiency(all, five, weights), best, 1e-12);
}

// A parabola: a third of the weight at each of -1, 0, 1, with det M = 4/27 (Fedorov 1972).
TEST(DOptimal, QuadraticInOneFactor) {
  const std::vector<double> few = d_optimal_weights(parabola(4));
  for (std::size_t i = 0; i < few.size(); ++i) EXPECT_NEAR(few[i], i % 2 == 0 ? 1.0 / 3 : 0, 2e-3) << i;
  const stats::Matrix all = parabola(20);
  const std::vector<double> weights = d_optimal_weights(all);
  Rng rng = Rng(2).stream("d");
  EXPECT_EQ(d_optimal_rows(all, {.runs = 3}, rng), (std::vector<std::size_t>{0, 10, 20}));
  EXPECT_NEAR(d_efficiency(all, {0, 10, 20}, weights), 1, 1e-3);
  // Ends and a quarter: det = (2 (1 - x^2))^2 / 27 with x = 0.5 against 4 / 27.
  EXPECT_NEAR(d_efficiency(all, {0, 15, 20}, weights), std::cbrt(0.75 * 0.75), 1e-3);
}

TEST(DOptimal, ImpossibleRequestsAreRefused) {
  Rng rng = Rng(3).stream("d");
  EXPECT_NE(error_of([&] { (void)d_optimal_rows(corners(3), {.runs = 3}, rng); }).find("at least 4"),
            std::string::npos);
  EXPECT_NE(error_of([&] { (void)d_optimal_rows(corners(3), {.runs = 9}, rng); }).find("only 8"),
            std::string::npos);
  const stats::Matrix same = stats::Matrix::from_rows({{1, 2, 4}, {1, 3, 6}, {1, 4, 8}, {1, 5, 10}});
  EXPECT_NE(error_of([&] { (void)d_optimal_rows(same, {.runs = 3}, rng); }).find("tell the terms"),
            std::string::npos);
}

TEST(DOptimal, ChoosesAmongValidConfigurations) {
  const SearchSpace space({real_factor("x", 0, 1), real_factor("y", 0, 1)},
                          {Expression::parse("x + y <= 1")});
  const PlannedDesign design = plan_design("d-optimal", {.space = space, .runs = 3});
  // The triangle's own corners.
  std::vector<std::string> texts;
  for (const PlannedRun& run : design.runs) texts.push_back(space.text(run.configuration));
  std::ranges::sort(texts);
  EXPECT_EQ(texts, (std::vector<std::string>{"x=0 y=0", "x=0 y=1", "x=1 y=0"}));
  EXPECT_EQ(design.notes.front().substr(0, 22), "D-efficiency 100.0 % f");
}

// One term: all of the budget goes where information is cheapest. Two terms with one candidate each, a = 2 e1
// and e2: 1 / (4 u) + 1 / v is least under u + v = 1 at u = 1/3, v = 2/3, and is then 2.25.
TEST(AOptimal, SmallCasesByHand) {
  const auto one =
      a_optimal_weights({.terms = stats::Matrix::from_rows({{1}, {2}}), .costs = {1, 1}, .budget = 1});
  EXPECT_NEAR(one[0], 0, 1e-6);
  EXPECT_NEAR(one[1], 1, 1e-6);
  const stats::Matrix two = stats::Matrix::from_rows({{2, 0}, {0, 1}});
  const auto weights = a_optimal_weights({.terms = two, .costs = {1, 1}, .budget = 1});
  EXPECT_NEAR(weights[0], 1.0 / 3, 1e-6);
  EXPECT_NEAR(weights[1], 2.0 / 3, 1e-6);
  EXPECT_NEAR(inverse_trace(two, weights), 2.25, 1e-6);
  EXPECT_NE(error_of([] {
              (void)a_optimal_weights(
                  {.terms = stats::Matrix::from_rows({{1, 2}, {2, 4}}), .costs = {1, 1}, .budget = 1});
            }).find("cannot tell the terms"),
            std::string::npos);
}

// Laws over random problems: bounds and budget hold, and no other feasible point is better (the function is
// convex, so random ones and those on the way to them do).
TEST(AOptimal, NoFeasiblePointIsBetter) {
  Rng rng = Rng(4).stream("a");
  for (int problem = 0; problem < 20; ++problem) {
    BoundedDesign design{.terms = stats::Matrix(30, 3), .costs = {}, .budget = 1 + 5 * rng.uniform()};
    for (std::size_t i = 0; i < 30; ++i) {
      for (std::size_t k = 0; k < 3; ++k) design.terms(i, k) = rng.normal();
      design.costs.push_back(0.1 + rng.uniform());
    }
    const std::vector<double> weights = a_optimal_weights(design);
    const double value = inverse_trace(design.terms, weights);
    double cost = 0;
    for (std::size_t i = 0; i < 30; ++i) {
      cost += weights[i] * design.costs[i];
      EXPECT_TRUE(weights[i] >= 0 && weights[i] <= 1);
    }
    EXPECT_LE(cost, design.budget);
    for (int other = 0; other < 50; ++other) {
      std::vector<double> point(30);
      double own = 0;
      for (std::size_t i = 0; i < 30; ++i) {
        point[i] = rng.uniform() < 0.5 ? 0 : rng.uniform();
        own += point[i] * design.costs[i];
      }
      for (double& x : point) x *= std::min(1.0, design.budget / own);
      const double share = rng.uniform();
      for (std::size_t i = 0; i < 30; ++i) point[i] = share * point[i] + (1 - share) * weights[i];
      EXPECT_GE(inverse_trace(design.terms, point), value * (1 - 1e-7));
    }
  }
}

// Machines 1 to 8 and data in eighths with a budget of 10: SciPy 1.10's SLSQP (ftol 1e-13) and trust-constr
// agree on an objective of 6.1905067, on twelve runs of weight 1, on (5, 1/4) with 0.4816, and on two below
// 0.3: (8, 5/8) with 0.0576 and (1, 1) with 0.1027.
TEST(Ernest, WorkedExample) {
  const SearchSpace space(
      {integer_factor("machines", 1, 8),
       ordinal_factor("scale", {"0.125", "0.25", "0.375", "0.5", "0.625", "0.75", "0.875", "1"})},
      {});
  const PlannedDesign design = plan_design("ernest", {.space = space});
  std::vector<std::string> texts;
  for (const PlannedRun& run : design.runs)
    texts.push_back(space.text(run.configuration, 0) + " " + space.text(run.configuration, 1));
  std::ranges::sort(texts);
  EXPECT_EQ(texts, (std::vector<std::string>{"1 0.125", "1 0.25", "3 0.125", "3 0.25", "4 0.125", "4 0.25",
                                             "4 0.375", "4 1", "5 0.125", "5 0.25", "8 0.125", "8 0.25",
                                             "8 0.375", "8 0.5"}));
  EXPECT_EQ(plan_design("ernest:threshold=0.48", {.space = space}).runs.size(), 14U);
  EXPECT_EQ(plan_design("ernest:threshold=0.483", {.space = space}).runs.size(), 13U);
  EXPECT_EQ(plan_design("ernest:threshold=0.1", {.space = space}).runs.size(), 15U);
  EXPECT_EQ(plan_design("ernest:threshold=0.055", {.space = space}).runs.size(), 16U);
}

TEST(Ernest, PartitionsBoundTheMachines) {
  const SearchSpace space({integer_factor("nodes", 1, 16), real_factor("part", 0.1, 1)}, {});
  const PlannedDesign design = plan_design("ernest:scale=part:partitions=64:cores=4", {.space = space});
  for (const PlannedRun& run : design.runs) {
    EXPECT_GE(64 * run.configuration.values[1], 4 * run.configuration.values[0]);
  }
  EXPECT_NE(error_of([&] {
              (void)plan_design("ernest:scale=parts", {.space = space});
            }).find("did you mean 'part'?"),
            std::string::npos);
}

}  // namespace
}  // namespace sextant::explore
