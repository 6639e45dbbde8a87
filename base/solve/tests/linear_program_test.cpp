#include "sextant/solve/linear_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

#include "sextant/core/rng.h"

namespace sextant::solve {
namespace {

using testing::HasSubstr;

constexpr double kExact = 1e-9;

// Dantzig's example: max 3x + 5y; x <= 4, 2y <= 12, 3x + 2y <= 18. The last two rows meet in (2, 6), value
// 36; moving the second by one moves y by 1/2 and x by -1/3, so its dual is 5/2 - 1 = 3/2, and that of the
// third is 3/3 = 1.
TEST(LinearProgram, SolvesAHandSolvedProgramWithItsDuals) {
  LinearProgram program(Sense::maximise);
  const std::size_t x = program.add_column(3, 0, kUnbounded);
  const std::size_t y = program.add_column(5, 0, kUnbounded);
  program.add_row(-kUnbounded, 4, std::array{LinearTerm{x, 1}});
  program.add_row(-kUnbounded, 12, std::array{LinearTerm{y, 2}});
  program.add_row(-kUnbounded, 18, std::array{LinearTerm{x, 3}, LinearTerm{y, 2}});
  const Solution best = program.solve();
  ASSERT_EQ(best.status, SolveStatus::optimal);
  EXPECT_NEAR(best.objective, 36, kExact);
  EXPECT_NEAR(best.columns[x], 2, kExact);
  EXPECT_NEAR(best.columns[y], 6, kExact);
  ASSERT_EQ(best.duals.size(), 3U);
  EXPECT_NEAR(best.duals[0], 0, kExact);
  EXPECT_NEAR(best.duals[1], 1.5, kExact);
  EXPECT_NEAR(best.duals[2], 1, kExact);
}

// The same program, written column by column: a column names the rows that are there.
TEST(LinearProgram, TakesColumnsAfterRows) {
  LinearProgram program(Sense::maximise);
  const std::size_t first = program.add_row(-kUnbounded, 4);
  const std::size_t second = program.add_row(-kUnbounded, 12);
  const std::size_t third = program.add_row(-kUnbounded, 18);
  program.add_column(3, 0, kUnbounded, std::array{LinearTerm{first, 1}, LinearTerm{third, 3}});
  program.add_column(5, 0, kUnbounded, std::array{LinearTerm{second, 2}, LinearTerm{third, 2}});
  EXPECT_NEAR(program.solve().objective, 36, kExact);
}

TEST(LinearProgram, MinimisesWithinBoundsOfColumnsAndRanges) {
  LinearProgram program(Sense::minimise);
  const std::size_t x = program.add_column(2, -3, 5);
  const std::size_t y = program.add_column(1, 0, 2);
  program.add_row(1, 4, std::array{LinearTerm{x, 1}, LinearTerm{y, 1}});  // y to its end, then x = -1
  const Solution best = program.solve();
  ASSERT_EQ(best.status, SolveStatus::optimal);
  EXPECT_NEAR(best.columns[x], -1, kExact);
  EXPECT_NEAR(best.columns[y], 2, kExact);
  EXPECT_NEAR(best.objective, 0, kExact);
}

TEST(LinearProgram, SaysInfeasible) {
  LinearProgram program(Sense::minimise);
  const std::size_t x = program.add_column(1, 0, 1);
  program.add_row(2, kUnbounded, std::array{LinearTerm{x, 1}});
  EXPECT_EQ(program.solve().status, SolveStatus::infeasible);
  program.set_column_bounds(x, 0, 3);  // and finds the way back
  const Solution best = program.solve();
  ASSERT_EQ(best.status, SolveStatus::optimal);
  EXPECT_NEAR(best.objective, 2, kExact);
}

TEST(LinearProgram, SaysUnbounded) {
  LinearProgram program(Sense::maximise);
  const std::size_t x = program.add_column(1, 0, kUnbounded);
  const std::size_t y = program.add_column(0, 0, kUnbounded);
  program.add_row(-kUnbounded, 1, std::array{LinearTerm{x, 1}, LinearTerm{y, -1}});
  EXPECT_EQ(program.solve().status, SolveStatus::unbounded);
}

TEST(LinearProgram, EmptyProgramIsOptimal) {
  LinearProgram program(Sense::maximise);
  const Solution best = program.solve();
  EXPECT_EQ(best.status, SolveStatus::optimal);
  EXPECT_EQ(best.objective, 0);
}

TEST(LinearProgram, RefusesWhatCannotBeMeant) {
  LinearProgram program(Sense::maximise);
  EXPECT_THROW(program.add_row(2, 1), std::logic_error);
  EXPECT_THROW(program.add_column(std::numeric_limits<double>::quiet_NaN(), 0, 1), std::logic_error);
  EXPECT_THROW(program.add_row(0, 1, std::array{LinearTerm{7, 1}}), std::logic_error);
  EXPECT_THROW(program.set_integer(0), std::logic_error);
}

struct Packing {
  std::vector<double> profit;
  std::vector<double> capacity;
  std::vector<std::vector<double>> weight;  // [row][column]
};

Packing draw_packing(Rng& rng, std::size_t columns, std::size_t rows) {
  Packing out;
  for (std::size_t c = 0; c < columns; ++c) out.profit.push_back(1 + rng.uniform());
  for (std::size_t r = 0; r < rows; ++r) {
    out.capacity.push_back(3 + 5 * rng.uniform());
    std::vector<double> weight;
    for (std::size_t c = 0; c < columns; ++c) weight.push_back(rng.uniform());
    out.weight.push_back(weight);
  }
  return out;
}

LinearProgram program_of(const Packing& packing, std::size_t columns) {
  LinearProgram program(Sense::maximise);
  for (const double capacity : packing.capacity) program.add_row(-kUnbounded, capacity);
  for (std::size_t c = 0; c < columns; ++c) {
    std::vector<LinearTerm> terms;
    for (std::size_t r = 0; r < packing.weight.size(); ++r) terms.push_back({r, packing.weight[r][c]});
    program.add_column(packing.profit[c], 0, 1, terms);
  }
  return program;
}

// Columns, rows, bounds and objectives that come later: the answer from the last basis is that of a program
// which had them from the start.
TEST(LinearProgram, RestartEqualsStartFromNothing) {
  Rng rng = Rng(1).stream("restart");
  for (int round = 0; round < 50; ++round) {
    Packing packing = draw_packing(rng, 40, 8);
    LinearProgram grown = program_of(packing, 30);
    grown.solve();
    for (std::size_t c = 30; c < 40; ++c) {
      std::vector<LinearTerm> terms;
      for (std::size_t r = 0; r < 8; ++r) terms.push_back({r, packing.weight[r][c]});
      grown.add_column(packing.profit[c], 0, 1, terms);
    }
    packing.profit[3] = 4;
    grown.set_objective(3, 4);
    packing.capacity[2] *= 0.5;
    grown.set_row_bounds(2, -kUnbounded, packing.capacity[2]);
    std::vector<LinearTerm> all;
    for (std::size_t c = 0; c < 40; ++c) all.push_back({c, 1});
    grown.add_row(-kUnbounded, 7, all);
    const Solution warm = grown.solve();
    LinearProgram fresh = program_of(packing, 40);
    fresh.add_row(-kUnbounded, 7, all);
    const Solution cold = fresh.solve();
    ASSERT_EQ(warm.status, SolveStatus::optimal);
    EXPECT_NEAR(warm.objective, cold.objective, kExact * cold.objective);
  }
}

// A step of column generation and a step of branching: each costs fewer iterations than a start from nothing.
TEST(LinearProgram, SmallChangesCostFewIterations) {
  Rng rng = Rng(4).stream("small-changes");
  std::size_t warm = 0;
  std::size_t cold = 0;
  for (int round = 0; round < 20; ++round) {
    const Packing packing = draw_packing(rng, 200, 30);
    LinearProgram program = program_of(packing, 198);
    cold += program.solve().iterations;
    for (std::size_t c = 198; c < 200; ++c) {
      std::vector<LinearTerm> terms;
      for (std::size_t r = 0; r < 30; ++r) terms.push_back({r, packing.weight[r][c]});
      program.add_column(packing.profit[c], 0, 1, terms);
    }
    warm += program.solve().iterations;
    program.set_row_bounds(0, -kUnbounded, 0.9 * packing.capacity[0]);
    warm += program.solve().iterations;
  }
  EXPECT_LT(warm, cold);  // both steps together
}

// Strong duality over random programs: capacities times duals, and what columns at their upper bound earn.
TEST(LinearProgram, DualsAddUpToTheObjective) {
  Rng rng = Rng(2).stream("duality");
  for (int round = 0; round < 50; ++round) {
    const Packing packing = draw_packing(rng, 25, 6);
    const Solution best = program_of(packing, 25).solve();
    double dual = 0;
    for (std::size_t r = 0; r < 6; ++r) {
      EXPECT_GE(best.duals[r], -kExact);
      dual += packing.capacity[r] * best.duals[r];
    }
    for (std::size_t c = 0; c < 25; ++c) {
      double reduced = packing.profit[c];
      for (std::size_t r = 0; r < 6; ++r) reduced -= best.duals[r] * packing.weight[r][c];
      dual += std::max(0.0, reduced);
    }
    EXPECT_NEAR(dual, best.objective, kExact * best.objective);
  }
}

// Knapsack against all 2^12 subsets.
TEST(IntegerProgram, KnapsackIsTheBestSubset) {
  Rng rng = Rng(3).stream("knapsack");
  for (int round = 0; round < 20; ++round) {
    std::array<int, 12> value{};
    std::array<int, 12> weight{};
    LinearProgram program(Sense::maximise);
    std::vector<LinearTerm> terms;
    for (std::size_t i = 0; i < 12; ++i) {
      value[i] = 1 + static_cast<int>(rng.below(50));
      weight[i] = 1 + static_cast<int>(rng.below(30));
      program.set_integer(program.add_column(value[i], 0, 1));
      terms.push_back({i, static_cast<double>(weight[i])});
    }
    program.add_row(-kUnbounded, 60, terms);
    int best = 0;
    for (unsigned subset = 0; subset < 4096; ++subset) {
      int total = 0;
      int load = 0;
      for (std::size_t i = 0; i < 12; ++i) {
        if ((subset >> i & 1U) == 0) continue;
        total += value[i];
        load += weight[i];
      }
      if (load <= 60) best = std::max(best, total);
    }
    const Solution found = program.solve();
    ASSERT_EQ(found.status, SolveStatus::optimal);
    EXPECT_NEAR(found.objective, best, kExact);
    EXPECT_TRUE(found.duals.empty());
  }
}

TEST(IntegerProgram, SaysInfeasible) {
  LinearProgram program(Sense::minimise);
  const std::size_t x = program.add_column(1, 0, 1);
  program.set_integer(x);
  program.add_row(0.25, 0.75, std::array{LinearTerm{x, 1}});  // no integer between
  EXPECT_EQ(program.solve().status, SolveStatus::infeasible);
}

// One node to rent, two jobs: machine A (2 K80, 1.13 $/h) or B (2 M60, 1.24 $/h), one or two GPUs a job,
// hours and due times below. Tardiness costs omega a hour; a job that waits is late by what its slowest start
// in the next hour would make it, times rho. All alternatives were worked out by hand: with rho = 2 both jobs
// on one GPU each of B, 2.4 h at 1.24 $ = 2.976; with rho = 0.5 job 1 on both GPUs of B, 1.6 * 1.24 + 0.5.
double cheapest_plan(double rho) {
  constexpr double kHours[2][4] = {{4.0, 2.2, 2.4, 1.6}, {2.0, 1.2, 1.5, 1.0}};  // A g1, A g2, B g1, B g2
  constexpr double kPrice[2] = {1.13, 1.24};
  constexpr double kDue[2] = {2.5, 2.0};
  constexpr double kOmega[2] = {2, 1};
  LinearProgram program(Sense::minimise);
  const std::size_t rent = program.add_column(1, 0, kUnbounded);
  std::array<std::size_t, 2> machine{};
  std::array<std::vector<LinearTerm>, 2> gpus;
  for (std::size_t type = 0; type < 2; ++type) {
    machine[type] = program.add_column(0, 0, 1);
    program.set_integer(machine[type]);
    gpus[type].push_back({machine[type], -2});
  }
  program.add_row(-kUnbounded, 1, std::array{LinearTerm{machine[0], 1}, LinearTerm{machine[1], 1}});
  for (std::size_t job = 0; job < 2; ++job) {
    const std::size_t late = program.add_column(kOmega[job], 0, kUnbounded);
    const std::size_t waits = program.add_column(0, 0, 1);
    const std::size_t postponed = program.add_column(rho * kOmega[job], 0, kUnbounded);
    program.set_integer(waits);
    std::vector<LinearTerm> once = {{waits, 1}};
    std::vector<LinearTerm> tardy = {{late, -1}};
    std::vector<LinearTerm> paid = {{rent, -1}};
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t runs = program.add_column(0, 0, 1);
      program.set_integer(runs);
      once.push_back({runs, 1});
      gpus[k / 2].push_back({runs, k % 2 == 0 ? 1.0 : 2.0});
      tardy.push_back({runs, kHours[job][k] - kDue[job]});
      // The node is rented for as long as its last job runs: the price of the whole machine.
      paid.push_back({runs, kHours[job][k] * kPrice[k / 2]});
    }
    program.add_row(1, 1, once);
    program.add_row(-kUnbounded, 0, tardy);
    program.add_row(-kUnbounded, 0, paid);
    // Starting an hour later on the slowest choice.
    const double overdue = 1 + kHours[job][0] - kDue[job];
    program.add_row(-kUnbounded, 0, std::array{LinearTerm{waits, overdue}, LinearTerm{postponed, -1}});
  }
  for (const auto& row : gpus) program.add_row(-kUnbounded, 0, row);
  const Solution best = program.solve();
  EXPECT_EQ(best.status, SolveStatus::optimal);
  return best.objective;
}

TEST(IntegerProgram, RentsTheCheapestPlan) {
  EXPECT_NEAR(cheapest_plan(2), 2.976, kExact);
  EXPECT_NEAR(cheapest_plan(0.5), 2.484, kExact);
}

// Knapsack: values 10, 13, 7 with weights 3, 4, 2 into 6: the last two, 20.
LinearProgram knapsack() {
  LinearProgram program(Sense::maximise);
  std::vector<LinearTerm> weights;
  const std::vector<double> value = {10, 13, 7};
  const std::vector<double> weight = {3, 4, 2};
  for (std::size_t i = 0; i < value.size(); ++i) {
    weights.push_back({program.add_column(value[i], 0, 1), weight[i]});
    program.set_integer(i);
  }
  program.add_row(-kUnbounded, 6, weights);
  return program;
}

TEST(SolveLimits, StartAndBound) {
  for (const std::vector<double>& start : {std::vector<double>{}, {1, 0, 1}, {0, 1, 1}}) {
    const Solution solution = knapsack().solve({.seconds = 10, .gap = 1e-9, .start = start});
    EXPECT_EQ(solution.status, SolveStatus::optimal);
    EXPECT_NEAR(solution.objective, 20, 1e-9);
    ASSERT_TRUE(solution.bound);
    EXPECT_NEAR(*solution.bound, 20, 1e-9);
  }
}

TEST(SolveLimits, InfeasibleIsSaid) {
  LinearProgram program = knapsack();
  program.add_row(2.5, kUnbounded, std::vector<LinearTerm>{{0, 1}, {1, 1}});
  EXPECT_EQ(program.solve({.seconds = 10}).status, SolveStatus::infeasible);
}

TEST(SolveLimits, AStartHasAllColumns) {
  EXPECT_THROW(knapsack().solve({.start = {1}}), std::logic_error);
}

}  // namespace
}  // namespace sextant::solve
