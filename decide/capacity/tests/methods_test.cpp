// What holds for every method.
#include <gtest/gtest.h>

#include <algorithm>

#include "capacity_support.h"

namespace sextant::capacity {
namespace {

constexpr std::uint64_t kSeeds = 12;

class PlanningMethods : public testing::TestWithParam<std::string> {
 protected:
  static Decision decide(const Snapshot& snapshot) { return method_of(GetParam())->decide(snapshot); }
  static void expect_possible(const Snapshot& snapshot) {
    EXPECT_EQ(fault_of(snapshot, decide(snapshot)), "");
  }
};

bool operator_equal(const Decision& a, const Decision& b) {
  if (a.nodes != b.nodes || a.run.size() != b.run.size() || a.refused != b.refused) return false;
  for (std::size_t i = 0; i < a.run.size(); ++i) {
    if (a.run[i].job != b.run[i].job || a.run[i].option != b.run[i].option ||
        a.run[i].shares != b.run[i].shares) {
      return false;
    }
  }
  return true;
}

TEST_P(PlanningMethods, DecisionsCanBeCarriedOut) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Snapshot snapshot = random_instance(seed);
    for (const NodeCost cost : {NodeCost::makespan, NodeCost::first_end, NodeCost::period}) {
      snapshot.wishes.cost = cost;
      SCOPED_TRACE(seed);
      expect_possible(snapshot);
    }
  }
}

TEST_P(PlanningMethods, SameInputsSameDecision) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Snapshot snapshot = random_instance(seed);
    EXPECT_TRUE(operator_equal(decide(snapshot), decide(snapshot))) << seed;
  }
}

TEST_P(PlanningMethods, BudgetAndPowerAreKept) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Snapshot snapshot = random_instance(seed);
    for (MachineType& type : snapshot.types) {
      type.idle = Watts{100};
      type.busy = Watts{250};
    }
    snapshot.wishes.budget = Dollars{2.5} / kHour;
    SCOPED_TRACE(seed);
    expect_possible(snapshot);
    snapshot.wishes.power = Watts{900};
    expect_possible(snapshot);
    snapshot.wishes.budget = DollarRate{0};
    EXPECT_TRUE(decide(snapshot).run.empty());
  }
}

TEST_P(PlanningMethods, RunningJobsAndNodesThatAreDown) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Snapshot snapshot = random_instance(seed);
    const Decision first = decide(snapshot);
    for (const Assignment& assignment : first.run) {
      JobState& job = snapshot.jobs[static_cast<std::size_t>(assignment.job)];
      job.running = assignment.option;
      job.shares = assignment.shares;
    }
    for (std::size_t n = 0; n < first.nodes.size(); ++n) snapshot.nodes[n].type = first.nodes[n];
    SCOPED_TRACE(seed);
    expect_possible(snapshot);
    snapshot.nodes.back().down = true;
    snapshot.nodes.back().type = kNone;
    expect_possible(snapshot);
  }
}

TEST_P(PlanningMethods, JobsThatFitNowhereWait) {
  Snapshot snapshot = small_instance({});
  snapshot.jobs.front().options.clear();
  const Decision decision = decide(snapshot);
  EXPECT_EQ(fault_of(snapshot, decision), "");
  ASSERT_EQ(decision.run.size(), 1U);
  EXPECT_EQ(decision.run.front().job, 1);
}

TEST_P(PlanningMethods, NothingToDo) {
  Snapshot snapshot = small_instance({});
  snapshot.jobs.clear();
  EXPECT_TRUE(decide(snapshot).run.empty());
  snapshot = small_instance({.nodes = 0});
  EXPECT_TRUE(decide(snapshot).run.empty());
}

TEST_P(PlanningMethods, JobsOverSeveralNodes) {
  // One job that needs two whole machines of type B, and two of the small instance beside it.
  Snapshot snapshot = small_instance({.nodes = 3});
  JobState wide{.id = "wide", .due = 10 * kHour, .tardiness = Dollars{5} / kHour};
  wide.options = {{.type = 1, .gpus = 4, .time = 3 * kHour}};
  snapshot.jobs.push_back(wide);
  const Decision decision = decide(snapshot);
  EXPECT_EQ(fault_of(snapshot, decision), "");
}

TEST(ExactMethod, IsNeverWorse) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Snapshot snapshot = random_instance(seed);
    for (const NodeCost cost : {NodeCost::makespan, NodeCost::first_end, NodeCost::period}) {
      snapshot.wishes.cost = cost;
      const Decision exact = method_of("milp")->decide(snapshot);
      const double least = cost_of(snapshot, exact).total().value;
      ASSERT_TRUE(exact.bound);
      EXPECT_NEAR(*exact.bound, least, 1e-4 * (1 + least)) << seed;
      for (const MethodInfo& method : methods().all()) {
        const Decision other = method_of(method.id)->decide(snapshot);
        EXPECT_LE(least, cost_of(snapshot, other).total().value + 1e-6) << method.id << ", seed " << seed;
      }
    }
  }
}

std::vector<std::string> ids() {
  std::vector<std::string> all;
  for (const MethodInfo& method : methods().all()) all.push_back(method.id);
  return all;
}

std::string test_name(const testing::TestParamInfo<std::string>& method) {
  std::string name = method.param;
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, PlanningMethods, testing::ValuesIn(ids()), test_name);

}  // namespace
}  // namespace sextant::capacity
