// Rounds without a simulator: views made by hand, in the order in which a scheduler would show them.
#include "sextant/schedule/rounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>

#include "hand_cluster.h"
#include "sextant/core/rng.h"

namespace sextant::schedule {
namespace {

using test::FixedShares;
using test::HandCluster;
using testing::ElementsAre;
using testing::IsEmpty;

PolicyInfo plain_info() {
  return PolicyInfo{{.id = "fixed", .summary = "", .reference = ""}};
}

std::vector<JobSlot> order_of_one_device(const std::vector<double>& shares, int rounds) {
  auto fixed = std::make_unique<FixedShares>();
  HandCluster cluster({1});
  for (std::size_t i = 0; i < shares.size(); ++i) {
    fixed->alone[static_cast<std::int64_t>(i)] = {shares[i]};
    cluster.arrive(1, {1});
  }
  const auto policy = make_round_policy(std::move(fixed), plain_info(), {});
  std::vector<JobSlot> order;
  cluster.ask(*policy);
  for (int i = 0; i < rounds; ++i) {
    EXPECT_EQ(cluster.running().size(), 1U);
    order.push_back(cluster.running().front());
    cluster.wake(*policy);
  }
  EXPECT_EQ(policy->rounds(), static_cast<std::uint64_t>(rounds) + 1);
  return order;
}

// Worked by hand: time counts half a round at first, priority is share / time, ties go to the larger share.
TEST(Rounds, SharesOfOneDevice) {
  EXPECT_THAT(order_of_one_device({0.75, 0.25}, 8), ElementsAre(0, 0, 1, 0, 0, 0, 1, 0));
  EXPECT_THAT(order_of_one_device({0.5, 0.3, 0.2}, 10), ElementsAre(0, 1, 2, 0, 0, 1, 0, 2, 1, 0));
}

TEST(Rounds, KeptJobsAreNeitherStoppedNorStarted) {
  auto fixed = std::make_unique<FixedShares>();
  fixed->alone = {{0, {1.0}}, {1, {1.0}}};
  HandCluster cluster({4});
  const auto policy = make_round_policy(std::move(fixed), plain_info(), {.round = Seconds{100}});
  cluster.arrive(1, {1});
  cluster.ask(*policy);
  EXPECT_THAT(cluster.running(), ElementsAre(0));
  cluster.now_s = 250;
  cluster.arrive(2, {1});
  const Decision& in_between = cluster.ask(*policy);
  EXPECT_THAT(in_between.start, IsEmpty());
  EXPECT_DOUBLE_EQ(in_between.wake_s, 300) << "boundaries are counted from the first arrival";
  const Decision& boundary = cluster.wake(*policy);
  EXPECT_THAT(boundary.stop, IsEmpty());
  ASSERT_EQ(boundary.start.size(), 1U);
  EXPECT_EQ(boundary.start.front().job, 1);
}

TEST(Rounds, AnEmptyClusterBeginsARoundAtOnce) {
  auto fixed = std::make_unique<FixedShares>();
  fixed->alone = {{0, {1.0}}, {1, {1.0}}};
  HandCluster cluster({1});
  const auto policy = make_round_policy(std::move(fixed), plain_info(), {.round = Seconds{100}});
  cluster.arrive(1, {1});
  cluster.ask(*policy);
  cluster.now_s = 30;
  cluster.end(0);
  EXPECT_TRUE(std::isinf(cluster.ask(*policy).wake_s));
  cluster.now_s = 47;
  cluster.arrive(1, {1});
  cluster.ask(*policy);
  EXPECT_THAT(cluster.running(), ElementsAre(1));
  EXPECT_EQ(policy->rounds(), 2U);
}

TEST(Rounds, IdleGpusGoToWhoHasNoShare) {
  for (const bool takes_idle : {true, false}) {
    auto fixed = std::make_unique<FixedShares>();
    fixed->alone = {{0, {1.0, 0.0}}};
    PolicyInfo info = plain_info();
    info.takes_idle = takes_idle;
    HandCluster cluster({2, 2});
    const auto policy = make_round_policy(std::move(fixed), info, {});
    cluster.arrive(2, {2, 1});
    cluster.arrive(2, {2, 1});
    cluster.ask(*policy);
    EXPECT_EQ(cluster.type_of(0), 0);
    EXPECT_EQ(cluster.type_of(1), takes_idle ? 1 : -1);
  }
}

TEST(Rounds, OnIdleGpusJobsMoveToTheFasterType) {
  auto fixed = std::make_unique<FixedShares>();
  fixed->alone = {{0, {1.0, 0.0}}};
  HandCluster cluster({1, 1});
  const auto policy = make_round_policy(std::move(fixed), plain_info(), {.round = Seconds{100}});
  cluster.arrive(1, {2, 1});
  cluster.arrive(1, {2, 1});
  cluster.ask(*policy);
  EXPECT_EQ(cluster.type_of(1), 1);
  cluster.now_s = 10;
  cluster.end(0);
  cluster.ask(*policy);
  EXPECT_EQ(cluster.type_of(1), 1) << "not before the boundary";
  cluster.wake(*policy);
  EXPECT_EQ(cluster.type_of(1), 0);
}

// Pairs of any two jobs run at half speed.
class HalfSpeed final : public PairSpeeds {
 public:
  [[nodiscard]] PairRates together(std::int32_t, std::int32_t) const override {
    return {.first = half_.data(), .second = half_.data()};
  }

