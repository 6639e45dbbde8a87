// What is wished for beyond the cheapest plan, and what the model makes of it.
#include <gtest/gtest.h>

#include <cmath>

#include "capacity_support.h"

namespace sextant::capacity {
namespace {

Snapshot one_job(const JobState& job) {
  Snapshot snapshot = small_instance({});
  snapshot.jobs = {job};
  return snapshot;
}

JobState two_ways() {
  // On time by the median with one GPU (2.0 h of 2.2 h), surely with two.
  JobState job{.id = "x", .due = 2.2 * kHour, .tardiness = Dollars{5} / kHour};
  job.options = {{.type = 1, .gpus = 1, .time = 2.0 * kHour, .spread = 0.2},
                 {.type = 1, .gpus = 2, .time = 1.5 * kHour, .spread = 0.2}};
  return job;
}

TEST(Wishes, RiskBuysTime) {
  for (const char* method : {"milp", "greedy", "local-search", "sextant"}) {
    Snapshot snapshot = one_job(two_ways());
    // Paid by the GPU, so that one is cheaper than two: 2.48 and 3.72 USD. With one the lateness to expect is
    // 0.4 USD, with two next to nothing.
    snapshot.types[1].gpus = 1;
    snapshot.types.push_back({.name = "B2", .gpu = "M60", .gpus = 2, .hour_price = Dollars{2.48}});
    snapshot.jobs.front().options[1].type = 2;
    EXPECT_EQ(method_of(method)->decide(snapshot).run.front().option, 0) << method;
    snapshot.wishes.risk = 0.05;  // 2.0 h * exp(1.645 * 0.2) = 2.78 h, 2.9 USD; 1.5 h become 2.08 h
    EXPECT_EQ(method_of(method)->decide(snapshot).run.front().option, 1) << method;
  }
}

TEST(Wishes, QuantileOfTheTime) {
  Snapshot snapshot = one_job(two_ways());
  snapshot.wishes.risk = 0.05;
  const Decision decision{.nodes = {1}, .run = {{.job = 0, .option = 0, .shares = {{0, 1}}}}};
  const double late_h = 2.0 * std::exp(1.6448536 * 0.2) - 2.2;
  EXPECT_NEAR(cost_of(snapshot, decision).tardiness.value, 5 * late_h, 1e-4);
}

// E max(0, T - 2.2 h) of a log-normal T, by the trapezoidal rule over its normal.
TEST(Wishes, ExpectedTardinessIsPriced) {
  const Snapshot snapshot = one_job(two_ways());
  const Decision decision{.nodes = {1}, .run = {{.job = 0, .option = 0, .shares = {{0, 1}}}}};
  double late_h = 0;
  constexpr double kStep = 1e-3;
  for (double z = -8; z < 8; z += kStep) {
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::acos(-1.0));
    late_h += kStep * density * std::max(0.0, 2.0 * std::exp(0.2 * z) - 2.2);
  }
  EXPECT_NEAR(late_h, 0.09, 0.02);
  EXPECT_NEAR(cost_of(snapshot, decision).tardiness.value, 5 * late_h, 1e-4);
}

TEST(Wishes, RestartsKeepJobsInPlace) {
  // Job 1 runs on B with two GPUs. Without a cost of restarts, job 2 joins it; with one of ten hours it does
  // not.
  Snapshot snapshot = small_instance({});
  snapshot.jobs[0].running = 3;
  snapshot.jobs[0].shares = {{0, 2}};
  snapshot.nodes.front().type = 1;
  EXPECT_EQ(method_of("milp")->decide(snapshot).run.size(), 2U);
  snapshot.jobs[0].restart = 10 * kHour;
  const Decision decision = method_of("milp")->decide(snapshot);
  ASSERT_EQ(decision.run.size(), 1U);
  EXPECT_EQ(decision.run.front().option, 3);
}

TEST(Wishes, MinimumBillingAndEnergy) {
  Snapshot snapshot = one_job(two_ways());
  const Decision decision{.nodes = {1}, .run = {{.job = 0, .option = 1, .shares = {{0, 2}}}}};
  EXPECT_NEAR(cost_of(snapshot, decision).nodes.value, 1.24 * 1.5, 1e-9);
  snapshot.types[1].minimum_billing = 3 * kHour;
  EXPECT_NEAR(cost_of(snapshot, decision).nodes.value, 1.24 * 3, 1e-9);
  snapshot.types[1].minimum_billing = {};
  snapshot.types[1].idle = Watts{100};
  snapshot.types[1].busy = Watts{200};
  snapshot.wishes.energy_price = Dollars{0.3};
  snapshot.wishes.carbon_kg_per_kwh = 0.5;
  snapshot.wishes.carbon_price = Dollars{0.1};
  // (100 W + 2 * 200 W) for 1.5 h at 0.3 + 0.5 * 0.1 USD/kWh.
  EXPECT_NEAR(cost_of(snapshot, decision).nodes.value, 1.24 * 1.5 + 0.75 * 0.35, 1e-9);
}

TEST(Wishes, SpotLossesTakeTime) {
  Snapshot snapshot = one_job(two_ways());
  snapshot.jobs.front().restart = Seconds{360};
  snapshot.types[1].losses_per_hour = 1;
  const Decision decision{.nodes = {1}, .run = {{.job = 0, .option = 1, .shares = {{0, 2}}}}};
  // One loss an hour, a tenth of an hour each.
  EXPECT_NEAR(cost_of(snapshot, decision).nodes.value, 1.24 * 1.5 * 1.1, 1e-9);
}

TEST(Wishes, FaultsAreNamed) {
  const Snapshot snapshot = small_instance({});
  EXPECT_EQ(fault_of(snapshot, {.nodes = {}}), "the decision has another number of nodes");
  EXPECT_EQ(fault_of(snapshot, {.nodes = {1}, .run = {{.job = 0, .option = 0, .shares = {{0, 1}}}}}),
            "job 1 is on a node of another machine type");
  EXPECT_EQ(fault_of(snapshot, {.nodes = {1}, .run = {{.job = 0, .option = 3, .shares = {{0, 1}}}}}),
            "job 1 does not have the GPUs of its option");
  EXPECT_EQ(fault_of(snapshot, {.nodes = {1},
                                .run = {{.job = 0, .option = 3, .shares = {{0, 2}}},
                                        {.job = 1, .option = 2, .shares = {{0, 1}}}}}),
            "node 0 has fewer GPUs than its jobs use");
}

}  // namespace
}  // namespace sextant::capacity
