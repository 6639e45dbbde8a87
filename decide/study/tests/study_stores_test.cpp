// What both stores hold to.
#include "study_stores.h"

#include <gmock/gmock.h>

#include <limits>
#include <set>
#include <thread>

#include "error_of.h"

namespace sextant::study {
namespace {

using sextant::test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Stores = test::StudyStoresTest;

std::optional<StoredTrial> next_number(const std::vector<StoredTrial>& all) {
  StoredTrial trial;
  trial.levels = {std::to_string(all.size() + 1), ""};
  trial.reason = "the next";
  return trial;
}

std::optional<StoredTrial> nothing(const std::vector<StoredTrial>&) {
  return {};
}

StoredTrial done(StoredTrial trial, double loss) {
  trial.outcome.state = explore::TrialState::completed;
  trial.outcome.metrics = {{"loss", loss}};
  return trial;
}

TEST_P(Stores, ATrialIsProposedClaimedAndFinished) {
  const auto store = open();
  const auto claimed = store->claim("me", next_number);
  ASSERT_TRUE(claimed);
  EXPECT_EQ(claimed->number, 1);
  EXPECT_EQ(claimed->attempts, 1);
  StoredTrial finished = done(*claimed, 0.1);
  finished.outcome.metrics["tiny"] = std::numeric_limits<double>::denorm_min();
  finished.outcome.bound = -1e300;
  finished.cost = 0.1 + 0.2;
  finished.seconds = 3;
  finished.outcome.message = "quotes ' \" \\ and \xff bytes\n";
  EXPECT_TRUE(store->finish(finished));
  const std::vector<StoredTrial> all = open()->trials();
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_THAT(all[0].levels, ElementsAre("1", ""));
  EXPECT_EQ(all[0].outcome.state, explore::TrialState::completed);
  EXPECT_EQ(all[0].outcome.metrics, finished.outcome.metrics);
  EXPECT_EQ(all[0].outcome.bound, finished.outcome.bound);
  EXPECT_EQ(all[0].cost, finished.cost);
  EXPECT_EQ(all[0].worker, "me");
  EXPECT_EQ(all[0].reason, "the next");
  EXPECT_THAT(all[0].outcome.message, HasSubstr("quotes ' \" \\ and"));
  EXPECT_THAT(all[0].proposed_at, testing::MatchesRegex("20..-..-..T..:..:..\\....Z"));
  EXPECT_GE(all[0].finished_at, all[0].proposed_at);
}

TEST_P(Stores, EveryTrialHasOneWorker) {
  const auto store = open();
  EXPECT_EQ(store->claim("one", next_number)->number, 1);
  EXPECT_EQ(store->claim("two", next_number)->number, 2);
  EXPECT_FALSE(store->claim("three", nothing));
  EXPECT_FALSE(store->heartbeat(1, "two"));
  EXPECT_TRUE(store->heartbeat(1, "one"));
  StoredTrial other = done(store->trials()[0], 1);
  other.worker = "two";
  EXPECT_FALSE(store->finish(other));
  EXPECT_EQ(store->trials()[0].outcome.state, explore::TrialState::running);
}

TEST_P(Stores, AFinishedTrialIsNotFinishedAgain) {
  const auto store = open();
  const StoredTrial trial = done(store->claim("me", next_number).value(), 1);
  EXPECT_TRUE(store->finish(trial));
  EXPECT_FALSE(store->heartbeat(1, "me"));
  StoredTrial again = trial;
  again.outcome.metrics["loss"] = 2;
  EXPECT_FALSE(store->finish(again));
  EXPECT_EQ(store->trials()[0].outcome.metrics.at("loss"), 1);
}

// A store that is open reads what is new only, and has the same trials as one that reads all.
TEST_P(Stores, AnOpenStoreSeesWhatOthersDo) {
  const auto ours = open();
  const auto theirs = open();
  for (int round = 0; round < 4; ++round) {
    const auto one = theirs->claim("one", next_number);
    const auto two = theirs->claim("two", next_number);
    EXPECT_THAT(ours->trials(), SizeIs(static_cast<std::size_t>(2 * round + 2)));
    EXPECT_EQ(ours->trials().back().worker, "two");
    EXPECT_TRUE(theirs->finish(done(*two, round)));
    if (round < 3) {
      EXPECT_TRUE(theirs->finish(done(*one, -round)));
    }
    const std::vector<StoredTrial> known = ours->trials();
    const std::vector<StoredTrial> fresh = open()->trials();
    ASSERT_EQ(known.size(), fresh.size());
    for (std::size_t i = 0; i < known.size(); ++i) {
      EXPECT_EQ(known[i].number, fresh[i].number);
      EXPECT_EQ(known[i].outcome.state, fresh[i].outcome.state);
      EXPECT_EQ(known[i].outcome.metrics, fresh[i].outcome.metrics);
      EXPECT_EQ(known[i].finished_at, fresh[i].finished_at);
    }
  }
  theirs->give_back(7, "one");
  EXPECT_EQ(ours->trials()[6].worker, "");
  EXPECT_EQ(ours->claim("three", nothing)->number, 7);
}

TEST_P(Stores, AClaimThatIsNotRenewedGoesToTheNext) {
  const auto store = open({.claim_lasts = std::chrono::milliseconds(200)});
  ASSERT_TRUE(store->claim("dead", next_number));
  EXPECT_TRUE(store->trials()[0].claimed);
  EXPECT_FALSE(store->claim("alive", nothing));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_FALSE(store->trials()[0].claimed);
  const auto again = store->claim("alive", next_number);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->number, 1);
  EXPECT_EQ(again->attempts, 2);
  EXPECT_FALSE(store->heartbeat(1, "dead"));
  StoredTrial late = done(*again, 3);
  late.worker = "dead";
  EXPECT_FALSE(store->finish(late));
  EXPECT_TRUE(store->finish(done(*again, 4)));
}

TEST_P(Stores, WhoIsLateButWasNotReplacedMayFinish) {
  const auto store = open({.claim_lasts = std::chrono::milliseconds(50)});
  const auto trial = store->claim("slow", next_number);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_TRUE(store->finish(done(trial.value(), 1)));
}

TEST_P(Stores, WhatIsGivenBackGoesToTheNextAtOnce) {
  const auto store = open();
  ASSERT_TRUE(store->claim("one", next_number));
  store->give_back(1, "stranger");
  EXPECT_FALSE(store->claim("two", nothing));
  store->give_back(1, "one");
  const auto again = store->claim("two", next_number);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->number, 1);
  EXPECT_EQ(again->attempts, 1);
}

