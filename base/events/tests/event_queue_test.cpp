#include "sextant/events/event_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <queue>
#include <tuple>

#include "sextant/core/rng.h"

namespace sextant::events {
namespace {

enum class Colour { red, green, blue };

TEST(EventQueue, TimeThenKindThenOrder) {
  FollowUps<Colour> made;
  made.add(5, Colour::blue, 1);
  made.add(5, Colour::red, 2);
  made.add(5, Colour::red, 3);
  made.add(5, Colour::green, 4);
  made.add(4, Colour::blue, 5);
  EventQueue<Colour> queue;
  queue.push(made);
  EXPECT_TRUE(made.list().empty());
  std::vector<std::int32_t> order;
  for (; !queue.empty(); queue.pop()) order.push_back(queue.top().subject());
  EXPECT_EQ(order, (std::vector<std::int32_t>{5, 2, 3, 4, 1}));
  EXPECT_EQ(queue.top().time, kEndless);
}

TEST(EventQueue, TicketsSayWhatTheyAreOf) {
  FollowUps<Colour> made;
  const std::uint64_t ticket = made.add(7, Colour::green, kSubjects - 1);
  EXPECT_NE(ticket, 0U);
  EXPECT_EQ(made.list().front().ticket, ticket);
  EXPECT_EQ(made.list().front().kind(), Colour::green);
  EXPECT_EQ(made.list().front().subject(), kSubjects - 1);
  EXPECT_NE(made.add(7, Colour::green, kSubjects - 1), ticket);
}

// Against the standard library's queue, with many equal times.
TEST(EventQueue, SameOrderAsTheStandardLibrary) {
  using Key = std::tuple<Nanos, int, int>;
  Rng rng(3);
  for (int round = 0; round < 20; ++round) {
    FollowUps<Colour> made;
    EventQueue<Colour> queue;
    std::priority_queue<Key, std::vector<Key>, std::greater<>> expected;
    for (int i = 0; i < 2000; ++i) {
      if (rng.uniform() < 0.55) {
        const auto time = static_cast<Nanos>(rng.below(50));
        const auto what = static_cast<int>(rng.below(3));
        made.add(time, static_cast<Colour>(what), i);
        queue.push(made);
        expected.emplace(time, what, i);
      } else if (!expected.empty()) {
        const Key key{queue.top().time, static_cast<int>(queue.top().kind()), queue.top().subject()};
        ASSERT_EQ(key, expected.top());
        queue.pop();
        expected.pop();
      }
      ASSERT_EQ(queue.size(), expected.size());
    }
  }
}

TEST(EventQueue, RemovesWhatIsStale) {
  FollowUps<Colour> made;
  for (int i = 0; i < 1000; ++i) made.add((i * 7919) % 1000, Colour::red, i);
  EventQueue<Colour> queue;
  queue.push(made);
  queue.remove_if([](const Event<Colour>& event) { return event.subject() % 3 != 0; });
  EXPECT_EQ(queue.size(), 334U);
  Nanos last = -1;
  for (; !queue.empty(); queue.pop()) {
    EXPECT_GT(queue.top().time, last);
    EXPECT_EQ(queue.top().subject() % 3, 0);
    last = queue.top().time;
  }
}

}  // namespace
}  // namespace sextant::events
