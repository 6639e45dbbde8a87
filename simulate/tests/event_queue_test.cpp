#include "sextant/simulate/event_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <queue>
#include <tuple>

#include "sextant/core/rng.h"

namespace sextant {
namespace {

TEST(EventQueue, TimeThenClassThenOrder) {
  EventQueue queue;
  queue.push(5, EventClass::repair, 1);
  queue.push(5, EventClass::completion, 2);
  queue.push(5, EventClass::completion, 3);
  queue.push(5, EventClass::failure, 4);
  queue.push(4, EventClass::repair, 5);
  std::vector<std::int32_t> order;
  for (; !queue.empty(); queue.pop()) order.push_back(queue.top().payload());
  EXPECT_EQ(order, (std::vector<std::int32_t>{5, 2, 3, 4, 1}));
  EXPECT_EQ(queue.top().time, kEndless);
}

TEST(EventQueue, TicketsSayWhatTheyAreOf) {
  EventQueue queue;
  const std::uint64_t ticket = queue.push(7, EventClass::failure, EventQueue::kPayloads - 1);
  EXPECT_NE(ticket, 0U);
  EXPECT_EQ(queue.top().ticket, ticket);
  EXPECT_EQ(queue.top().what(), EventClass::failure);
  EXPECT_EQ(queue.top().payload(), EventQueue::kPayloads - 1);
  EXPECT_NE(queue.push(7, EventClass::failure, EventQueue::kPayloads - 1), ticket);
}

// Against the standard library's queue, with many equal times.
TEST(EventQueue, SameOrderAsTheStandardLibrary) {
  using Key = std::tuple<Nanos, int, int>;
  Rng rng(3);
  for (int round = 0; round < 20; ++round) {
    EventQueue queue;
    std::priority_queue<Key, std::vector<Key>, std::greater<>> expected;
    for (int i = 0; i < 2000; ++i) {
      if (rng.uniform() < 0.55) {
        const auto time = static_cast<Nanos>(rng.below(50));
        const auto what = static_cast<int>(rng.below(3));
        queue.push(time, static_cast<EventClass>(what), i);
        expected.emplace(time, what, i);
      } else if (!expected.empty()) {
        const Key key{queue.top().time, static_cast<int>(queue.top().what()), queue.top().payload()};
        ASSERT_EQ(key, expected.top());
        queue.pop();
        expected.pop();
      }
      ASSERT_EQ(queue.size(), expected.size());
    }
  }
}

TEST(EventQueue, RemovesWhatIsStale) {
  EventQueue queue;
  for (int i = 0; i < 1000; ++i) queue.push((i * 7919) % 1000, EventClass::completion, i);
  queue.remove_if([](const SimEvent& event) { return event.payload() % 3 != 0; });
  EXPECT_EQ(queue.size(), 334U);
  Nanos last = -1;
  for (; !queue.empty(); queue.pop()) {
    EXPECT_GT(queue.top().time, last);
    EXPECT_EQ(queue.top().payload() % 3, 0);
    last = queue.top().time;
  }
}

}  // namespace
}  // namespace sextant
