#include "sextant/events/run.h"

#include <gtest/gtest.h>

#include <string>

namespace sextant::events {
namespace {

enum class Step { first, second };

// Writes down what happens, in order.
class Scribe : public EventModel<Step> {
 public:
  FollowUps<Step>& begin() { return follow_ups; }
  FollowUps<Step>& handle(const Event<Step>& event) {
    text += std::to_string(event.time) + (event.kind() == Step::first ? "f" : "s") +
            std::to_string(event.subject()) + " ";
    return follow_ups;
  }
  FollowUps<Step>& settle(Nanos now) {
    text += std::to_string(now) + "| ";
    return follow_ups;
  }

  std::string text;

 protected:
  std::uint64_t plan(Nanos time, Step kind, std::int32_t subject) {
    return follow_ups.add(time, kind, subject);
  }
};

TEST(EventRun, NothingToDoEndsAtOnce) {
  Scribe scribe;
  EXPECT_EQ(run(scribe), 0);
  EXPECT_EQ(scribe.text, "");
}

class Ordered : public Scribe {
 public:
  FollowUps<Step>& begin() {
    plan(5, Step::second, 1);
    plan(5, Step::first, 2);
    plan(5, Step::first, 3);
    plan(2, Step::second, 4);
    return follow_ups;
  }
};

TEST(EventRun, TimeThenKindThenSequenceAndOneSettlementPerInstant) {
  Ordered model;
  EXPECT_EQ(run(model), 5);
  EXPECT_EQ(model.text, "2s4 2| 5f2 5f3 5s1 5| ");
}

TEST(EventRun, StopsBeforeWhatIsTooLate) {
  Ordered model;
  EXPECT_EQ(run(model, 4), 4);
  EXPECT_EQ(model.text, "2s4 2| ");
  Ordered just_in_time;
  EXPECT_EQ(run(just_in_time, 5), 5);
  EXPECT_EQ(just_in_time.text, "2s4 2| 5f2 5f3 5s1 5| ");
}

// What follows at once belongs to the same instant.
class Chain : public Scribe {
 public:
  FollowUps<Step>& begin() {
    plan(1, Step::second, 3);
    return follow_ups;
  }
  FollowUps<Step>& handle(const Event<Step>& event) {
    Scribe::handle(event);
    if (event.subject() > 0) plan(event.time, Step::first, event.subject() - 1);
    return follow_ups;
  }
};

TEST(EventRun, FollowUpsOfTheSameInstant) {
  Chain model;
  EXPECT_EQ(run(model), 1);
  EXPECT_EQ(model.text, "1s3 1f2 1f1 1f0 1| ");
}

// Every handled event makes a new one and puts it off again and again: only the last ticket counts.
class Procrastinator : public EventModel<Step> {
 public:
  FollowUps<Step>& begin() { return put_off(0); }
  FollowUps<Step>& handle(const Event<Step>& event) {
    ++handled;
    return put_off(event.time);
  }
  [[nodiscard]] bool stale(const Event<Step>& event) const { return event.ticket != ticket_; }
  [[nodiscard]] std::size_t live() const { return 1; }
  [[nodiscard]] bool goes_on() const { return handled < 100; }

  int handled = 0;

 private:
  FollowUps<Step>& put_off(Nanos now) {
    for (Nanos i = 1; i <= 1000; ++i) ticket_ = follow_ups.add(now + i, Step::first);
    return follow_ups;
  }

  std::uint64_t ticket_ = 0;
};

TEST(EventRun, StaleEventsAreNeverHandled) {
  Procrastinator model;
  EXPECT_EQ(run(model), 100 * 1000);
  EXPECT_EQ(model.handled, 100);
}

// Arrivals that come from elsewhere, and events between them.
class Visited : public Scribe {
 public:
  [[nodiscard]] Nanos next_time() const { return visits_ < 3 ? 10 * (visits_ + 1) : kEndless; }
  FollowUps<Step>& settle(Nanos now) {
    Scribe::settle(now);
    if (now < next_time()) return follow_ups;
    ++visits_;
    plan(now + 5, Step::first, static_cast<std::int32_t>(visits_));
    return follow_ups;
  }

 private:
  Nanos visits_ = 0;
};

TEST(EventRun, WhatComesFromElsewhereIsSettled) {
  Visited model;
  EXPECT_EQ(run(model), 35);
  EXPECT_EQ(model.text, "10| 15f1 15| 20| 25f2 25| 30| 35f3 35| ");
}

TEST(EventTime, RoundsAndEnds) {
  EXPECT_EQ(nanos_of(-1), 0);
  EXPECT_EQ(nanos_of(1.5), 1'500'000'000);
  EXPECT_EQ(nanos_of(std::numeric_limits<double>::infinity()), kEndless);
  EXPECT_EQ(seconds_of(2'500'000'000), 2.5);
  EXPECT_EQ(later(5, kEndless), kEndless);
  EXPECT_EQ(later(5, 6), 11);
}

}  // namespace
}  // namespace sextant::events
