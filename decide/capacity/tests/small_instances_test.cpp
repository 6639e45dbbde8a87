// The two instances that were solved by hand; their plans and totals stand in
// docs/models/capacity-planning.md.
#include <gtest/gtest.h>

#include "capacity_support.h"

namespace sextant::capacity {
namespace {

double decided(const Snapshot& snapshot, std::string_view method) {
  return cost_of(snapshot, method_of(method)->decide(snapshot)).total().value;
}

const std::vector<std::string_view> kSearches = {"milp",         "hierarchical",   "random-greedy",
                                                 "local-search", "path-relinking", "sextant"};

TEST(SmallInstances, TwoJobsOnOneNode) {
  // B, one GPU each: 1.24 USD/h for the 2.4 h of the longer job.
  for (const std::string_view method : kSearches)
    EXPECT_NEAR(decided(small_instance({}), method), 2.976, 1e-9) << method;
}

TEST(SmallInstances, PostponementIsWeighed) {
  // With rho 0.5 job 2 waits (0.5 * 1 USD/h * (1 + 2.0 - 2.0) h) while job 1 has both GPUs (1.24 * 1.6).
  for (const std::string_view method :
       {"milp", "local-search", "path-relinking", "random-greedy", "sextant"}) {
    EXPECT_NEAR(decided(small_instance({.rho = 0.5}), method), 2.484, 1e-9) << method;
  }
}

TEST(SmallInstances, ThreeJobsOnTwoNodes) {
  for (const double rho : {1.0, 2.0, 10.0}) {
    for (const std::string_view method : kSearches) {
      EXPECT_NEAR(decided(small_instance({.nodes = 2, .third = true, .rho = rho}), method), 6.076, 1e-9)
          << method << ", rho " << rho;
    }
  }
}

TEST(SmallInstances, ThreeJobsOnOneNode) {
  for (const std::string_view method : kSearches) {
    EXPECT_NEAR(decided(small_instance({.third = true}), method), 7.710, 1e-9) << method;
  }
}

TEST(SmallInstances, BoundOfTheExactMethod) {
  const Decision decision = method_of("milp")->decide(small_instance({.nodes = 2, .third = true}));
  ASSERT_TRUE(decision.bound);
  EXPECT_NEAR(*decision.bound, 6.076, 1e-6);
}

TEST(SmallInstances, OrdersOnAWholeRun) {
  // FIFO and priority: B with both GPUs for job 1 (1.984), then for job 2 (1.24), 0.6 h late.
  EXPECT_NEAR(cost_of_run(small_instance({}), "fifo"), 3.824, 1e-9);
  EXPECT_NEAR(cost_of_run(small_instance({}), "priority"), 3.824, 1e-9);
  // EDF the other way round: job 1 is 0.1 h late at 2 USD/h.
  EXPECT_NEAR(cost_of_run(small_instance({}), "edf"), 3.424, 1e-9);
  EXPECT_LE(cost_of_run(small_instance({}), "sextant"), 2.976 + 1e-9);
}

TEST(SmallInstances, VariantsOfTheNodeCost) {
  // B: paid until job 2 ends after 1.5 h; C: one hour of B.
  EXPECT_NEAR(decided(small_instance({.cost = NodeCost::first_end}), "milp"), 1.24 * 1.5, 1e-9);
  EXPECT_NEAR(decided(small_instance({.cost = NodeCost::period}), "milp"), 1.24, 1e-9);
}

}  // namespace
}  // namespace sextant::capacity
