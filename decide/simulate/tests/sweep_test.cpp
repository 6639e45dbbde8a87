#include "sextant/simulate/sweep.h"

#include <gmock/gmock.h>

#include "sextant/core/rng.h"

namespace sextant::simulate {
namespace {

std::shared_ptr<const jobs::Trace> drawn(std::uint64_t seed) {
  auto trace = std::make_shared<jobs::Trace>();
  Rng rng = Rng(seed).stream("test");
  double now = 0;
  for (int i = 0; i < 30; ++i) {
    const double size = rng.exponential(500);
    trace->jobs.push_back({.id = std::to_string(i), .arrival_s = now, .gpus = 1 + i % 3, .work = size + 1});
    now += rng.exponential(100);
  }
  return trace;
}

SweepPlan small_plan() {
  SweepPlan plan;
  plan.trace = drawn;
  plan.clusters = {{.name = "four", .pools = {{.type = "gpu", .gpus = 4}}},
                   {.name = "eight", .pools = {{.type = "gpu", .gpus = 8}}}};
  plan.loads = {1, 2};
  plan.policies = {schedule::parse_policy("fifo"), schedule::parse_policy("srtf")};
  plan.first_seed = 7;
  plan.seeds = 3;
  plan.keep_jobs = true;
  plan.threads = 1;
  return plan;
}

std::vector<double> completions(const std::vector<SweepRun>& runs) {
  std::vector<double> all;
  for (const SweepRun& run : runs) {
    for (const JobOutcome& job : run.result.jobs) all.push_back(job.completion.value);
  }
  return all;
}

TEST(Sweep, RunsStandInTheOrderOfTheProduct) {
  NoProgress quiet;
  const std::vector<SweepRun> runs = sweep(small_plan(), quiet);
  ASSERT_EQ(runs.size(), 24U);
  EXPECT_EQ(runs[0].policy, 0U);
  EXPECT_EQ(runs[1].policy, 1U);
  EXPECT_EQ(runs[1].seed, 7U);
  EXPECT_EQ(runs[2].seed, 8U);
  EXPECT_EQ(runs[6].load, 1U);
  EXPECT_EQ(runs[12].cluster, 1U);
  for (const SweepRun& run : runs) EXPECT_EQ(run.metrics.completed, 30);
}

TEST(Sweep, ThreadsChangeNothing) {
  NoProgress quiet;
  SweepPlan plan = small_plan();
  const std::vector<double> one = completions(sweep(plan, quiet));
  plan.threads = 4;
  EXPECT_EQ(completions(sweep(plan, quiet)), one);
}

TEST(Sweep, PoliciesSeeTheSameJobs) {
  NoProgress quiet;
  const std::vector<SweepRun> runs = sweep(small_plan(), quiet);
  EXPECT_EQ(runs[0].jobs, runs[1].jobs);
  EXPECT_NE(runs[0].jobs->jobs[1].arrival, runs[2].jobs->jobs[1].arrival);
}

TEST(Sweep, OutcomesAreDroppedWhereNobodyWantsThem) {
  NoProgress quiet;
  SweepPlan plan = small_plan();
  plan.keep_jobs = false;
  const std::vector<SweepRun> runs = sweep(plan, quiet);
  EXPECT_TRUE(runs[0].result.jobs.empty());
  EXPECT_EQ(runs[0].trace, nullptr);
}

TEST(Sweep, WhatDoesNotEndIsNamed) {
  NoProgress quiet;
  SweepPlan plan = small_plan();
  plan.keep_jobs = false;
  plan.run.until = Seconds{300};
  const std::vector<SweepRun> runs = sweep(plan, quiet);
  ASSERT_FALSE(runs[0].unfinished.empty());
  EXPECT_EQ(runs[0].metrics.completed + static_cast<std::int64_t>(runs[0].unfinished.size()), 30);
  EXPECT_NE(runs[0].trace, nullptr);
  EXPECT_NE(runs[0].jobs, nullptr);
}

// The first forty jobs find an empty cluster, the others a full one: their completion times are another
// matter.
TEST(Sweep, WarmUpIsLeftOut) {
  NoProgress quiet;
  SweepPlan plan = small_plan();
  plan.trace = [](std::uint64_t) {
    auto trace = std::make_shared<jobs::Trace>();
    for (int i = 0; i < 400; ++i) {
      const double work = i < 40 ? 1 : 1000 + i % 7;
      trace->jobs.push_back({.id = std::to_string(i), .arrival_s = 2000.0 * i, .work = work});
    }
    return trace;
  };
  plan.warm_up = true;
  const std::vector<SweepRun> runs = sweep(plan, quiet);
  EXPECT_EQ(runs[0].window.first, 40);
  EXPECT_EQ(runs[0].metrics.jobs, 360);
}

TEST(Sweep, StopsWhenAsked) {
  NoProgress quiet;
  const std::atomic<bool> stop = true;
  SweepPlan plan = small_plan();
  plan.stop.finish = &stop;
  const std::vector<SweepRun> runs = sweep(plan, quiet);
  ASSERT_EQ(runs.size(), 24U);
  for (const SweepRun& run : runs) EXPECT_FALSE(run.done);
}

// Asked before the first run and then within it, whatever the mechanism.
TEST(Sweep, GivesUpARunInHand) {
  for (const std::string mechanism : {"event", "rounds", "gavel"}) {
    NoProgress quiet;
    SweepPlan plan = small_plan();
    plan.trace = [](std::uint64_t) {
      auto trace = std::make_shared<jobs::Trace>();
      for (int i = 0; i < 400; ++i) trace->jobs.push_back({.id = std::to_string(i), .work = 1000});
      return trace;
    };
    plan.run.mechanism = mechanism;
    plan.policies = {schedule::parse_policy("allox")};  // runs under all of them
    int asked = 0;
    plan.stop.abandon = [&] { return ++asked > 1; };
    for (const SweepRun& run : sweep(plan, quiet)) EXPECT_FALSE(run.done) << mechanism;
    EXPECT_EQ(asked, 2) << mechanism;
  }
}

TEST(Sweep, TheFirstErrorIsTheOneThatIsThrown) {
  NoProgress quiet;
  SweepPlan plan = small_plan();
  plan.threads = 4;
  plan.trace = [](std::uint64_t seed) -> std::shared_ptr<const jobs::Trace> {
    throw InputError("seed " + std::to_string(seed));
  };
  try {
    sweep(plan, quiet);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.message(), "seed 7");
  }
}

}  // namespace
}  // namespace sextant::simulate
