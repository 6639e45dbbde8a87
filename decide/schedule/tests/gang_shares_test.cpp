// Gangs that do not fit beside each other, under max-min in rounds: the worst-off job has what the best
// schedule would give it, where that can be derived by hand.
#include <gtest/gtest.h>

#include <map>

#include "hand_cluster.h"
#include "sextant/schedule/rounds.h"

namespace sextant::schedule {
namespace {

struct Gang {
  std::int32_t gpus = 1;
  std::vector<double> rate = {1};
};

// Fraction of the rounds in which each job ran.
std::vector<double> received(const std::vector<std::int64_t>& gpus, const std::vector<Gang>& gangs) {
  constexpr int kRounds = 720;
  const PolicyChoice choice = parse_policy("max-min");
  const auto policy = make_round_policy(choice.policy->share({}), *choice.policy, {});
  test::HandCluster cluster(gpus);
  for (const Gang& gang : gangs) cluster.arrive(gang.gpus, gang.rate);
  std::vector<double> part(gangs.size(), 0);
  cluster.ask(*policy);
  for (int i = 0; i < kRounds; ++i) {
    for (const JobSlot job : cluster.running()) part[static_cast<std::size_t>(job)] += 1.0 / kRounds;
    cluster.wake(*policy);
  }
  return part;
}

// Eight GPUs, a job of eight and one of one, never at once. Max-min makes GPUs x time of the worst-off as
// large as can be: 8 a = 1 - a, so a = 1/9. Shares of time alone, 7/8 and 1, would divide the rounds 7 : 8,
// and the small job would have 40 % less than here.
TEST(GangShares, AJobThatFillsTheClusterLeavesTheSmallOneItsPart) {
  const std::vector<double> part = received({8}, {{8}, {1}});
  EXPECT_NEAR(part[0], 1.0 / 9, 0.01);
  EXPECT_NEAR(part[1], 8.0 / 9, 0.01);
}

// Sixteen GPUs: three jobs of sixteen and one of two. 16 a = 2 b and 3 a + b = 1, so a = 1/11, b = 8/11; by
// shares of time (14/16)/3 and 1, b would be 0.53.
TEST(GangShares, SeveralLargeJobsDoNotOutvoteASmallOne) {
  const std::vector<double> part = received({16}, {{16}, {16}, {16}, {2}});
  EXPECT_NEAR(part[3], 8.0 / 11, 0.01);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(part[static_cast<std::size_t>(i)], 1.0 / 11, 0.01);
}

// Where all shares can be had, nothing changes: two GPUs and three jobs of one, 2/3 each.
TEST(GangShares, SharesThatFitAreReceived) {
  for (const double part : received({2}, {{1}, {1}, {1}})) EXPECT_NEAR(part, 2.0 / 3, 0.01);
}

// Eight GPUs, jobs of five, five and three: a five and the three run together. 5 a each with a = 1/2, and the
// three runs always: nobody could have more.
TEST(GangShares, WhatFitsBesideRunsAsWell) {
  const std::vector<double> part = received({8}, {{5}, {5}, {3}});
  EXPECT_NEAR(part[0], 0.5, 0.01);
  EXPECT_NEAR(part[1], 0.5, 0.01);
  EXPECT_NEAR(part[2], 1, 0.01);
}

}  // namespace
}  // namespace sextant::schedule
