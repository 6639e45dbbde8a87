// The dispatcher of ranked policies, decision by decision, without a simulator.
#include "sextant/schedule/ranked.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "ranked_heap.h"
#include "sextant/core/rng.h"

namespace sextant::schedule {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class RuleOf final : public RankRule {
 public:
  using Function = std::function<Rank(const JobView&, double now_s)>;
  explicit RuleOf(Function function) : function_(std::move(function)) {}
  Rank rank(const JobView& job, const ClusterView& view) override { return function_(job, view.now_s); }

 private:
  Function function_;
};

// A cluster of two types that a test moves by hand.
class RankedTest : public ::testing::Test {
 protected:
  RankedTest() : types_{{.name = "a", .gpus = 4, .free = 4}, {.name = "b", .gpus = 4, .free = 4}} {}

  JobSlot add(std::int32_t gpus, double priority, const double* rate) {
    const auto slot = static_cast<JobSlot>(jobs_.size());
    jobs_.push_back(
        {.id = slot, .gpus = gpus, .priority = priority, .work = 100, .rate = rate, .remaining = 100});
    arrived_.push_back(slot);
    return slot;
  }

  // Asks, carries out, and says what was started as "slot on type".
  std::vector<std::pair<JobSlot, std::int32_t>> decide(QueuePolicy& policy, double now_s) {
    decision_.clear();
    policy.decide({now_s, types_, jobs_, arrived_, ended_, lost_}, decision_);
    arrived_.clear();
    ended_.clear();
    lost_.clear();
    for (const JobSlot slot : decision_.stop) leave(slot, now_s);
    std::vector<std::pair<JobSlot, std::int32_t>> started;
    for (const Start& start : decision_.start) {
      JobView& job = jobs_[static_cast<std::size_t>(start.job)];
      types_[static_cast<std::size_t>(start.type)].free -= job.gpus;
      job.type = start.type;
      job.speed = job.rate[start.type];
      job.since_s = job.productive_s = now_s;
      started.emplace_back(start.job, start.type);
    }
    EXPECT_GE(types_[0].free, 0);
    EXPECT_GE(types_[1].free, 0);
    return started;
  }

  void end(JobSlot slot, double now_s) {
    leave(slot, now_s);
    ended_.push_back(slot);
  }
  void crash(JobSlot slot, double now_s) {
    leave(slot, now_s);
    lost_.push_back(slot);
  }

  std::vector<TypeView> types_;
  std::vector<JobView> jobs_;
  Decision decision_;

 private:
  void leave(JobSlot slot, double now_s) {
    JobView& job = jobs_[static_cast<std::size_t>(slot)];
    types_[static_cast<std::size_t>(job.type)].free += job.gpus;
    job.executed_s = job.executed_at(now_s);
    job.remaining = job.remaining_at(now_s);
    job.since_s = now_s;
    job.type = -1;
  }

