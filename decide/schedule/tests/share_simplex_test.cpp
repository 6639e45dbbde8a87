#include "share_simplex.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sextant/core/rng.h"
#include "share_uniform.h"

namespace sextant::schedule {
namespace {

struct Draw {
  std::size_t jobs = 20;
  std::size_t types = 3;
  bool floors = false;
  bool gain = false;
  bool alike = false;  // jobs come in few kinds, types too: as degenerate as can be
};

ShareProgram draw_program(Rng& rng, const Draw& draw) {
  ShareProgram out;
  out.reset(draw.jobs, draw.types);
  for (double& capacity : out.capacity) capacity = static_cast<double>(1 + rng.below(12));
  for (std::size_t i = 0; i < draw.jobs; ++i) {
    out.gpus[i] = static_cast<double>(1U << rng.below(draw.alike ? 1 : 4));
    const double scale = draw.alike ? 1 : std::exp(2 * rng.normal());
    double sum = 0;
    for (std::size_t j = 0; j < draw.types; ++j) {
      const double factor = draw.alike ? static_cast<double>(1 + rng.below(2)) : 0.5 + rng.uniform();
      const bool runs = rng.uniform() < 0.9 || j == 0;
      out.rate[i * draw.types + j] = runs ? scale * factor : 0;
      sum += out.rate[i * draw.types + j];
    }
    out.demand[i] = sum / out.gpus[i];
  }
  if (draw.gain) {
    out.gain = out.rate;
    for (double& gain : out.gain) gain *= rng.uniform();
  }
  if (draw.floors) {
    out.floor.assign(draw.jobs, 0);
    for (std::size_t i = 0; i < draw.jobs; ++i) {
      const double part = rng.uniform() * 6 / static_cast<double>(draw.jobs);
      if (rng.uniform() < 0.5) out.floor[i] = out.demand[i] * part;
    }
  }
  return out;
}

void expect_as_general(const ShareProgram& program, const ShareOptimum& found) {
  const ShareOptimum expected = solve_with_general_solver(program);
  ASSERT_EQ(found.feasible, expected.feasible);
  if (!found.feasible) return;
  EXPECT_NEAR(found.value, expected.value, 1e-8 * std::abs(expected.value) + 1e-10);
  EXPECT_TRUE(is_certified(program, found));
}

// Objective and feasibility are the general solver's over random programs of every shape, and its help is
// hardly ever needed.
TEST(ShareSimplex, AgreesWithTheGeneralSolver) {
  Rng rng = Rng(21).stream("agrees");
  ShareSimplex simplex;
  ShareOptimum found;
  int infeasible = 0;
  int solved = 0;
  for (int round = 0; round < 400; ++round) {
    Draw draw{.jobs = 1 + rng.below(40), .types = 1 + rng.below(6)};
    draw.floors = rng.uniform() < 0.4;
    draw.gain = rng.uniform() < 0.4;
    draw.alike = rng.uniform() < 0.4;
    const ShareProgram program = draw_program(rng, draw);
    simplex.solve(program, found);
    expect_as_general(program, found);
    infeasible += found.feasible ? 0 : 1;
    ++solved;
  }
  EXPECT_GT(infeasible, 10);
  EXPECT_LT(simplex.fallbacks(), static_cast<std::size_t>(solved / 20));
}

// Duals are those of the program: prices and worths give the value as a bound.
TEST(ShareSimplex, PricesAndWorthsProveTheValue) {
  Rng rng = Rng(22).stream("duals");
  ShareSimplex simplex;
  ShareOptimum found;
  for (int round = 0; round < 50; ++round) {
    const ShareProgram program = draw_program(rng, {.jobs = 30});
    simplex.solve(program, found);
    double demanded = 0;
    for (std::size_t i = 0; i < program.jobs(); ++i) demanded += program.demand[i] * found.worth[i];
    EXPECT_NEAR(demanded, 1, 1e-8);
    EXPECT_NEAR(share_bound(program, found.price, found.worth), found.value, 1e-9 * found.value);
  }
}

// After a level, its program with floors at the level and another objective, from the same basis.
TEST(ShareSimplex, ResumesFromALevel) {
  Rng rng = Rng(23).stream("resume");
  ShareSimplex simplex;
  ShareOptimum found;
  for (int round = 0; round < 100; ++round) {
    ShareProgram program = draw_program(rng, {.jobs = 1 + rng.below(30), .types = 1 + rng.below(4)});
    simplex.solve(program, found);
    program.floor.assign(program.jobs(), 0);
    for (std::size_t i = 0; i < program.jobs(); ++i)
      program.floor[i] = program.demand[i] * found.value * (1 - 1e-12);
    if (rng.uniform() < 0.5) {
      program.gain = program.rate;
    } else {
      for (std::size_t i = 0; i + 1 < program.jobs(); i += 2) program.demand[i] = 0;
    }
    simplex.resume(program, found);
    expect_as_general(program, found);
  }
  EXPECT_LT(simplex.fallbacks(), 5U);
}

// A bound that a wrong answer cannot meet: spoilt shares, values and prices are not certified.
TEST(ShareProgram, CertificateRefusesSpoiltAnswers) {
  Rng rng = Rng(24).stream("certificate");
  const ShareProgram program = draw_program(rng, {.jobs = 10});
  const ShareOptimum good = solve_with_general_solver(program);
  ASSERT_TRUE(is_certified(program, good));
  ShareOptimum bad = good;
  bad.value *= 1 + 1e-6;
  EXPECT_FALSE(is_certified(program, bad));
  bad = good;
  bad.value *= 1 - 1e-6;
  EXPECT_FALSE(is_certified(program, bad));
  bad = good;
  bad.price[0] += 1e-3 * good.value;
  EXPECT_FALSE(is_certified(program, bad));
  bad = good;
  bad.share[0] = std::nan("");
  bad.value = std::nan("");
  EXPECT_FALSE(is_certified(program, bad));
}

// Where types are alike, the pool's formula is the program's optimum.
TEST(UniformShares, ReachTheLevelOfTheProgram) {
  Rng rng = Rng(25).stream("uniform");
  for (int round = 0; round < 50; ++round) {
    ShareProgram program = draw_program(rng, {.jobs = 1 + rng.below(20), .types = 1 + rng.below(4)});
    for (std::size_t i = 0; i < program.jobs(); ++i) {
      for (std::size_t j = 1; j < program.types; ++j)
        program.rate[i * program.types + j] = program.rate[i * program.types];
    }
    ASSERT_TRUE(is_uniform(program));
    ShareOptimum found;
    fill_uniform(program, std::vector<double>(program.jobs(), 1), found);
    EXPECT_LE(share_violation(program, found), 1e-12);
    EXPECT_NEAR(found.value, solve_with_general_solver(program).value, 1e-8 * found.value);
  }
}

}  // namespace
}  // namespace sextant::schedule
