#include <gtest/gtest.h>

#include "share_finish_time.h"
#include "share_policy.h"
#include "share_support.h"

namespace sextant::schedule::test {
namespace {

constexpr double kExact = 1e-9;
const std::vector<std::string> kPolicies = {
    "max-min",  "max-min-agnostic",  "water-filling",        "water-filling-agnostic",
    "makespan", "makespan-agnostic", "finish-time-fairness", "finish-time-fairness-agnostic",
    "cost",     "work-per-dollar",   "max-throughput",       "slo"};
// Its optimum is the general solver's, to its tolerance, and not made symmetric.
const std::string kPacked = "max-min-packed";

std::vector<std::string> all_policies() {
  std::vector<std::string> out = kPolicies;
  out.push_back(kPacked);
  return out;
}

// Job 3 runs equally fast on both types, so it goes to the slow one; with proportional speeds 5/2, 2, 2 the
// level is 32/39: speeds 80/39, 64/39, 64/39. (An equal split gives 5/3, 4/3, 4/3: a level of 2/3.)
TEST(SharePolicies, MaxMinOfTheWorkedExample) {
  const OwnedProblem owned = two_types_three_jobs();
  const Shares shares = allocate("max-min", owned.problem);
  EXPECT_NEAR(speed(owned.problem, shares, 0), 80.0 / 39, kExact);
  EXPECT_NEAR(speed(owned.problem, shares, 1), 64.0 / 39, kExact);
  EXPECT_NEAR(speed(owned.problem, shares, 2), 64.0 / 39, kExact);
}

// All end together after 175 s: speeds 400/175, 300/175, 200/175.
TEST(SharePolicies, MakespanOfTheWorkedExample) {
  const OwnedProblem owned = two_types_three_jobs();
  const Shares shares = allocate("makespan", owned.problem);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(owned.problem.jobs[i].remaining / speed(owned.problem, shares, i), 175, 1e-7);
  }
}

// Isolated times 400/(5/3) = 240, 300/(4/3) = 225, 200/(4/3) = 150; all three reach 0.8125 of them.
TEST(SharePolicies, FinishTimeFairnessOfTheWorkedExample) {
  const OwnedProblem owned = two_types_three_jobs();
  const Shares shares = allocate("finish-time-fairness", owned.problem);
  const double isolated[] = {240, 225, 150};
  for (std::size_t i = 0; i < 3; ++i) {
    const double end = owned.problem.jobs[i].remaining / speed(owned.problem, shares, i);
    EXPECT_NEAR(end / isolated[i], 0.8125, kExact);
  }
}

// Type a to the job that gains most there, 4 - 1 against 3 - 1 and 2 - 2; job 3 takes b: 4 + 2.
TEST(SharePolicies, MaxThroughputOfTheWorkedExample) {
  const OwnedProblem owned = two_types_three_jobs();
  const Shares shares = allocate("max-throughput", owned.problem);
  EXPECT_NEAR(speed(owned.problem, shares, 0), 4, kExact);
  EXPECT_NEAR(speed(owned.problem, shares, 1), 0, kExact);
  EXPECT_NEAR(speed(owned.problem, shares, 2), 2, kExact);
}

// With a at 8 dollars and b at 1, a unit of b earns 2 (job 3), of a 3/8 (job 2) or 4/8 (job 1).
TEST(SharePolicies, CostDividesSpeedByPrice) {
  OwnedProblem owned = two_types_three_jobs();
  owned.problem.price_usd_h = {8, 1};
  const Shares shares = allocate("cost", owned.problem);
  EXPECT_NEAR(shares.at(2, 1), 1, kExact);
  EXPECT_NEAR(shares.at(0, 0), 1, kExact);
}

// Without prices, and without deadlines, cost and slo are max-throughput.
TEST(SharePolicies, CostWithoutPricesIsThroughput) {
  const OwnedProblem owned = two_types_three_jobs();
  const Shares expected = allocate("max-throughput", owned.problem);
  EXPECT_EQ(allocate("cost", owned.problem).values, expected.values);
  EXPECT_EQ(allocate("slo", owned.problem).values, expected.values);
}

// Job 2 has 300 left and 200 s: it needs 1.5, which is half of type a; job 1 then has 4 * 0.5 there.
TEST(SharePolicies, SloMeetsADeadlineFirst) {
  OwnedProblem owned = two_types_three_jobs();
  owned.problem.jobs[1].deadline_s = 200;
  const Shares shares = allocate("slo", owned.problem);
  EXPECT_NEAR(speed(owned.problem, shares, 1), 1.5, kExact);
  EXPECT_NEAR(speed(owned.problem, shares, 0), 2, kExact);
  EXPECT_NEAR(speed(owned.problem, shares, 2), 2, kExact);
  owned.problem.jobs[1].deadline_s = 50;  // 6 a second: nobody can
  EXPECT_EQ(allocate("slo", owned.problem).values, allocate("cost", owned.problem).values);
}

// Two jobs on one GPU of 2 dollars and one of 1, speeds 3, 1 and 2, 2. An equal part gives half of each type:
// 2 and 2. The cheapest way to keep that: job 2 has b all the time (1 dollar, speed 2), job 1 2/3 of a.
TEST(SharePolicies, WorkPerDollarKeepsEqualPartsCheaply) {
  OwnedProblem owned;
  owned.problem.types = {"a", "b"};
  owned.problem.gpus = {1, 1};
  owned.problem.price_usd_h = {4, 1};
  owned.add({3, 1});
  owned.add({2, 2});
  const Shares shares = allocate("work-per-dollar", owned.problem);
  EXPECT_NEAR(shares.at(0, 0), 2.0 / 3, kExact);
  EXPECT_NEAR(shares.at(0, 1), 0, kExact);
  EXPECT_NEAR(shares.at(1, 0), 0, kExact);
  EXPECT_NEAR(shares.at(1, 1), 1, kExact);
  // Nobody need keep anything: only the best ratio runs, speed 2 of 2 on b for 1 dollar.
  const Shares free = allocate("work-per-dollar:floor=0", owned.problem);
  EXPECT_NEAR(free.at(1, 1), 1, kExact);
  EXPECT_NEAR(free.at(0, 0), 0, kExact);
}

// Three GPUs, jobs of 1 and 4 GPUs do not both fit; the one of 1 has all its time, the rest of the pool is
// useless to the other, which cannot run at all.
TEST(SharePolicies, JobsThatFitNowhereGetNothing) {
  OwnedProblem owned;
  owned.problem.types = {"a"};
  owned.problem.gpus = {3};
  owned.problem.price_usd_h = {1};
  ShareJob wide;
  wide.gpus = 4;
  wide.remaining = wide.work = 10;
  ShareJob narrow;
  narrow.remaining = narrow.work = 10;
  owned.add({1}, wide);
  owned.add({1}, narrow);
  owned.add({0}, narrow);
  for (const std::string& policy : kPolicies) {
    if (policy == "work-per-dollar") continue;  // keeps an equal part and no more
    const Shares shares = allocate(policy, owned.problem);
    EXPECT_EQ(shares.at(0, 0), 0) << policy;
    EXPECT_NEAR(shares.at(1, 0), 1, kExact) << policy;
    EXPECT_EQ(shares.at(2, 0), 0) << policy;
  }
}

TEST(SharePolicies, EmptyProblemsHaveNoShares) {
  OwnedProblem owned;
  owned.problem.types = {"a"};
  owned.problem.gpus = {3};
  owned.problem.price_usd_h = {1};
  for (const std::string& policy : kPolicies) EXPECT_EQ(allocate(policy, owned.problem).rows(), 0U) << policy;
  owned.problem.gpus = {0};
  ShareJob job;
  job.remaining = 1;
  owned.add({1}, job);
  for (const std::string& policy : kPolicies)
    EXPECT_EQ(allocate(policy, owned.problem).at(0, 0), 0) << policy;
}

TEST(SharePolicies, GavelsNamesAreAliases) {
  for (const std::string& policy : kPolicies) {
    const PolicyInfo& info = policies().get(policy);
    ASSERT_NE(info.share, nullptr);
    if (!info.aliases.empty()) {
      EXPECT_EQ(policies().find(info.gavel), &info);
    }
  }
}

// Laws of every policy over random problems: shares within [0, 1], times and capacities kept, none where the
// job cannot run; the same problem gives the same bytes.
TEST(SharePolicies, SharesAreFeasible) {
  Rng rng = Rng(11).stream("feasible");
  for (int round = 0; round < 60; ++round) {
    const std::size_t jobs = 1 + rng.below(25);
    const std::size_t types = 1 + rng.below(5);
    const OwnedProblem owned = draw_problem(rng, jobs, types);
    const ShareProblem& problem = owned.problem;
    for (const std::string& policy : all_policies()) {
      const Shares shares = allocate(policy, problem);
      ASSERT_EQ(shares.rows(), jobs);
      for (std::size_t j = 0; j < types; ++j) {
        double used = 0;
        for (std::size_t i = 0; i < jobs; ++i) {
          EXPECT_GE(shares.at(i, j), 0);
          if (!can_run(problem, i, j)) {
            EXPECT_EQ(shares.at(i, j), 0);
          }
          used += shares.at(i, j) * problem.jobs[i].gpus;
        }
        EXPECT_LE(used, problem.gpus[j] * (1 + kExact)) << policy;
      }
      for (std::size_t i = 0; i < jobs; ++i) {
        double time = 0;
        for (std::size_t j = 0; j < types; ++j) time += shares.at(i, j);
        EXPECT_LE(time, 1 + (policy == kPacked ? kExact : 1e-15)) << policy;
      }
      EXPECT_EQ(allocate(policy, problem).values, shares.values) << policy;
    }
  }
}

// Numbers that mean nothing, or are very far apart: the shares are still shares.
TEST(SharePolicies, SurviveAnyNumbers) {
  const double infinite = std::numeric_limits<double>::infinity();
  const std::vector<double> odd = {0, -1, 1, 1e-300, 1e300, 1e-12, 1e12, infinite, std::nan("")};
  Rng rng = Rng(15).stream("odd");
  const auto draw = [&] { return odd[rng.below(odd.size())]; };
  for (int round = 0; round < 200; ++round) {
    OwnedProblem owned = draw_problem(rng, 1 + rng.below(6), 1 + rng.below(3));
    for (std::size_t i = 0; i < owned.rates.size(); ++i) {
      ShareJob& job = owned.problem.jobs[i];
      if (rng.uniform() < 0.3) job.weight = draw();
      if (rng.uniform() < 0.3) job.remaining = draw();
      if (rng.uniform() < 0.3) job.deadline_s = draw();
      if (rng.uniform() < 0.3) job.arrival_s = draw();
      if (rng.uniform() < 0.3) owned.rates[i][0] = draw();
    }
    for (const std::string& policy : all_policies()) {
      const Shares shares = allocate(policy, owned.problem);
      for (std::size_t j = 0; j < shares.types; ++j) {
        double used = 0;
        for (std::size_t i = 0; i < shares.rows(); ++i) {
          ASSERT_TRUE(shares.at(i, j) >= 0 && shares.at(i, j) <= 1) << policy << " " << shares.at(i, j);
          used += shares.at(i, j) * owned.problem.jobs[i].gpus;
        }
        EXPECT_LE(used, owned.problem.gpus[j] * (1 + 1e-6)) << policy;
      }
    }
  }
}

// Jobs that are alike have the same shares, whatever their place in the list.
TEST(SharePolicies, EqualsAreTreatedEqually) {
  Rng rng = Rng(14).stream("equals");
  for (int round = 0; round < 30; ++round) {
    OwnedProblem owned = draw_problem(rng, 2 + rng.below(8), 1 + rng.below(4));
    const std::size_t half = owned.rates.size();
    for (std::size_t i = 0; i < half; ++i) {
      owned.add(std::vector<double>(owned.rates[i]), ShareJob(owned.problem.jobs[i]));
    }
    for (const std::string& policy : kPolicies) {
      const Shares shares = allocate(policy, owned.problem);
      for (std::size_t i = 0; i < half; ++i) {
        for (std::size_t j = 0; j < shares.types; ++j) {
          EXPECT_NEAR(shares.at(i, j), shares.at(i + half, j), 1e-12) << policy;
        }
      }
    }
  }
}

// A job's speed measured in the unit that max-min divides by.
double level_of(const ShareProblem& problem, const Shares& shares, std::size_t job) {
  ShareProgram program;
  load_share_program(problem, RateView::by_type, program);
  const double demand = max_min_demand(problem, program, job);
  return demand > 0 ? speed(problem, shares, job) / demand : std::numeric_limits<double>::infinity();
}

std::vector<double> sorted_levels(const ShareProblem& problem, const Shares& shares) {
  std::vector<double> out;
  for (std::size_t i = 0; i < problem.jobs.size(); ++i) out.push_back(level_of(problem, shares, i));
  std::ranges::sort(out);
  return out;
}

// Water-filling reaches max-min's level and is lexicographically no worse; and no job can be raised without
// somebody no better off than it losing: the largest level that job i alone can have, while all others whose
// level is not above its own keep theirs, is the one it has.
TEST(WaterFilling, NobodyCanRiseAtTheCostOfTheBetterOff) {
  Rng rng = Rng(12).stream("lexicographic");
  for (int round = 0; round < 25; ++round) {
    const std::size_t jobs = 2 + rng.below(10);
    const OwnedProblem owned = draw_problem(rng, jobs, 1 + rng.below(4));
    const Shares filled = allocate("water-filling", owned.problem);
    const std::vector<double> levels = sorted_levels(owned.problem, filled);
    const std::vector<double> plain = sorted_levels(owned.problem, allocate("max-min", owned.problem));
    EXPECT_NEAR(levels[0], plain[0], 1e-8 * plain[0]);
    ShareProgram program;
    load_share_program(owned.problem, RateView::by_type, program);
    for (std::size_t i = 0; i < jobs; ++i) {
      const double level = level_of(owned.problem, filled, i);
      if (std::isinf(level)) continue;
      ShareProgram alone = program;
      alone.floor.assign(jobs, 0);
      alone.demand[i] = max_min_demand(owned.problem, program, i);
      for (std::size_t k = 0; k < jobs; ++k) {
        const bool keeps = k != i && level_of(owned.problem, filled, k) <= level * (1 + 1e-9);
        if (keeps) alone.floor[k] = speed(owned.problem, filled, k) * (1 - 1e-12);
      }
      const ShareOptimum best = solve_with_general_solver(alone);
      ASSERT_TRUE(best.feasible);
      EXPECT_LE(best.value, level * (1 + 1e-7));
    }
  }
}

// The ratio is feasible (shares reach it) and cannot be less: at a slightly smaller one the level is below 1.
TEST(FinishTimeFairness, RatioIsTheLeast) {
  Rng rng = Rng(13).stream("ratio");
  for (int round = 0; round < 60; ++round) {
    const std::size_t jobs = 1 + rng.below(30);
    const OwnedProblem owned = draw_problem(rng, jobs, 1 + rng.below(4));
    for (const RateView view : {RateView::by_type, RateView::reference}) {
      ShareProgram program;
      load_share_program(owned.problem, view, program);
      std::vector<FinishTarget> targets;
      IsolatedHistory().targets(owned.problem, program, targets);
      LevelSolver solver;
      ShareOptimum optimum;
      const double ratio = solve_finish_time({targets, weights_of(owned.problem)}, program, solver, optimum);
      double worst = 0;
      for (std::size_t i = 0; i < jobs; ++i) {
        if (targets[i].left <= 0) continue;
        double rate = 0;
        for (std::size_t j = 0; j < program.types; ++j) {
          rate += program.rate[i * program.types + j] * optimum.share[i * program.types + j];
        }
        worst = std::max(worst, (targets[i].age_s + targets[i].left / rate) / targets[i].isolated_s);
      }
      if (ratio == 0) continue;
      EXPECT_NEAR(worst, ratio, 1e-8 * ratio);
      bool reachable = true;
      for (std::size_t i = 0; i < jobs; ++i) {
        if (targets[i].left <= 0) continue;
        const double span = ratio * (1 - 1e-6) * targets[i].isolated_s - targets[i].age_s;
        reachable = reachable && span > 0;
        program.demand[i] = span > 0 ? targets[i].left / span : 0;
      }
      if (reachable) {
        EXPECT_LT(solve_with_general_solver(program).value, 1);
      }
    }
  }
}

// Isolated time accumulates by job: 100 of 400 done since the last call, at 5/3 a second, is 60 s.
TEST(FinishTimeFairness, RemembersIsolatedTimeByJob) {
  OwnedProblem owned = two_types_three_jobs();
  ShareProgram program;
  load_share_program(owned.problem, RateView::by_type, program);
  IsolatedHistory history;
  std::vector<FinishTarget> targets;
  history.targets(owned.problem, program, targets);
  EXPECT_NEAR(targets[0].isolated_s, 240, kExact);
  owned.problem.jobs.erase(owned.problem.jobs.begin() + 1);  // job 1 has left
  owned.problem.jobs[0].remaining = 300;
  owned.problem.now_s = 90;
  load_share_program(owned.problem, RateView::by_type, program);
  history.targets(owned.problem, program, targets);
  EXPECT_NEAR(targets[0].isolated_s, 60 + 300 / 2.5, kExact);  // half of each type now
  EXPECT_NEAR(targets[1].isolated_s, 200.0 / 2, kExact);       // nothing done
  EXPECT_EQ(targets[1].age_s, 90);
}

}  // namespace
}  // namespace sextant::schedule::test