  std::vector<JobSlot> arrived_, ended_, lost_;
};

using Starts = std::vector<std::pair<JobSlot, std::int32_t>>;
constexpr double kBoth[] = {1, 2};
constexpr double kOnlyA[] = {1, 0};

std::unique_ptr<QueuePolicy> by_priority(const RankedOptions& options) {
  return make_ranked(
      std::make_unique<RuleOf>([](const JobView& job, double) { return Rank{.at_zero = -job.priority}; }),
      options);
}

TEST_F(RankedTest, BestRankFirstOnItsFastestTypeWithRoom) {
  const auto policy = by_priority({});
  add(3, 1, kBoth);
  add(3, 2, kBoth);
  add(2, 3, kOnlyA);
  // The third can use type a only; the second takes b, where it is faster; the first fits nowhere.
  EXPECT_EQ(decide(*policy, 0), (Starts{{2, 0}, {1, 1}}));
  end(2, 5);
  EXPECT_EQ(decide(*policy, 5), (Starts{{0, 0}}));
}

TEST_F(RankedTest, BlocksBehindTheFirstThatDoesNotFit) {
  const auto policy = by_priority({.blocks = true});
  add(3, 3, kOnlyA);
  add(3, 2, kOnlyA);
  add(1, 1, kBoth);
  EXPECT_EQ(decide(*policy, 0), (Starts{{0, 0}}));
  end(0, 1);
  EXPECT_EQ(decide(*policy, 1), (Starts{{1, 0}, {2, 1}}));
}

TEST_F(RankedTest, NeverStopsEqualRanks) {
  const auto policy = by_priority({.preempts = true});
  add(4, 1, kOnlyA);
  EXPECT_EQ(decide(*policy, 0), (Starts{{0, 0}}));
  add(4, 1, kOnlyA);
  EXPECT_THAT(decide(*policy, 1), IsEmpty());
  EXPECT_THAT(decision_.stop, IsEmpty());
  add(4, 1.5, kOnlyA);
  EXPECT_EQ(decide(*policy, 2), (Starts{{2, 0}}));
  EXPECT_THAT(decision_.stop, ElementsAre(0));
}

TEST_F(RankedTest, VictimsOnlyWhereTheySuffice) {
  const auto policy = by_priority({.preempts = true});
  add(2, 0, kOnlyA);
  add(2, 9, kOnlyA);
  const JobSlot on_b = add(4, 0, kBoth);
  EXPECT_EQ(decide(*policy, 0), (Starts{{1, 0}, {0, 0}, {on_b, 1}}));
  // Faster on b, and its job ranks worse; on a only two of the four GPUs could be had.
  const JobSlot late = add(4, 5, kBoth);
  EXPECT_EQ(decide(*policy, 1), (Starts{{late, 1}}));
  EXPECT_THAT(decision_.stop, ElementsAre(on_b));
}

TEST_F(RankedTest, AsksAgainWhenARankRunsOut) {
  // The rank of a running job falls behind after 10 s on GPUs; whoever waits takes over then.
  const auto policy = make_ranked(std::make_unique<RuleOf>([](const JobView& job, double now_s) {
                                    const bool tired = job.executed_at(now_s) >= 10;
                                    Rank rank{.level = tired ? 1 : 0};
                                    if (job.runs() && !tired)
                                      rank.until_s = now_s + 10 - job.executed_at(now_s);
                                    return rank;
                                  }),
                                  {.preempts = true});
  add(4, 0, kOnlyA);
  EXPECT_EQ(decide(*policy, 0), (Starts{{0, 0}}));
  EXPECT_TRUE(std::isinf(decision_.wake_s)) << "nobody waits, so nobody needs to know";
  add(4, 0, kOnlyA);
  EXPECT_THAT(decide(*policy, 3), IsEmpty());
  EXPECT_DOUBLE_EQ(decision_.wake_s, 10);
  EXPECT_EQ(decide(*policy, 10), (Starts{{1, 0}}));
  EXPECT_THAT(decision_.stop, ElementsAre(0));
  EXPECT_DOUBLE_EQ(decision_.wake_s, 20) << "of the job that was just started";
}

TEST_F(RankedTest, QuantumOnlyWhileSomebodyWaits) {
  const auto policy = by_priority({.preempts = true, .quantum_s = 60});
  add(4, 0, kOnlyA);
  decide(*policy, 0);
  EXPECT_TRUE(std::isinf(decision_.wake_s));
  add(4, 0, kOnlyA);
  decide(*policy, 5);
  EXPECT_DOUBLE_EQ(decision_.wake_s, 65);
}

TEST_F(RankedTest, LostJobsWaitAgain) {
  const auto policy = by_priority({.preempts = true});
  add(4, 2, kOnlyA);
  add(4, 1, kOnlyA);
  EXPECT_EQ(decide(*policy, 0), (Starts{{0, 0}}));
  crash(0, 1);
  EXPECT_EQ(decide(*policy, 1), (Starts{{0, 0}}));
  end(0, 2);
  EXPECT_EQ(decide(*policy, 2), (Starts{{1, 0}}));
}

TEST_F(RankedTest, RanksThatAreNoNumbersAreABug) {
  const auto policy = make_ranked(
      std::make_unique<RuleOf>([](const JobView&, double) { return Rank{.at_zero = std::nan("")}; }), {});
  add(1, 0, kBoth);
  EXPECT_THROW(decide(*policy, 0), std::logic_error);
}

// Heaps against a sorted vector, with jobs that leave from the middle.
TEST(RankHeap, KeepsOrderAndPlaces) {
  Rng rng(2);
  RankHeap<false> best;
  RankHeap<true> worst;
  HeapPlaces best_places(500);
  HeapPlaces worst_places(500);
  std::vector<RankKey> keys;
  std::vector<bool> taken(500);
  for (int step = 0; step < 5000; ++step) {
    const bool remove = !keys.empty() && (rng.uniform() < 0.4 || keys.size() == 500);
    if (remove) {
      const auto which = static_cast<std::ptrdiff_t>(rng.below(keys.size()));
      const JobSlot slot = keys[static_cast<std::size_t>(which)].slot;
      best.erase(slot, best_places);
      worst.erase(slot, worst_places);
      keys.erase(keys.begin() + which);
      taken[static_cast<std::size_t>(slot)] = false;
    } else {
      const auto slot = static_cast<JobSlot>(std::ranges::find(taken, false) - taken.begin());
      taken[static_cast<std::size_t>(slot)] = true;
      const RankKey key{.value = static_cast<double>(rng.below(20)),
                        .id = step,
                        .level = static_cast<std::int32_t>(rng.below(3)),
                        .slot = slot};
      best.push(key, best_places);
      worst.push(key, worst_places);
      keys.push_back(key);
    }
    ASSERT_EQ(best.size(), keys.size());
    if (keys.empty()) continue;
    const auto [least, most] = std::ranges::minmax_element(keys, std::less<>{});
    ASSERT_EQ(best.top().slot, least->slot);
    ASSERT_EQ(worst.top().slot, most->slot);
    const RankKey limit{.value = 10, .id = 0, .level = 1};
    const auto above = std::ranges::count_if(keys, [&](const RankKey& key) { return limit < key; });
    const auto passes = [&](const RankKey& key) { return limit < key; };
    ASSERT_EQ(worst.count_first(1000, passes), static_cast<std::size_t>(above));
    ASSERT_EQ(worst.count_first(3, passes), static_cast<std::size_t>(std::min<std::ptrdiff_t>(above, 3)));
  }
}

}  // namespace
}  // namespace sextant::schedule
