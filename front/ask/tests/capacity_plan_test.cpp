#include "sextant/ask/capacity_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace sextant::ask {
namespace {

CapacityAnswer planned(CapacityQuestion question, const std::string& file) {
  static const catalog::Catalog catalog = catalog::builtin_catalog();
  question.instance = std::string(SEXTANT_SOURCE_DIR) + "/examples/capacity-plan/" + file;
  return plan_capacity(question, catalog);
}

TEST(PlanCapacity, PlansCheapestFirstWithTheGapOfTheBestBound) {
  const CapacityAnswer answer = planned({.methods = {"fifo", "milp", "sextant"}}, "two-nodes.toml");
  ASSERT_EQ(answer.plans.size(), 3U);
  // The optimum of the instance; see docs/models/capacity-planning.md.
  EXPECT_NEAR(answer.plans[0].cost.total().value, 6.076, 1e-9);
  EXPECT_NEAR(answer.plans[1].cost.total().value, 6.076, 1e-9);
  EXPECT_NEAR(answer.plans[1].gap, 0, 1e-6);
  EXPECT_EQ(answer.plans[2].method, "fifo");
  double parts = 0;
  for (const PlannedJob& job : answer.plans[0].jobs) parts += job.cost.value;
  EXPECT_NEAR(parts, 6.076, 1e-9);
}

TEST(PlanCapacity, SaysWhyAJobWaits) {
  const CapacityAnswer answer = planned({.explain = true}, "one-node.toml");
  ASSERT_EQ(answer.plans.front().postponed.size(), 1U);
  const PostponedJob& waits = answer.plans.front().postponed.front();
  EXPECT_EQ(waits.job, "2");
  EXPECT_NEAR(waits.cost.value, 2, 1e-9);  // rho 2, 1 USD/h, 1 h + 2 h - 2 h late
  EXPECT_EQ(waits.remedy, "one more node");
}

TEST(PlanCapacity, NamesTheTightestConstraint) {
  const CapacityAnswer answer = planned({.budget = "0.3 USD/h"}, "two-nodes.toml");
  EXPECT_THAT(answer.tightest, testing::HasSubstr("`budget` is the tightest constraint"));
  EXPECT_TRUE(planned({}, "two-nodes.toml").tightest.empty());
}

// A plan of one file that is written here.
CapacityAnswer planned_text(const std::string& name, const std::string& text) {
  static const catalog::Catalog catalog = catalog::builtin_catalog();
  const std::string path = testing::TempDir() + name;
  std::ofstream(path) << text;
  return plan_capacity({.instance = path, .explain = true}, catalog);
}

TEST(PlanCapacity, LatenessThatCostsNothingIsSaid) {
  const CapacityAnswer answer =
      planned_text("free.toml",
                   "[[machine]]\nname = \"A\"\ngpu = \"K80\"\nprice = \"1 USD/h\"\n[[node]]\ncount = 2\n"
                   "[[job]]\nid = \"free\"\ndue = \"3 h\"\ntime = [{ machine = \"A\", time = \"2 h\" }]\n"
                   "[[job]]\nid = \"dear\"\ndue = \"2 h\"\ntardiness = \"9 USD/h\"\n"
                   "time = [{ machine = \"A\", time = \"2 h\" }]\n");
  ASSERT_EQ(answer.notes.size(), 1U);
  EXPECT_THAT(answer.notes.front(), testing::HasSubstr("job 'free' has a due date and no `tardiness`"));
  ASSERT_EQ(answer.plans.front().postponed.size(), 1U);
  EXPECT_EQ(answer.plans.front().postponed.front().remedy, "a due date and a cost of tardiness");
}

TEST(PlanCapacity, NetworksThatFitNowhereSayWhatIsMissing) {
  try {
    planned_text(
        "large.toml",
        "[[machine]]\nid = \"aws/p3.2xlarge\"\n[[node]]\n[[job]]\nid = \"x\"\nnetwork = \"llama-3-8b\"\n"
        "samples = 100\n");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.where().line, 6);
    EXPECT_THAT(error.message(), testing::HasSubstr("does not fit the memory of any machine type here"));
    EXPECT_THAT(error.hint(), testing::HasSubstr("bf16"));
  }
}

TEST(PlanCapacity, NetworksArePredictedWithTheirIntervals) {
  const CapacityAnswer answer = planned({}, "networks.toml");
  ASSERT_FALSE(answer.plans.front().jobs.empty());
  for (const PlannedJob& job : answer.plans.front().jobs) {
    ASSERT_TRUE(job.late_end);
    EXPECT_GT(*job.late_end, job.end);
    EXPECT_LE(job.gpus, 4);
  }
}

TEST(PlanCapacity, WrongFieldsAreNamed) {
  EXPECT_THROW(planned({.risk = 0.9}, "two-nodes.toml"), InputError);
  EXPECT_THROW(planned({.methods = {"sextnat"}}, "two-nodes.toml"), InputError);
}

}  // namespace
}  // namespace sextant::ask
