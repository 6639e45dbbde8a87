#include "sextant/queueing/sizing.h"

#include <gtest/gtest.h>

#include "error_of.h"

namespace sextant::queueing {
namespace {

constexpr Load kCluster{.arrival_rate = Hertz{3}, .service_time = Seconds{1}};

TEST(Sizing, LeastNumberThatMeetsTheTarget) {
  for (const double target : {2.0, 0.5, 0.1, 0.001}) {
    const Sizing sizing = least_servers(QueueModel::mmc, kCluster, {.mean_wait = Seconds{target}}, 100);
    ASSERT_TRUE(sizing.feasible);
    EXPECT_LE(sizing.result.waiting.value, target);
    Load fewer = kCluster;
    fewer.servers = sizing.result.load.servers - 1;
    EXPECT_GT(mmc(fewer).waiting.value, target);
    EXPECT_NE(sizing.tightest, "");
  }
}

TEST(Sizing, FourServersWaitAboutHalfASecond) {
  // Wq = C / (c mu - lambda) = 0.509434 with four servers, so 0.51 needs four and 0.5 five.
  EXPECT_EQ(least_servers(QueueModel::mmc, kCluster, {.mean_wait = Seconds{0.51}}, 100).result.load.servers,
            4);
  const Sizing five = least_servers(QueueModel::mmc, kCluster, {.mean_wait = Seconds{0.5}}, 100);
  EXPECT_EQ(five.result.load.servers, 5);
  EXPECT_EQ(five.tightest, "mean wait 509 ms is above 500 ms");
  const Sizing stable = least_servers(QueueModel::mmc, kCluster, {.mean_wait = Seconds{1e9}}, 100);
  EXPECT_EQ(stable.result.load.servers, 4);
  EXPECT_NE(stable.tightest.find("stability"), std::string::npos);
}

TEST(Sizing, AllTargetsHold) {
  const WaitTargets targets{.mean_wait = Seconds{0.2},
                            .p95_wait = Seconds{0.3},
                            .mean_response = Seconds{1.05},
                            .p95_response = Seconds{3.1}};
  const Sizing sizing = least_servers(QueueModel::mmc, kCluster, targets, 100);
  ASSERT_TRUE(sizing.feasible);
  EXPECT_LE(sizing.result.waiting_quantiles->p95, *targets.p95_wait);
  EXPECT_LE(sizing.result.response, *targets.mean_response);
  EXPECT_LE(sizing.result.response_quantiles->p95, *targets.p95_response);
}

TEST(Sizing, WhatNoNumberReachesIsInfeasible) {
  const Sizing slow = least_servers(QueueModel::mmc, kCluster, {.mean_response = Seconds{0.9}}, 1000);
  EXPECT_FALSE(slow.feasible);
  EXPECT_EQ(slow.tightest, "mean response 1.00 s is above 900 ms");
  const Sizing few = least_servers(QueueModel::ggc, kCluster, {.p95_wait = Seconds{1}}, 3);
  EXPECT_FALSE(few.feasible);
  EXPECT_NE(few.tightest.find("stability"), std::string::npos);
  EXPECT_EQ(few.result.stable_servers, 4);
}

TEST(Sizing, BadQuestions) {
  using sextant::test::error_of;
  EXPECT_NE(error_of([] { least_servers(QueueModel::mm1, kCluster, {}, 10); }), "no error");
  EXPECT_NE(error_of([] { least_servers(QueueModel::mmc, kCluster, {.mean_wait = Seconds{-1}}, 10); }),
            "no error");
  EXPECT_NE(error_of([] { least_servers(QueueModel::ggc, kCluster, {.p95_response = Seconds{1}}, 10); }),
            "no error");
  EXPECT_NE(error_of([] { least_servers(QueueModel::mmc, kCluster, {}, 0); }), "no error");
}

}  // namespace
}  // namespace sextant::queueing
