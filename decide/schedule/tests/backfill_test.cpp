#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "free_profile.h"
#include "sextant/core/rng.h"
#include "tiny_cluster.h"
#include "waiting_index.h"

namespace sextant::schedule {
namespace {

using test::run_tiny;
using test::TinyJob;
using test::TinyOutcome;
using ::testing::ElementsAre;

std::vector<double> starts(const std::vector<TinyOutcome>& outcomes) {
  std::vector<double> times;
  for (const TinyOutcome& outcome : outcomes) times.push_back(outcome.start_s);
  return times;
}

// Four GPUs; the second job waits for all of them until 10.
std::vector<TinyJob> four_jobs(double third_length_s) {
  return {{.arrival_s = 0, .gpus = 3, .length_s = {10}},
          {.arrival_s = 1, .gpus = 4, .length_s = {5}},
          {.arrival_s = 2, .gpus = 1, .length_s = {third_length_s}},
          {.arrival_s = 3, .gpus = 1, .length_s = {2}}};
}

TEST(EasyBackfill, WorkedExample) {
  // 2 + 8 <= 10: the third passes, and the fourth finds no GPU until 10, where the second is first.
  EXPECT_THAT(starts(run_tiny("easy-backfill", {4}, four_jobs(8))), ElementsAre(0, 10, 2, 15));
  // 2 + 9 > 10: refused; the fourth, 3 + 2 <= 10, passes.
  EXPECT_THAT(starts(run_tiny("easy-backfill", {4}, four_jobs(9))), ElementsAre(0, 10, 15, 3));
}

TEST(ConservativeBackfill, WorkedExample) {
  EXPECT_THAT(starts(run_tiny("conservative-backfill", {4}, four_jobs(8))), ElementsAre(0, 10, 2, 15));
  EXPECT_THAT(starts(run_tiny("conservative-backfill", {4}, four_jobs(9))), ElementsAre(0, 10, 15, 3));
}

// The second job waits until 10 and leaves one GPU free then: a long job on one GPU does not delay it.
TEST(EasyBackfill, ExtraGpusMayBeHeldBeyondTheShadow) {
  const std::vector<TinyJob> jobs = {{.arrival_s = 0, .gpus = 3, .length_s = {10}},
                                     {.arrival_s = 1, .gpus = 3, .length_s = {10}},
                                     {.arrival_s = 2, .gpus = 1, .length_s = {100}}};
  EXPECT_THAT(starts(run_tiny("easy-backfill", {4}, jobs)), ElementsAre(0, 10, 2));
}

// EASY protects the first only: a long narrow job delays the third, which conservative backfill does not
// allow.
TEST(ConservativeBackfill, ProtectsEveryJobThatWaits) {
  const std::vector<TinyJob> jobs = {{.arrival_s = 0, .gpus = 3, .length_s = {10}},
                                     {.arrival_s = 1, .gpus = 3, .length_s = {10}},
                                     {.arrival_s = 2, .gpus = 4, .length_s = {10}},
                                     {.arrival_s = 3, .gpus = 1, .length_s = {100}}};
  EXPECT_THAT(starts(run_tiny("easy-backfill", {4}, jobs)), ElementsAre(0, 10, 103, 3));
  EXPECT_THAT(starts(run_tiny("conservative-backfill", {4}, jobs)), ElementsAre(0, 10, 20, 30));
}

// Fast GPUs are taken until 10; there the second ends at 15, on slow ones, free now, at 51.
std::vector<TinyJob> fast_or_slow() {
  return {{.arrival_s = 0, .gpus = 2, .length_s = {10, 0}},
          {.arrival_s = 1, .gpus = 2, .length_s = {5, 50}},
          {.arrival_s = 2, .gpus = 2, .length_s = {5, 50}}};
}

TEST(Backfill, APatientJobWaitsForTheTypeOnWhichItEndsFirst) {
  const auto easy = run_tiny("easy-backfill:patient=1", {2, 2}, fast_or_slow());
  const auto conservative = run_tiny("conservative-backfill:patient=1", {2, 2}, fast_or_slow());
  EXPECT_EQ(easy[1].start_s, 10);
  EXPECT_EQ(easy[1].type, 0);
  EXPECT_EQ(conservative[1].start_s, 10);
  // The third passes on the slow type under EASY; conservative backfill promises it the fast one at 15.
  EXPECT_EQ(easy[2].start_s, 2);
  EXPECT_EQ(conservative[2].start_s, 15);
}

TEST(Backfill, OtherwiseAJobTakesATypeWithRoom) {
  for (const char* policy : {"easy-backfill", "conservative-backfill"}) {
    const auto got = run_tiny(policy, {2, 2}, fast_or_slow());
    EXPECT_EQ(got[1].start_s, 1) << policy;
    EXPECT_EQ(got[1].type, 1) << policy;
    EXPECT_EQ(got[2].start_s, 10) << policy;  // where it ends first: 15 rather than 101
    EXPECT_EQ(got[2].type, 0) << policy;
  }
}

TEST(ConservativeBackfill, DepthLimitsWhoIsPromisedAPlace) {
  EXPECT_THAT(starts(run_tiny("conservative-backfill:depth=1", {4}, four_jobs(8))),
              ElementsAre(0, 10, 15, 15));
}

TEST(Backfill, OverestimatesKeepJobsBack) {
  // The first is thought to run until 30, and the third for 12 s: 2 + 12 <= 30.
  std::vector<TinyJob> jobs = four_jobs(4);
  for (const char* policy : {"easy-backfill:overestimate=3", "conservative-backfill:overestimate=3"}) {
    EXPECT_EQ(run_tiny(policy, {4}, jobs)[2].start_s, 2) << policy;
  }
  jobs[2].length_s = {10};  // 2 + 30 > 30
  for (const char* policy : {"easy-backfill:overestimate=3", "conservative-backfill:overestimate=3"}) {
    const auto got = run_tiny(policy, {4}, jobs);
    EXPECT_EQ(got[2].start_s, 15) << policy;
    EXPECT_EQ(got[1].start_s, 10) << policy;  // jobs that end early move promises forward
  }
}

// Against a list: over random changes, the first at or behind a position that is within a limit.
TEST(MinTree, AgreesWithAList) {
  Rng rng = Rng(31).stream("tree");
  MinTree tree;
  std::vector<double> list;
  for (int step = 0; step < 3000; ++step) {
    const std::size_t at = rng.below(300);
    const double value = rng.uniform() < 0.3 ? std::numeric_limits<double>::infinity() : rng.uniform();
    if (at >= list.size()) list.resize(at + 1, std::numeric_limits<double>::infinity());
    list[at] = value;
    tree.set(at, value);
    const std::size_t from = rng.below(400);
    const double limit = rng.uniform() * rng.uniform();
    std::size_t want = from;
    while (want < list.size() && list[want] > limit) ++want;
    EXPECT_EQ(tree.first_at_most(from, limit), want < list.size() ? want : MinTree::kNone);
  }
}

TEST(FreeProfile, FindsTheFirstGapThatIsLongEnough) {
  const std::vector<ExpectedEnd> ends = {{.end_s = 10, .slot = 0, .gpus = 2},
                                         {.end_s = 20, .slot = 1, .gpus = 1}};
  FreeProfile profile;
  profile.reset(0, 1, ends);  // 1 free, 3 from 10, 4 from 20
  EXPECT_EQ(profile.earliest(1, 1000), 0);
  EXPECT_EQ(profile.earliest(2, 5), 10);
  EXPECT_EQ(profile.earliest(4, 5), 20);
  EXPECT_EQ(profile.earliest(5, 5), std::numeric_limits<double>::infinity());
  profile.reserve(10, 5, 3);  // 0 in [10, 15)
  EXPECT_EQ(profile.earliest(1, 10), 0);
  EXPECT_EQ(profile.earliest(1, 11), 15);
  EXPECT_EQ(profile.earliest(3, 1), 15);
}

std::vector<TinyJob> random_jobs(Rng& rng, std::size_t types) {
  std::vector<TinyJob> jobs;
  double now = 0;
  for (int i = 0; i < 40; ++i) {
    now += std::floor(rng.exponential(4));
    TinyJob job{.arrival_s = now, .gpus = static_cast<std::int32_t>(1 + rng.below(8))};
    const auto length = static_cast<double>(1 + rng.below(30));
    for (std::size_t t = 0; t < types; ++t) job.length_s.push_back(length * static_cast<double>(t + 1));
    jobs.push_back(job);
  }
  return jobs;
}

// The head's start is never later than without anybody passing it: with exact estimates, on one type, the
// k-th job under conservative backfill starts no later than under strict order.
TEST(ConservativeBackfill, NobodyStartsLaterThanInStrictOrder) {
  Rng rng = Rng(11).stream("backfill");
  for (int round = 0; round < 60; ++round) {
    const std::vector<TinyJob> jobs = random_jobs(rng, 1);
    const auto strict = run_tiny("conservative-backfill:depth=1", {8}, jobs);  // only the first is looked at
    const auto got = run_tiny("conservative-backfill", {8}, jobs);
    for (std::size_t i = 0; i < jobs.size(); ++i) EXPECT_LE(got[i].start_s, strict[i].start_s + 1e-6) << i;
  }
}

TEST(Backfill, EverybodyEndsOnSeveralTypes) {
  Rng rng = Rng(12).stream("backfill");
  for (int round = 0; round < 40; ++round) {
    const std::vector<TinyJob> jobs = random_jobs(rng, 3);
    for (const char* policy : {"easy-backfill", "conservative-backfill"}) {
      for (const TinyOutcome& outcome : run_tiny(policy, {8, 5, 9}, jobs))
        EXPECT_GT(outcome.end_s, 0) << policy;
    }
  }
}

}  // namespace
}  // namespace sextant::schedule
