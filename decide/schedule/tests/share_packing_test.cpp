#include "share_packing.h"

#include <gtest/gtest.h>

#include "share_policy.h"
#include "share_support.h"

namespace sextant::schedule::test {
namespace {

// A problem with speeds of pairs that it points to.
struct PairedProblem {
  OwnedProblem owned;
  std::vector<std::vector<double>> pair_rates;
};

PairedProblem draw_paired(Rng& rng, std::size_t jobs, std::size_t types) {
  PairedProblem out{.owned = draw_problem(rng, jobs, types), .pair_rates = {}};
  ShareProblem& problem = out.owned.problem;
  for (double& gpus : problem.gpus) gpus = std::ceil(gpus / 3);  // crowded, so that packing pays
  out.pair_rates.reserve(jobs * jobs);
  for (std::size_t a = 0; a < jobs; ++a) {
    for (std::size_t b = a + 1; b < jobs; ++b) {
      if (problem.jobs[a].gpus != problem.jobs[b].gpus) continue;
      for (const std::size_t each : {a, b}) {
        std::vector<double>& rate = out.pair_rates.emplace_back();
        for (std::size_t j = 0; j < types; ++j) rate.push_back(problem.jobs[each].rate[j] * rng.uniform());
      }
      const std::size_t last = out.pair_rates.size() - 1;
      problem.pairs.push_back({a, b, out.pair_rates[last - 1].data(), out.pair_rates[last].data()});
    }
  }
  return out;
}

// All pairs at once.
double level_with_all_pairs(const ShareProblem& problem, const ShareProgram& program) {
  solve::LinearProgram all(solve::Sense::maximise);
  const std::size_t level = all.add_column(1, 0, solve::kUnbounded);
  const std::size_t n = program.types;
  for (std::size_t j = 0; j < n; ++j) all.add_row(-solve::kUnbounded, program.capacity[j]);
  for (std::size_t i = 0; i < program.jobs(); ++i) {
    all.add_row(-solve::kUnbounded, 1);
    all.add_row(0, solve::kUnbounded,
                std::vector<solve::LinearTerm>{{level, program.demand[i] > 0 ? -1.0 : 0.0}});
  }
  const auto speed_term = [&](std::size_t job, double rate) {
    return solve::LinearTerm{n + 2 * job + 1, program.demand[job] > 0 ? rate / program.demand[job] : 0};
  };
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < program.jobs(); ++i) {
      const double rate = program.rate[i * n + j];
      if (rate <= 0) continue;
      all.add_column(
          0, 0, solve::kUnbounded,
          std::vector<solve::LinearTerm>{{j, program.gpus[i]}, {n + 2 * i, 1}, speed_term(i, rate)});
    }
    for (const SharePair& pair : problem.pairs) {
      if (program.gpus[pair.first] > problem.gpus[j]) continue;
      all.add_column(0, 0, solve::kUnbounded,
                     std::vector<solve::LinearTerm>{{j, program.gpus[pair.first]},
                                                    {n + 2 * pair.first, 1},
                                                    {n + 2 * pair.second, 1},
                                                    speed_term(pair.first, pair.first_rate[j]),
                                                    speed_term(pair.second, pair.second_rate[j])});
    }
  }
  return all.solve().objective;
}

// One GPU, two jobs that keep 0.8 of their speed together: both run all the time at 0.8 of it instead of
// half.
TEST(PackedLevel, TwoJobsOnOneGpu) {
  OwnedProblem owned;
  owned.problem.types = {"a"};
  owned.problem.gpus = {1};
  owned.problem.price_usd_h = {0};
  owned.add({3});
  owned.add({5});
  const double first[] = {0.8 * 3};
  const double second[] = {0.8 * 5};
  owned.problem.pairs.push_back({0, 1, first, second});
  const Shares shares = allocate("max-min-packed", owned.problem);
  ASSERT_EQ(shares.rows(), 3U);
  EXPECT_NEAR(shares.at(2, 0), 1, 1e-9);
  EXPECT_NEAR(shares.at(0, 0) + shares.at(1, 0), 0, 1e-9);
}

// Pairs that come one by one lead to the optimum over all of them, within capacities and times.
TEST(PackedLevel, IsThatOfAllPairs) {
  Rng rng = Rng(31).stream("packed");
  PackedLevel packed;
  int better = 0;
  for (int round = 0; round < 60; ++round) {
    const std::size_t jobs = 2 + rng.below(14);
    const PairedProblem paired = draw_paired(rng, jobs, 1 + rng.below(4));
    const ShareProblem& problem = paired.owned.problem;
    ShareProgram program;
    load_share_program(problem, RateView::by_type, program);
    for (std::size_t i = 0; i < jobs; ++i) program.demand[i] = max_min_demand(problem, program, i);
    PackedOptimum optimum;
    packed.solve(problem, program, optimum);
    const bool asked = std::ranges::any_of(program.demand, [](double demand) { return demand > 0; });
    if (!asked) continue;
    EXPECT_NEAR(optimum.level, level_with_all_pairs(problem, program), 1e-8 * optimum.level + 1e-12);
    ShareOptimum alone;
    ShareSimplex().solve(program, alone);
    better += optimum.level > alone.value * (1 + 1e-6) ? 1 : 0;
    std::vector<double> time(jobs, 0);
    for (std::size_t j = 0; j < program.types; ++j) {
      double used = 0;
      for (std::size_t i = 0; i < jobs; ++i) {
        const double share = optimum.share[i * program.types + j];
        used += share * program.gpus[i];
        time[i] += share;
      }
      for (std::size_t p = 0; p < problem.pairs.size(); ++p) {
        const double share = optimum.share[(jobs + p) * program.types + j];
        used += share * program.gpus[problem.pairs[p].first];
        time[problem.pairs[p].first] += share;
        time[problem.pairs[p].second] += share;
      }
      EXPECT_LE(used, program.capacity[j] * (1 + 1e-9));
    }
    for (const double each : time) EXPECT_LE(each, 1 + 1e-9);
  }
  EXPECT_GT(better, 20);  // packing pays, so the test is not about jobs alone
}

}  // namespace
}  // namespace sextant::schedule::test