 private:
  std::vector<double> half_ = {0.5};
};

TEST(Rounds, PairsShareGpusAndOneStaysWhenTheOtherLeaves) {
  auto fixed = std::make_unique<FixedShares>();
  fixed->pairs = {{{0, 1}, {1.0}}};
  fixed->alone = {{1, {0.01}}, {2, {1.0}}};
  PolicyInfo info = plain_info();
  info.packs = true;
  const HalfSpeed speeds;
  HandCluster cluster({2});
  const auto policy = make_round_policy(std::move(fixed), info, {.round = Seconds{100}, .pairs = &speeds});
  for (int i = 0; i < 3; ++i) cluster.arrive(1, {1});
  cluster.ask(*policy);
  EXPECT_THAT(cluster.running(), ElementsAre(0, 1, 2));
  EXPECT_EQ(cluster.partner_of(0), 1);
  cluster.now_s = 50;
  cluster.end(0);
  cluster.ask(*policy);
  EXPECT_EQ(cluster.partner_of(1), -1);
  const Decision& boundary = cluster.wake(*policy);
  EXPECT_THAT(boundary.stop, IsEmpty()) << "it keeps the GPUs that it had with the other";
  EXPECT_THAT(cluster.running(), ElementsAre(1, 2));
}

TEST(Rounds, AllocationsWaitForTheResetUnlessSomebodyIsNew) {
  auto fixed = std::make_unique<FixedShares>();
  int calls = 0;
  fixed->calls = &calls;
  fixed->alone = {{0, {0.5}}, {1, {0.5}}, {2, {0.5}}};
  HandCluster cluster({1});
  const auto policy =
      make_round_policy(std::move(fixed), plain_info(), {.round = Seconds{100}, .reset = Seconds{250}});
  cluster.arrive(1, {1});
  cluster.arrive(1, {1});
  cluster.ask(*policy);
  EXPECT_EQ(calls, 1);
  cluster.now_s = 50;
  cluster.end(1);
  cluster.ask(*policy);
  cluster.wake(*policy);  // 100
  EXPECT_EQ(calls, 1);
  EXPECT_DOUBLE_EQ(cluster.decision.wake_s, 300) << "the first boundary after 250 s";
  cluster.wake(*policy);
  EXPECT_EQ(calls, 2);
  cluster.now_s = 310;
  cluster.arrive(1, {1});
  cluster.ask(*policy);
  cluster.wake(*policy);  // 400
  EXPECT_EQ(calls, 3);
}

// Shares that add up to the devices are what jobs receive in the long run, whatever the gangs.
TEST(Rounds, SharesAreReceivedInTheLongRun) {
  Rng rng = Rng(3).stream("rounds-shares");
  for (int run = 0; run < 20; ++run) {
    constexpr std::int64_t kJobs = 6;
    auto fixed = std::make_unique<FixedShares>();
    const auto gpus = static_cast<std::int32_t>(1 + rng.below(3));  // of every job; two fit at a time
    std::vector<double> share(kJobs);
    double sum = 0;
    for (double& x : share) sum += x = 0.2 + 0.4 * rng.uniform();
    HandCluster cluster({2 * gpus});
    for (std::int64_t j = 0; j < kJobs; ++j) {
      fixed->alone[j] = {share[static_cast<std::size_t>(j)] *= 2 / sum};
      cluster.arrive(gpus, {1});
    }
    const auto policy = make_round_policy(std::move(fixed), plain_info(), {});
    cluster.ask(*policy);
    constexpr int kRounds = 500;
    std::vector<int> received(kJobs, 0);
    for (int round = 0; round < kRounds; ++round) {
      for (const JobSlot slot : cluster.running()) ++received[static_cast<std::size_t>(slot)];
      cluster.wake(*policy);
    }
    for (std::size_t j = 0; j < kJobs; ++j)
      EXPECT_NEAR(received[j], share[j] * kRounds, 2) << "job " << j << " of run " << run;
  }
}

// The rules of HandCluster, over random runs.
TEST(Rounds, RandomRunsKeepTheRules) {
  Rng rng = Rng(7).stream("rounds-law");
  for (int run = 0; run < 60; ++run) {
    auto fixed = std::make_unique<FixedShares>();
    for (std::int64_t id = 0; id < 40; ++id) {
      const double a = rng.uniform();
      fixed->alone[id] = {a, rng.below(3) == 0 ? 0.0 : 1 - a};
      for (std::int64_t other = id + 1; other < 40; ++other) {
        if (rng.below(4) == 0) fixed->pairs[{id, other}] = {0.3, 0.2};
      }
    }
    class Speeds final : public PairSpeeds {
     public:
      [[nodiscard]] PairRates together(std::int32_t a, std::int32_t b) const override {
        if ((a + b) % 5 == 0) return {};
        return {.first = rate_.data(), .second = rate_.data()};
      }

     private:
      std::vector<double> rate_ = {0.5, 0.25};
    };
    const Speeds speeds;
    PolicyInfo info = plain_info();
    info.packs = run % 2 == 0;
    info.aware = run % 3 == 0;
    info.takes_idle = run % 5 != 0;
    HandCluster cluster({4, 3});
    const auto policy = make_round_policy(std::move(fixed), info, {.round = Seconds{60}, .pairs = &speeds});
    std::set<JobSlot> active;
    int born = 0;
    while (born < 40 || !active.empty()) {
      cluster.now_s = std::min(cluster.decision.wake_s, cluster.now_s + 90 * rng.uniform());
      if (born < 40 && rng.below(3) == 0) {
        active.insert(cluster.arrive(static_cast<std::int32_t>(1 + rng.below(3)), {1, 0.5}));
        ++born;
      }
      const std::vector<JobSlot> running = cluster.running();
      if (!running.empty() && rng.below(6) == 0) {
        const JobSlot slot = running[rng.below(running.size())];
        cluster.end(slot);
        active.erase(slot);
      } else if (!running.empty() && rng.below(20) == 0) {
        cluster.lose(running[rng.below(running.size())]);
      }
      cluster.ask(*policy);
      ASSERT_FALSE(testing::Test::HasFailure()) << "run " << run << " at " << cluster.now_s;
      ASSERT_LT(cluster.now_s, 1e6) << "somebody is never started";
    }
  }
}

// Starts whatever fits, in order, and remembers what it was told.
class Recorder final : public QueuePolicy {
 public:
  std::vector<double> asked_at = {};
  std::vector<JobSlot> seen = {};
  double wake_s = std::numeric_limits<double>::infinity();