TEST_P(Stores, ATrialThatKillsItsWorkersIsGivenUp) {
  const auto store = open({.claim_lasts = std::chrono::milliseconds(0), .most_attempts = 2});
  ASSERT_TRUE(store->claim("one", next_number));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(store->claim("two", nothing)->number, 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(store->claim("three", nothing));
  const StoredTrial trial = store->trials()[0];
  EXPECT_EQ(trial.outcome.state, explore::TrialState::failed);
  EXPECT_THAT(trial.outcome.message, HasSubstr("2 workers died"));
}

TEST_P(Stores, AStudyThatChangedIsRefusedUnlessRedefined) {
  const auto store = open();
  ASSERT_TRUE(store->claim("me", next_number));
  const StudyHeader changed{.name = "study", .text = "new", .identity = "another factor"};
  EXPECT_THAT(error_of([&] { store->open_study(changed); }),
              HasSubstr("began with 'a factor' and now has 'another factor'"));
  store->redefine_study(changed);
  store->open_study(changed);
  EXPECT_THAT(store->trials(), SizeIs(1));
  EXPECT_EQ(store->studies()[0].text, "new");
}

TEST_P(Stores, AStudyWithoutTrialsMayStillChange) {
  const auto store = open();
  store->open_study({.name = "study", .text = "new", .identity = "another factor"});
  EXPECT_EQ(store->studies()[0].identity, "another factor");
}

TEST_P(Stores, StudiesAreApart) {
  const auto store = open();
  ASSERT_TRUE(store->claim("me", next_number));
  store->open_study({.name = "other", .text = "", .identity = ""});
  EXPECT_THAT(store->trials(), IsEmpty());
  EXPECT_EQ(store->claim("me", next_number)->number, 1);
  EXPECT_THAT(store->studies(), SizeIs(2));
}

TEST_P(Stores, AProposalThatThrowsLeavesNothing) {
  const auto store = open();
  const auto broken = [](const std::vector<StoredTrial>&) -> std::optional<StoredTrial> {
    throw InputError("no such strategy");
  };
  EXPECT_EQ(error_of([&] { (void)store->claim("me", broken); }), "error: no such strategy");
  EXPECT_THAT(store->trials(), IsEmpty());
  EXPECT_TRUE(store->claim("me", next_number));
}

// Each number once, whoever proposes: no proposal is made without having seen all others.
TEST_P(Stores, ProposalsOfManyWorkersDoNotCollide) {
  constexpr std::size_t kWorkers = 4;
  constexpr std::size_t kProposals = 40;
  const auto store = open();
  const auto until_full = [](const std::vector<StoredTrial>& all) {
    return all.size() >= kProposals ? std::nullopt : next_number(all);
  };
  std::vector<std::thread> workers;
  for (std::size_t w = 0; w < kWorkers; ++w) {
    workers.emplace_back([&, w, mine = std::shared_ptr<StudyStore>(store->another())] {
      while (const auto trial = mine->claim("w" + std::to_string(w), until_full)) {
        EXPECT_TRUE(mine->finish(done(*trial, 1)));
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  std::set<std::string> seen;
  for (const StoredTrial& trial : store->trials()) {
    EXPECT_EQ(trial.outcome.state, explore::TrialState::completed);
    EXPECT_EQ(trial.attempts, 1);
    seen.insert(trial.levels[0]);
  }
  EXPECT_THAT(seen, SizeIs(kProposals));
}

INSTANTIATE_TEST_SUITE_P(All, Stores, testing::Values("sqlite", "postgresql"), test::store_name);

}  // namespace
}  // namespace sextant::study
