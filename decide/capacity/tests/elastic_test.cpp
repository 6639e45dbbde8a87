#include <gtest/gtest.h>

#include "admission.h"
#include "elastic_places.h"
#include "elastic_plan.h"
#include "elastic_profile.h"
#include "sextant/capacity/method.h"

namespace sextant::capacity {
namespace {

// Twice the GPUs, 1.5 times the speed: 100 s, 66.7 s and 44.4 s.
const std::vector<ElasticLevel> kLevels = {{0, 1, 0.01}, {1, 2, 0.015}, {2, 4, 0.0225}};

TEST(FreeGpus, GivesAsFewAsEndInTime) {
  FreeGpus free(4);
  const auto loose = free.fill({.levels = kLevels, .due = 100});
  ASSERT_TRUE(loose);
  EXPECT_EQ(loose->gpus_now, 1);
  EXPECT_NEAR(loose->end, 100, 1e-9);
  const auto tight = free.fill({.levels = kLevels, .due = 70});
  ASSERT_TRUE(tight);
  EXPECT_EQ(tight->gpus_now, 2);
  EXPECT_EQ(free.now(), 1);
}

// Three GPUs are taken until 50; then two of four more than make up for the wait on one:
// 50 s x 0.01, then 0.5 / 0.015 = 33.3 s.
TEST(FreeGpus, GetsMoreWhenOthersEnd) {
  FreeGpus free(4);
  const std::vector<ElasticLevel> block = {{0, 3, 0.02}};
  ASSERT_TRUE(free.fill({.levels = block, .due = 50}));
  const auto late = free.fill({.levels = kLevels, .due = 90});
  ASSERT_TRUE(late);
  EXPECT_EQ(late->gpus_now, 1);
  EXPECT_NEAR(late->end, 50 + 0.5 / 0.015, 1e-9);
}

TEST(FreeGpus, RefusesWhatCannotEnd) {
  FreeGpus free(2);
  EXPECT_FALSE(free.fill({.levels = kLevels, .due = 60}));  // four GPUs would, but there are two
  EXPECT_EQ(free.now(), 2);
}

// One GPU does the work in 100 s and runs already. Two need 66.7 s and the restart.
TEST(FreeGpus, RestartsTakeTime) {
  FreeGpus free(4);
  EXPECT_FALSE(free.fill({.levels = {{0, 2, 0.015}}, .due = 70, .restart = 10, .current = 1}));
  const auto fill = free.fill({.levels = {{0, 2, 0.015}}, .due = 80, .restart = 10, .current = 1});
  ASSERT_TRUE(fill);
  EXPECT_NEAR(fill->end, 10 + 1 / 0.015, 1e-9);
}

// Two nodes of two GPUs; jobs of 100 s, 60 s and 40 s on one, two and four GPUs.
Snapshot two_nodes() {
  Snapshot snapshot;
  snapshot.types = {{.name = "m", .gpu = "g", .gpus = 2, .hour_price = Dollars{1}}};
  snapshot.nodes = {{.only = 0}, {.only = 0}};
  snapshot.wishes.admission = true;
  return snapshot;
}

JobState waiting_job(const std::string& id, double due, double scale = 1) {
  return {.id = id,
          .due = Seconds{due},
          .options = {{.type = 0, .gpus = 1, .time = Seconds{100 * scale}},
                      {.type = 0, .gpus = 2, .time = Seconds{60 * scale}},
                      {.type = 0, .gpus = 4, .time = Seconds{40 * scale}}}};
}

std::int32_t gpus_of(const Snapshot& snapshot, const Decision& decision, std::int32_t job) {
  for (const Assignment& assignment : decision.run) {
    if (assignment.job != job) continue;
    return snapshot.jobs[static_cast<std::size_t>(job)]
        .options[static_cast<std::size_t>(assignment.option)]
        .gpus;
  }
  return 0;
}

// Alone, a job gets all that makes it faster.
TEST(ElasticPlan, GivesAwayWhatIsLeft) {
  Snapshot snapshot = two_nodes();
  snapshot.jobs = {waiting_job("a", 1000)};
  const Decision decision = plan_elastic(snapshot, {});
  EXPECT_EQ(fault_of(snapshot, decision), "");
  EXPECT_EQ(gpus_of(snapshot, decision, 0), 4);
}

// Two jobs that need two GPUs each fit; a third that needs them at once does not, and is refused.
TEST(ElasticPlan, RefusesWhatWouldBreakAPromise) {
  Snapshot snapshot = two_nodes();
  snapshot.jobs = {waiting_job("a", 60), waiting_job("b", 60), waiting_job("c", 60)};
  snapshot.jobs[0].promised = snapshot.jobs[1].promised = true;
  const Decision decision = plan_elastic(snapshot, {});
  EXPECT_EQ(fault_of(snapshot, decision), "");
  EXPECT_EQ(decision.refused, std::vector<std::int32_t>{2});
  EXPECT_EQ(gpus_of(snapshot, decision, 0), 2);
  EXPECT_EQ(gpus_of(snapshot, decision, 1), 2);
}

// The same job with time to wait is taken.
TEST(ElasticPlan, TakesWhatCanWait) {
  Snapshot snapshot = two_nodes();
  snapshot.jobs = {waiting_job("a", 60), waiting_job("b", 60), waiting_job("c", 161)};
  const Decision decision = plan_elastic(snapshot, {});
  EXPECT_TRUE(decision.refused.empty());
  EXPECT_EQ(gpus_of(snapshot, decision, 2), 0);
}

TEST(ElasticPlan, RefusesNobodyWithoutTheWish) {
  Snapshot snapshot = two_nodes();
  snapshot.wishes.admission = false;
  snapshot.jobs = {waiting_job("a", 10)};
  const Decision decision = plan_elastic(snapshot, {});
  EXPECT_TRUE(decision.refused.empty());
  EXPECT_EQ(gpus_of(snapshot, decision, 0), 4);  // late anyway, but nobody else needs them
}

// A job ten times as large, which fits, but fills the cluster until its due date.
TEST(ElasticPlan, LargeJobsLeaveTheReserve) {
  Snapshot snapshot = two_nodes();
  for (int i = 0; i < 3; ++i) snapshot.jobs.push_back(waiting_job("small", 1000, 3.3));
  snapshot.jobs.push_back(waiting_job("large", 1000, 10));
  for (std::size_t i = 0; i < 3; ++i) snapshot.jobs[i].promised = true;
  EXPECT_TRUE(plan_elastic(snapshot, {}).refused.empty());
  EXPECT_TRUE(plan_elastic(snapshot, {.reserve = 0.4}).refused.empty());
  EXPECT_EQ(plan_elastic(snapshot, {.reserve = 0.6}).refused, std::vector<std::int32_t>{3});
}

// Where machines are rented, who is late on the fastest of them is refused, and the others are planned for as
// ever.
TEST(Admission, RefusesTheHopelessWhereMachinesAreRented) {
  Snapshot snapshot = two_nodes();
  for (NodeState& node : snapshot.nodes) node.only = kNone;
  snapshot.jobs = {waiting_job("a", 39), waiting_job("b", 1000), waiting_job("c", 10), waiting_job("d", 41)};
  const Decision decision = decide_with_admission(
      snapshot, [](const Snapshot& seen) { return plan_elastic(seen, {.reserve = 0}); });
  EXPECT_EQ(fault_of(snapshot, decision), "");
  EXPECT_EQ(decision.refused, (std::vector<std::int32_t>{0, 2}));
  EXPECT_EQ(gpus_of(snapshot, decision, 3), 4);
}

// One GPU is in use on each node; a job of two must have a whole one, so that one of them moves, and only
// one.
TEST(ElasticPlaces, MovesWhoeverIsInTheWay) {
  Snapshot snapshot = two_nodes();
  snapshot.jobs = {waiting_job("a", 1000), waiting_job("b", 1000), waiting_job("c", 1000)};
  snapshot.jobs[0].running = snapshot.jobs[1].running = 0;
  snapshot.jobs[0].shares = {{0, 1}};
  snapshot.jobs[1].shares = {{1, 1}};
  const CostModel model(snapshot);
  const std::vector<WantedPlace> wanted = {{0, 0}, {1, 0}, {2, 1}};
  const Decision decision = place_on_owned(model, wanted);
  EXPECT_EQ(fault_of(snapshot, decision), "");
  ASSERT_EQ(decision.run.size(), 3U);
  int stayed = 0;
  for (const Assignment& assignment : decision.run) {
    if (assignment.shares == snapshot.jobs[static_cast<std::size_t>(assignment.job)].shares) ++stayed;
  }
  EXPECT_EQ(stayed, 1);
}

}  // namespace
}  // namespace sextant::capacity
