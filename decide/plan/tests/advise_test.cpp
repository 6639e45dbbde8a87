// Ranking, front, runner-up and the tightest constraint on offers made by hand; then over the catalogue.
#include "sextant/plan/advise.h"

#include <gtest/gtest.h>

#include "sextant/core/rng.h"

namespace sextant::plan {
namespace {

Offer offer(std::size_t i, double hours, double dollars) {
  Offer o;
  o.pool = {.type = "t4", .machine = "cloud/m" + std::to_string(i), .gpus = 1, .per_node = 1};
  o.time = hours * kHour;
  o.time_low = 0.8 * o.time;
  o.time_high = 1.25 * o.time;
  o.cost = Dollars{dollars};
  o.price = o.cost / o.time;
  return o;
}

TEST(Advise, RanksByCostAndMarksTheFront) {
  const Offers offers{.list = {offer(0, 10, 30), offer(1, 20, 10), offer(2, 5, 60), offer(3, 12, 40)}};
  const Advice advice = advise(offers, {});
  ASSERT_EQ(advice.ranked.size(), 4U);
  EXPECT_EQ(advice.ranked[0].offer.pool.machine, "cloud/m1");
  EXPECT_EQ(advice.ranked[1].offer.pool.machine, "cloud/m0");
  const auto on_front = [&](const char* id) {
    return std::ranges::find_if(advice.ranked, [&](const auto& r) { return r.offer.pool.machine == id; })
        ->on_front;
  };
  EXPECT_TRUE(on_front("cloud/m0") && on_front("cloud/m1") && on_front("cloud/m2"));
  EXPECT_FALSE(on_front("cloud/m3")) << "m0 is faster and cheaper";
  ASSERT_TRUE(advice.runner_up);
  EXPECT_EQ(advice.ranked[*advice.runner_up].offer.pool.machine, "cloud/m0");
}

TEST(Advise, KeepsDeadlineAndBudget) {
  const Offers offers{.list = {offer(0, 10, 30), offer(1, 20, 10), offer(2, 5, 60)}};
  EXPECT_EQ(advise(offers, {.deadline = 15 * kHour}).ranked.front().offer.pool.machine, "cloud/m0");
  EXPECT_EQ(advise(offers, {.budget = Dollars{40}, .by = RankBy::time}).ranked.front().offer.pool.machine,
            "cloud/m0");
  EXPECT_EQ(advise(offers, {.deadline = 11 * kHour, .safe = true}).ranked.front().offer.pool.machine,
            "cloud/m2")
      << "12.5 h at the upper end is too late for m0";
}

TEST(Advise, NamesTheTightestConstraint) {
  const Offers offers{.list = {offer(0, 10, 30), offer(1, 20, 10), offer(2, 5, 60)}};
  const Advice late = advise(offers, {.deadline = 4 * kHour});
  ASSERT_TRUE(late.tightest);
  EXPECT_EQ(late.tightest->constraint, "deadline");
  EXPECT_DOUBLE_EQ(late.tightest->factor, 5.0 / 4);
  const Advice both = advise(offers, {.deadline = 6 * kHour, .budget = Dollars{24}});
  ASSERT_TRUE(both.tightest);
  // m0 is 10/6 too late and 30/24 too dear, m1 20/6 too late, m2 60/24 too dear: m0 is nearest, by its
  // deadline.
  EXPECT_EQ(both.tightest->constraint, "deadline");
  EXPECT_DOUBLE_EQ(both.tightest->factor, 10.0 / 6);
  EXPECT_EQ(both.tightest->nearest->pool.machine, "cloud/m0");
  const Advice none =
      advise({.list = {}, .refusals = {{parallel::Limit::memory, 3, "needs 20 GiB of 16 GiB", 1.25}}}, {});
  EXPECT_EQ(none.tightest->constraint, "memory");
  EXPECT_EQ(none.tightest->refusal->example, "needs 20 GiB of 16 GiB");
}

TEST(Advise, TheFrontIsWhatNobodyBeats) {
  Rng rng(3);
  Offers offers;
  for (int i = 0; i < 200; ++i) {
    const double hours = 1 + 20 * rng.uniform();
    const double dollars = 1 + 100 * rng.uniform();
    offers.list.push_back(offer(static_cast<std::size_t>(i) % 8, hours, dollars));
  }
  const Advice advice = advise(offers, {});
  for (const auto& a : advice.ranked) {
    const bool beaten = std::ranges::any_of(advice.ranked, [&](const auto& b) {
      return b.offer.time <= a.offer.time && b.offer.cost <= a.offer.cost &&
             (b.offer.time < a.offer.time || b.offer.cost < a.offer.cost);
    });
    EXPECT_EQ(a.on_front, !beaten);
  }
}

// 5 h and 5.2 h are within 5 %: who asks for speed does not pay six times as much for 12 minutes.
TEST(Advise, ByTimeTheCheapestOfTheNearlyFastestIsFirst) {
  const Offers offers{.list = {offer(0, 5, 60), offer(1, 5.2, 10), offer(2, 5.1, 30), offer(3, 6, 2)}};
  const Advice advice = advise(offers, {.budget = Dollars{100}, .by = RankBy::time});
  std::vector<std::string> order;
  for (const auto& r : advice.ranked) order.push_back(r.offer.pool.machine);
  EXPECT_EQ(order, (std::vector<std::string>{"cloud/m1", "cloud/m2", "cloud/m0", "cloud/m3"}));
  // Of the others m0 is the fastest: m1 stays the first until it takes more than 1.05 x 5 h.
  const auto next = successor(advice);
  ASSERT_TRUE(next);
  EXPECT_NEAR(next->slower, 5.25 / 5.2 - 1, 1e-12);
  EXPECT_EQ(next->offer->pool.machine, "cloud/m2");
}

// By cost, the first stays it until its time costs what the second does.
TEST(Advise, ByCostTheSecondFollowsWhenTheFirstCostsAsMuch) {
  const Offers offers{.list = {offer(0, 10, 30), offer(1, 20, 10)}};
  const auto next = successor(advise(offers, {}));
  ASSERT_TRUE(next);
  EXPECT_NEAR(next->slower, 2, 1e-12) << "30 dollars instead of 10";
  EXPECT_EQ(next->offer->pool.machine, "cloud/m0");
  EXPECT_FALSE(successor(advise({.list = {offer(0, 1, 1)}}, {})));
}

}  // namespace
}  // namespace sextant::plan
