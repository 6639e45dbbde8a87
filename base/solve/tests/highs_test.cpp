// HiGHS where it is installed: the same answers as CLP and CBC.
#include <gtest/gtest.h>

#include "sextant/core/error.h"
#include "sextant/core/rng.h"
#include "sextant/solve/linear_program.h"

namespace sextant::solve {
namespace {

class Highs : public testing::Test {
 protected:
  void SetUp() override {
    if (!highs_installed()) GTEST_SKIP() << "libhighs.so.1 is not installed";
  }
};

struct DrawnProgram {
  std::vector<double> profit;
  std::vector<std::vector<double>> weights;  // by row
  std::vector<double> capacity;
};

DrawnProgram drawn_program(std::uint64_t seed) {
  Rng rng = Rng(seed).stream("highs");
  DrawnProgram drawn;
  for (int c = 0; c < 15; ++c) drawn.profit.push_back(1 + 9 * rng.uniform());
  for (int r = 0; r < 5; ++r) {
    drawn.weights.emplace_back();
    for (int c = 0; c < 15; ++c) drawn.weights.back().push_back(rng.uniform());
    drawn.capacity.push_back(2 + rng.uniform());
  }
  return drawn;
}

// Columns first, then rows that name them; the last row comes after a first solution where that is asked.
LinearProgram program_of(const DrawnProgram& drawn, Solver solver, bool integers) {
  LinearProgram program(Sense::maximise, solver);
  for (const double profit : drawn.profit) {
    const std::size_t column = program.add_column(profit, 0, 1);
    if (integers) program.set_integer(column);
  }
  for (std::size_t r = 0; r < drawn.weights.size(); ++r) {
    std::vector<LinearTerm> terms;
    for (std::size_t c = 0; c < drawn.profit.size(); ++c) terms.push_back({c, drawn.weights[r][c]});
    program.add_row(-kUnbounded, drawn.capacity[r], terms);
  }
  return program;
}

TEST_F(Highs, LinearProgramsAndTheirDuals) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const DrawnProgram drawn = drawn_program(seed);
    LinearProgram program = program_of(drawn, Solver::highs, false);
    LinearProgram other = program_of(drawn, Solver::clp, false);
    const Solution found = program.solve();
    const Solution expected = other.solve();
    ASSERT_EQ(found.status, SolveStatus::optimal);
    EXPECT_NEAR(found.objective, expected.objective, 1e-7) << seed;
    for (std::size_t r = 0; r < drawn.capacity.size(); ++r) {
      EXPECT_NEAR(found.duals[r], expected.duals[r], 1e-6) << seed;
    }
    program.set_row_bounds(0, -kUnbounded, 1);
    other.set_row_bounds(0, -kUnbounded, 1);
    EXPECT_NEAR(program.solve().objective, other.solve().objective, 1e-7) << seed;
    program.set_objective(3, 40);
    other.set_objective(3, 40);
    EXPECT_NEAR(program.solve().objective, other.solve().objective, 1e-7) << seed;
    program.set_column_bounds(3, 0, 0.5);
    other.set_column_bounds(3, 0, 0.5);
    EXPECT_NEAR(program.solve().objective, other.solve().objective, 1e-7) << seed;
  }
}

TEST_F(Highs, IntegersFromAStartWithABound) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const DrawnProgram drawn = drawn_program(seed);
    const Solution expected = program_of(drawn, Solver::clp, true).solve();
    const std::vector<double> nothing(drawn.profit.size(), 0);
    const Solution found =
        program_of(drawn, Solver::highs, true).solve({.seconds = 20, .gap = 1e-9, .start = nothing});
    ASSERT_EQ(found.status, SolveStatus::optimal);
    EXPECT_NEAR(found.objective, expected.objective, 1e-6) << seed;
    ASSERT_TRUE(found.bound);
    EXPECT_NEAR(*found.bound, expected.objective, 1e-6) << seed;
    EXPECT_TRUE(found.duals.empty());
  }
}

TEST_F(Highs, SaysWhatCannotBe) {
  LinearProgram impossible(Sense::minimise, Solver::highs);
  const std::size_t x = impossible.add_column(1, 0, 1);
  impossible.set_integer(x);
  impossible.add_row(0.25, 0.75, std::vector<LinearTerm>{{x, 1}});
  EXPECT_EQ(impossible.solve().status, SolveStatus::infeasible);
  LinearProgram endless(Sense::maximise, Solver::highs);
  endless.add_column(1, 0, kUnbounded);
  EXPECT_EQ(endless.solve().status, SolveStatus::unbounded);
}

TEST(Solver, WhatIsNotInstalledIsSaid) {
  if (highs_installed()) GTEST_SKIP() << "libhighs.so.1 is installed";
  EXPECT_THROW(LinearProgram(Sense::minimise, Solver::highs), SystemError);
}

}  // namespace
}  // namespace sextant::solve