  void decide(const ClusterView& view, Decision& out) override {
    asked_at.push_back(view.now_s);
    for (const JobSlot slot : view.arrived) {
      seen.push_back(slot);
      out.start.push_back({.job = slot, .type = 0});
    }
    out.wake_s = wake_s;
  }
};

TEST(Rounds, QueuePoliciesHearOfChangesAtBoundariesOnly) {
  auto recorder = std::make_unique<Recorder>();
  Recorder& inner = *recorder;
  const auto policy = make_boundary_policy(std::move(recorder), Seconds{100});
  HandCluster cluster({8});
  cluster.now_s = 5;
  cluster.arrive(1, {1});
  EXPECT_TRUE(std::isinf(cluster.ask(*policy).wake_s));
  cluster.now_s = 250;
  cluster.arrive(1, {1});
  EXPECT_DOUBLE_EQ(cluster.ask(*policy).wake_s, 305);
  cluster.now_s = 260;
  cluster.arrive(1, {1});
  EXPECT_DOUBLE_EQ(cluster.ask(*policy).wake_s, 305);
  inner.wake_s = 430;
  EXPECT_DOUBLE_EQ(cluster.wake(*policy).wake_s, 505);
  EXPECT_THAT(inner.asked_at, ElementsAre(5, 305));
  EXPECT_THAT(inner.seen, ElementsAre(0, 1, 2));
  EXPECT_EQ(policy->rounds(), 4U) << "5, 105, 205 and 305";
}

TEST(Rounds, ARoundTakesTime) {
  EXPECT_THROW(make_boundary_policy(nullptr, Seconds{0}), InputError);
  EXPECT_THROW(make_round_policy(nullptr, plain_info(), {.round = Seconds{-1}}), InputError);
  EXPECT_THROW(make_round_policy(nullptr, plain_info(), {.reset = Seconds{-1}}), InputError);
}

}  // namespace
}  // namespace sextant::schedule
