// Gavel's rounds on cases small enough to follow by hand. Against Gavel itself: gavel_reference_test.cpp.
#include "sextant/simulate/gavel.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sextant/core/rng.h"

namespace sextant::simulate {
namespace {

clusters::Cluster v100s(std::int64_t gpus) {
  return {.name = "test", .pools = {{.type = "v100", .gpus = gpus}}};
}

struct GivenJob {
  double arrival_s = 0;
  double work = 0;
  std::int32_t gpus = 1;
};

// All of one class, 10 steps a second; `together` of two on the same GPUs, 0: not known.
JobSet ten_a_second(const std::vector<GivenJob>& given, double together = 0) {
  JobSet set;
  for (const GivenJob& job : given) {
    set.classes.push_back({.gpus = job.gpus, .rate = {10}});
    set.jobs.push_back({.arrival = Seconds{job.arrival_s},
                        .work = job.work,
                        .deadline = Seconds{std::numeric_limits<double>::infinity()},
                        .gpus = job.gpus,
                        .cls = static_cast<std::int32_t>(set.jobs.size()),
                        .source = static_cast<std::int32_t>(set.jobs.size())});
  }
  for (std::int32_t a = 0; together > 0 && a < std::ssize(given); ++a) {
    for (std::int32_t b = 0; b < std::ssize(given); ++b)
      set.pairs[JobSet::pair_key(a, b)] = {.first_rate = {together}, .second_rate = {together}};
  }
  return set;
}

RunResult run(const JobSet& jobs, std::int64_t gpus, const std::string& policy = "gavel-fifo-perf") {
  return simulate_gavel(jobs, v100s(gpus), {.policy = schedule::parse_policy(policy)});
}

// 3,600 steps in the first round, the other 1,400 in 140 s.
TEST(Gavel, StepsOfARound) {
  const RunResult result = run(ten_a_second({{0, 5000}}), 1);
  EXPECT_DOUBLE_EQ(result.jobs[0].completion.value, 500);
  EXPECT_DOUBLE_EQ(result.jobs[0].executed.value, 500);
  EXPECT_DOUBLE_EQ(result.pools[0].productive, 500);
  EXPECT_DOUBLE_EQ(result.pools[0].idle, 0);
  EXPECT_EQ(result.rounds, 3U) << "at 0, 360 and 500 s";
}

// Job 1 is admitted at 360 s, where Gavel allocates because the last time was 0; job 2 at 720 s, but shares
// change only 1,920 s after 360 s, so at 2,520 s, though a GPU is idle from 370 s on.
TEST(Gavel, NewcomersWaitForTheReset) {
  const RunResult result = run(ten_a_second({{0, 36000}, {10, 100}, {400, 100}}), 2);
  EXPECT_DOUBLE_EQ(result.jobs[0].completion.value, 3600);
  EXPECT_DOUBLE_EQ(result.jobs[1].completion.value, 370);
  EXPECT_DOUBLE_EQ(result.jobs[2].start.value, 2520);
  EXPECT_DOUBLE_EQ(result.jobs[2].completion.value, 2530);
}

// 3,602 steps on four GPUs: two are left, which is less than one each. Five such rounds of 0.2 s, then the
// job is dropped.
TEST(Gavel, TooFewStepsForAGangFail) {
  const RunResult result = run(ten_a_second({{0, 3602, 4}}), 4);
  EXPECT_TRUE(std::isnan(result.jobs[0].completion.value));
  EXPECT_EQ(result.jobs[0].end, JobEnd::unfinished);
  EXPECT_NEAR(result.horizon.value, 361, 1e-9);
}

// Ten seconds of work after a gap of 990 s: Gavel counts 1,000 s.
TEST(Gavel, GapsCountAsTimeOfTheNextRound) {
  const RunResult result = run(ten_a_second({{0, 100}, {1000, 100}}), 1);
  EXPECT_DOUBLE_EQ(result.jobs[1].completion.value, 1010);
  EXPECT_DOUBLE_EQ(result.jobs[1].executed.value, 1000);
  EXPECT_DOUBLE_EQ(result.pools[0].productive, 1010);
}

TEST(Gavel, PairsShareGpusWhereItPays) {
  // 0.8 + 0.8 is above 1.5: both do 2,880 steps in the first round.
  const RunResult together = run(ten_a_second({{0, 2880}, {0, 2880}}, 8), 1, "gavel-fifo-packed");
  EXPECT_DOUBLE_EQ(together.jobs[0].completion.value, 360);
  EXPECT_DOUBLE_EQ(together.jobs[1].completion.value, 360);
  // 0.7 + 0.7 is not: one after the other, 288 s each.
  const RunResult apart = run(ten_a_second({{0, 2880}, {0, 2880}}, 7), 1, "gavel-fifo-packed");
  EXPECT_DOUBLE_EQ(apart.jobs[0].completion.value, 288);
  EXPECT_DOUBLE_EQ(apart.jobs[1].completion.value, 576);
}

TEST(Gavel, AWindowEndsTheRun) {
  const JobSet jobs = ten_a_second({{0, 100}, {0, 36000}, {0, 36000}});
  const RunResult result = simulate_gavel(
      jobs, v100s(2),
      {.policy = schedule::parse_policy("gavel-fifo-perf"), .window_begin = 0, .window_end = 1});
  EXPECT_EQ(result.jobs[0].end, JobEnd::completed);
  EXPECT_EQ(result.jobs[1].end, JobEnd::unfinished);
  EXPECT_EQ(result.jobs[2].executed.value, 0);
  EXPECT_DOUBLE_EQ(result.horizon.value, 360) << "the round of the other job";
}

TEST(Gavel, ReplayedSharesAreUsed) {
  const JobSet jobs = ten_a_second({{0, 3600}, {0, 3600}});
  const auto recorded = parse_recorded_allocations(
      "[0, {\"1\": {\"v100\": 1.0}}]\n[360, {\"0\": {\"v100\": 1}}]", "test", v100s(1));
  const RunResult result = simulate_gavel(
      jobs, v100s(1), {.policy = schedule::parse_policy("gavel-fifo-perf"), .replay = &recorded});
  EXPECT_DOUBLE_EQ(result.jobs[1].completion.value, 360);
  EXPECT_DOUBLE_EQ(result.jobs[0].completion.value, 720);
}

TEST(Gavel, NothingToDo) {
  const RunResult result = run(JobSet{}, 1);
  EXPECT_EQ(result.rounds, 0U);
  EXPECT_EQ(result.horizon.value, 0);
}

// A pair too slow for a step in a round turns on the spot in Gavel; here the run ends.
TEST(Gavel, RunsThatCannotGoOnEnd) {
  const JobSet jobs = ten_a_second({{0, 100}, {0, 100}}, 1e-3);
  const auto recorded = parse_recorded_allocations("[0, {\"(0, 1)\": {\"v100\": 1.0}}]", "test", v100s(1));
  const RunResult result = simulate_gavel(
      jobs, v100s(1), {.policy = schedule::parse_policy("gavel-fifo-packed"), .replay = &recorded});
  EXPECT_EQ(result.jobs[0].end, JobEnd::unfinished);
}

TEST(Gavel, RefusesWhatItCannotRun) {
  EXPECT_THROW(simulate_gavel({}, v100s(1), {.policy = {}}), InputError);
  EXPECT_THROW(
      simulate_gavel({}, v100s(1), {.policy = schedule::parse_policy("isolated"), .round = Seconds{0}}),
      InputError);
  EXPECT_THROW(run(ten_a_second({{0, -1}}), 1), std::invalid_argument);
  EXPECT_THROW(run(ten_a_second({{10, 1}, {0, 1}}), 1), std::invalid_argument);
}

JobSet random_jobs(Rng& rng, bool gangs) {
  JobSet set;
  for (int c = 0; c < 6; ++c) {
    const std::int32_t gpus = gangs ? 1 << rng.below(3) : 1;
    set.classes.push_back(
        {.gpus = gpus, .rate = {1 + rng.uniform(), 1 + rng.uniform(), 0.1 + rng.uniform()}});
  }
  for (std::int32_t a = 0; a < 6; ++a) {
    for (std::int32_t b = 0; b < 6; ++b) {
      const auto& first = set.classes[static_cast<std::size_t>(a)];
      if (first.gpus != set.classes[static_cast<std::size_t>(b)].gpus) continue;
      const double slow = 0.4 + 0.5 * rng.uniform();
      PairOfClasses pair;
      for (std::size_t t = 0; t < 3; ++t) {
        pair.first_rate.push_back(first.rate[t] * slow);
        pair.second_rate.push_back(set.classes[static_cast<std::size_t>(b)].rate[t] * slow);
      }
      set.pairs[JobSet::pair_key(a, b)] = pair;
    }
  }
  double arrival_s = 0;
  for (std::int32_t j = 0; j < 60; ++j) {
    const auto cls = static_cast<std::int32_t>(rng.below(6));
    arrival_s += rng.exponential(200);
    set.jobs.push_back({.arrival = Seconds{arrival_s},
                        .work = std::ceil(rng.exponential(3000)) + 1,
                        .gpus = set.classes[static_cast<std::size_t>(cls)].gpus,
                        .cls = cls,
                        .source = j});
  }
  return set;
}

// Laws over random sets: who is not dropped for the quirk of gangs ends, nobody is faster than its best type,
// and the same inputs give the same bits.
TEST(Gavel, LawsOverRandomJobs) {
  Rng rng = Rng(17).stream("gavel-laws");
  const clusters::Cluster cluster{
      .name = "laws",
      .pools = {{.type = "p100", .gpus = 4}, {.type = "v100", .gpus = 4}, {.type = "a100", .gpus = 5}}};
  for (int i = 0; i < 20; ++i) {
    for (const char* const policy : {"gavel-fifo-perf", "gavel-fifo", "gavel-fifo-fixed", "gavel-fifo-packed",
                                     "isolated", "allox", "gandiva"}) {
      const JobSet jobs = random_jobs(rng, std::string(policy) != "allox");
      const GavelOptions options{.policy = schedule::parse_policy(policy),
                                 .seed = static_cast<std::uint64_t>(i)};
      const RunResult first = simulate_gavel(jobs, cluster, options);
      const RunResult second = simulate_gavel(jobs, cluster, options);
      for (std::size_t j = 0; j < jobs.jobs.size(); ++j) {
        const SimJob& job = jobs.jobs[j];
        const JobOutcome& outcome = first.jobs[j];
        if (outcome.end != JobEnd::completed) {
          EXPECT_GT(job.gpus, 1) << policy << " leaves job " << j;
          continue;
        }
        EXPECT_EQ(outcome.completion.value, second.jobs[j].completion.value) << policy;
        const auto& rate = jobs.classes[static_cast<std::size_t>(job.cls)].rate;
        const double alone_s = job.work / *std::ranges::max_element(rate);
        EXPECT_GE((outcome.completion - job.arrival).value, alone_s - 1e-6) << policy;
        EXPECT_GE(outcome.completion.value, outcome.start.value);
      }
      double busy = 0;
      for (const PoolUse& use : first.pools) busy += use.productive;
      EXPECT_LE(busy, 13.0 * first.horizon.value * (1 + 1e-9)) << policy;
    }
  }
}

}  // namespace
}  // namespace sextant::simulate
