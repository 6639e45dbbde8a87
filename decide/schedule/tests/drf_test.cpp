#include <gtest/gtest.h>

#include "tiny_cluster.h"

namespace sextant::schedule {
namespace {

using test::run_tiny;
using test::TinyJob;
using test::TinyOutcome;

int started_at_zero(const std::vector<TinyOutcome>& outcomes, const std::vector<TinyJob>& jobs,
                    std::int32_t user) {
  int count = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i)
    count += jobs[i].user == user && outcomes[i].start_s == 0 ? 1 : 0;
  return count;
}

TEST(Drf, WorkedExample) {
  // Ghodsi et al., figure 2: 9 CPUs, 18 GB; A asks for <1, 4>, B for <3, 1>: 3 and 2 tasks, 2/3 for both.
  std::vector<TinyJob> jobs;
  for (int i = 0; i < 6; ++i) {
    jobs.push_back({.length_s = {10}, .user = 0, .cpus = 1, .memory_gib = 4});
    jobs.push_back({.length_s = {10}, .user = 1, .cpus = 3, .memory_gib = 1});
  }
  const auto got = run_tiny("drf:cpus=9:memory=18", {1000}, jobs);
  EXPECT_EQ(started_at_zero(got, jobs, 0), 3);
  EXPECT_EQ(started_at_zero(got, jobs, 1), 2);
  for (const TinyOutcome& outcome : got) EXPECT_GT(outcome.end_s, 0);  // resources come back
}

TEST(Drf, GpusAreSharedAmongUsersNotJobs) {
  // A's twenty jobs came first, B's two later in the list: each user holds half of the four GPUs.
  std::vector<TinyJob> jobs(20, TinyJob{.length_s = {10}, .user = 0});
  jobs.push_back({.length_s = {10}, .user = 1});
  jobs.push_back({.length_s = {10}, .user = 1});
  const auto got = run_tiny("drf", {4}, jobs);
  EXPECT_EQ(started_at_zero(got, jobs, 0), 2);
  EXPECT_EQ(started_at_zero(got, jobs, 1), 2);
}

TEST(Drf, OfAUsersJobsTheFirstThatFitsStarts) {
  const std::vector<TinyJob> jobs = {{.arrival_s = 0, .gpus = 3, .length_s = {10}, .user = 0},
                                     {.arrival_s = 1, .gpus = 4, .length_s = {10}, .user = 0},
                                     {.arrival_s = 2, .gpus = 1, .length_s = {4}, .user = 0},
                                     {.arrival_s = 2, .gpus = 1, .length_s = {4}, .user = 0}};
  const auto got = run_tiny("drf", {4}, jobs);
  EXPECT_EQ(got[2].start_s, 2);  // passes the second, which needs all four
  EXPECT_EQ(got[3].start_s, 6);
  EXPECT_EQ(got[1].start_s, 10);
}

TEST(Drf, AJobThatLacksMemoryDoesNotStopOthers) {
  const std::vector<TinyJob> jobs = {{.length_s = {10}, .user = 0, .memory_gib = 6},
                                     {.length_s = {10}, .user = 0, .memory_gib = 6},
                                     {.length_s = {10}, .user = 0, .memory_gib = 4}};
  const auto got = run_tiny("drf:memory=10", {4}, jobs);
  EXPECT_EQ(got[1].start_s, 10);
  EXPECT_EQ(got[2].start_s, 0);
}

TEST(Drf, TakesTheFastestTypeWithRoom) {
  const std::vector<TinyJob> jobs = {{.length_s = {20, 5}, .user = 0}, {.length_s = {20, 5}, .user = 0}};
  const auto got = run_tiny("drf", {4, 1}, jobs);
  EXPECT_EQ(got[0].type, 1);
  EXPECT_EQ(got[1].type, 0);
}

}  // namespace
}  // namespace sextant::schedule
