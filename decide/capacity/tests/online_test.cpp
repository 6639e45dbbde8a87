#include "sextant/capacity/online.h"

#include <gtest/gtest.h>

#include "online_support.h"
#include "sextant/capacity/online_sweep.h"

namespace sextant::capacity {
namespace {

using namespace test;  // NOLINT(google-build-using-namespace): workloads and scripts of this module's tests

OnlineResult run_fifo(const Workload& workload, OnlineOptions options = {}) {
  options.method = parse_method("fifo");
  return run_online(workload, options);
}

// 100 s at 0.001 USD/s; 50 s late at 0.01 USD/s.
TEST(Online, PaysRentAndLateness) {
  const OnlineResult result = run_fifo(workload_of({job_of("a", 1000, 1050)}));
  EXPECT_NEAR(result.machines.value, 0.1, 1e-12);
  EXPECT_NEAR(result.tardiness_cost.value, 0.5, 1e-9);
  EXPECT_NEAR(result.total().value, 0.6, 1e-9);
  EXPECT_EQ(result.late, 1);
  EXPECT_EQ(result.met, 0);
  EXPECT_NEAR(result.jobs[0].end.value, 1100, 1e-6);
}

// The second waits until 100 and ends at 200, 30 s late; the node is on all the time.
TEST(Online, JobsThatFindNoNodeWait) {
  const OnlineResult result = run_fifo(workload_of({job_of("a", 0, 100), job_of("b", 10, 170)}));
  EXPECT_NEAR(result.machines.value, 0.2, 1e-12);
  EXPECT_NEAR(result.tardiness.value, 30, 1e-6);
  EXPECT_EQ(result.met, 1);
  EXPECT_NEAR(result.jobs[1].start.value, 100, 1e-6);
}

// Between 100 and 1000 nothing is on.
// Two jobs that may run on the second node alone, one after the other.
TEST(Online, BoundJobsKeepToTheirNodes) {
  Workload workload = workload_of({job_of("a", 0, 1000), job_of("b", 0, 1000)}, 2);
  for (WorkloadJob& job : workload.jobs) job.nodes = {1};
  for (const char* method : {"fifo", "greedy", "sextant"}) {
    const OnlineResult result = run_online(workload, {.method = parse_method(method), .history = true});
    for (const Stay& stay : result.stays) EXPECT_EQ(stay.node, 1) << method;
    EXPECT_EQ(result.completed, 2) << method;
    EXPECT_NEAR(result.end.value, 200, 1e-6) << method;
  }
}

TEST(Online, IdleNodesAreGivenBack) {
  const OnlineResult result = run_fifo(workload_of({job_of("a", 0, 100), job_of("b", 1000, 1200)}));
  EXPECT_NEAR(result.machines.value, 0.2, 1e-12);
}

TEST(Online, ShortRentIsBilledToTheMinimum) {
  MachineType machine = cheap_machine();
  machine.minimum_billing = Seconds{3600};
  const OnlineResult result = run_fifo(workload_of({job_of("a", 0, 100)}, 1, machine));
  EXPECT_NEAR(result.machines.value, 3.6, 1e-9);
}

// An hour on one of two GPUs: 100 W of the machine and 50 W of the GPU are 0.15 kWh.
TEST(Online, EnergyAndCarbonArePaid) {
  MachineType machine = cheap_machine(2);
  machine.idle = Watts{100};
  machine.busy = Watts{50};
  OnlineOptions options;
  options.wishes.energy_price = Dollars{0.2};
  options.wishes.carbon_kg_per_kwh = 0.4;
  options.wishes.carbon_price = Dollars{0.1};
  const OnlineResult result = run_fifo(workload_of({job_of("a", 0, 1e4, 3600)}, 1, machine), options);
  EXPECT_NEAR(result.energy.value, 0.15 * 3.6e6, 1);
  EXPECT_NEAR(result.carbon_kg, 0.06, 1e-9);
  EXPECT_NEAR(result.energy_cost.value, 0.15 * 0.2 + 0.06 * 0.1, 1e-9);
}

// 40 s done, 10 s of restart, 60 s left: it ends at 110, and both nodes are paid for their part.
TEST(Online, MovingCostsARestart) {
  const Script script = [](const Snapshot& snapshot) {
    return snapshot.now < Seconds{40} ? on_node(snapshot, 0, 40) : on_node(snapshot, 1);
  };
  OnlineOptions options{.method = scripted(script), .restart = Seconds{10}, .history = true};
  const OnlineResult result = run_online(workload_of({job_of("a", 0, 100)}, 2), options);
  EXPECT_NEAR(result.jobs[0].end.value, 110, 1e-6);
  EXPECT_EQ(result.restarts, 1);
  EXPECT_NEAR(result.machines.value, 0.11, 1e-9);
  ASSERT_EQ(result.stays.size(), 4U);  // two of the job, two of nodes
  EXPECT_EQ(result.stays[0].node, 0);
  EXPECT_NEAR(result.stays[0].end.value, 40, 1e-6);
  EXPECT_EQ(result.stays[3].job, kNone);
}

// How fast a job is shows with its first progress; what the method sees then is what remains.
TEST(Online, SlowJobsAreEstimatedAnew) {
  std::vector<double> seen;
  std::vector<double> spreads;
  const Script script = [&](const Snapshot& snapshot) {
    seen.push_back(snapshot.jobs[0].options[0].time.value);
    spreads.push_back(snapshot.jobs[0].options[0].spread);
    return on_node(snapshot, 0, seen.size() == 1 ? 10 : std::numeric_limits<double>::infinity());
  };
  const OnlineOptions options{.method = scripted(script), .ticks = false, .error = 0.5};
  const OnlineResult result = run_online(workload_of({job_of("a", 0, 100)}), options);
  ASSERT_GE(seen.size(), 2U);
  EXPECT_EQ(seen[0], 100);
  EXPECT_EQ(spreads[0], 0.5);
  EXPECT_NEAR(seen[1], result.jobs[0].end.value - 10, 1e-6);
  EXPECT_EQ(spreads[1], 0);
  EXPECT_NE(result.jobs[0].end.value, 100);
}

// Each loss stops the job, which keeps its progress and pays a restart.
TEST(Online, SpotMachinesAreTakenBack) {
  MachineType machine = cheap_machine();
  machine.losses_per_hour = 60;
  OnlineOptions options{.seed = 3, .restart = Seconds{5}};
  const OnlineResult result = run_fifo(workload_of({job_of("a", 0, 1e6, 1000)}, 1, machine), options);
  EXPECT_GT(result.losses, 3);
  EXPECT_EQ(result.restarts, result.losses);
  EXPECT_EQ(result.completed, 1);
  EXPECT_GT(result.jobs[0].end.value, 1000 + 5);
}

// Without another node, the job waits for the repair.
TEST(Online, BrokenNodesComeBack) {
  OnlineOptions options{.seed = 1, .faults = {"crash:mtbf=100s:mttr=50s"}};
  const OnlineResult result = run_fifo(workload_of({job_of("a", 0, 1e6, 1000)}), options);
  EXPECT_GT(result.losses, 0);
  EXPECT_EQ(result.completed, 1);
  EXPECT_GT(result.jobs[0].end.value, 1000);
}

TEST(Online, RefusedJobsAreMissedAndCostNothing) {
  const Script script = [](const Snapshot& snapshot) {
    return Decision{.nodes = std::vector<std::int32_t>(snapshot.nodes.size(), kNone), .refused = {0}};
  };
  OnlineOptions options{.method = scripted(script)};
  options.wishes.admission = true;
  const OnlineResult result = run_online(workload_of({job_of("a", 0, 100)}), options);
  EXPECT_EQ(result.refused, 1);
  EXPECT_EQ(result.met, 0);
  EXPECT_EQ(result.total().value, 0);
  EXPECT_EQ(result.jobs[0].fate, JobFate::refused);
}

// A method that starts nobody ends the run rather than keeping it going for ever.
TEST(Online, JobsThatNeverStartAreUnfinished) {
  const Script script = [](const Snapshot& snapshot) {
    return Decision{.nodes = std::vector<std::int32_t>(snapshot.nodes.size(), kNone)};
  };
  const OnlineOptions options{.method = scripted(script)};
  const OnlineResult result = run_online(workload_of({job_of("a", 0, 100)}), options);
  EXPECT_EQ(result.unfinished, 1);
  EXPECT_EQ(result.met, 0);
}

// The first job comes at 0 and is decided at once; the second comes at 70, and is seen at 120.
TEST(Online, SlotsDelayDecisions) {
  OnlineOptions options{.slot = Seconds{60}};
  const OnlineResult result = run_fifo(workload_of({job_of("a", 0, 1e4), job_of("b", 70, 1e4)}, 2), options);
  EXPECT_NEAR(result.jobs[0].start.value, 0, 1e-9);
  EXPECT_NEAR(result.jobs[1].start.value, 120, 1e-9);
}

TEST(Online, ImpossibleDecisionsAreABug) {
  const Script script = [](const Snapshot& snapshot) {
    Decision decision = on_node(snapshot, 0);
    decision.nodes[0] = kNone;
    return decision;
  };
  const OnlineOptions options{.method = scripted(script)};
  EXPECT_THROW(run_online(workload_of({job_of("a", 0, 100)}), options), std::logic_error);
}

TEST(OnlineSweep, IsTheSameOnAnyNumberOfThreads) {
  OnlineSweepPlan plan;
  plan.workloads = {workload_of({job_of("a", 0, 100), job_of("b", 5, 150)}),
                    workload_of({job_of("c", 0, 50)}, 2)};
  plan.methods = {parse_method("fifo"), parse_method("edf")};
  plan.run.error = 0.3;
  plan.seeds = 3;
  NoProgress quiet;
  plan.threads = 1;
  const auto alone = sweep_online(plan, quiet);
  plan.threads = 4;
  const auto together = sweep_online(plan, quiet);
  ASSERT_EQ(alone.size(), 12U);
  for (std::size_t i = 0; i < alone.size(); ++i) {
    EXPECT_TRUE(alone[i].done);
    EXPECT_EQ(alone[i].result.total().value, together[i].result.total().value);
    EXPECT_EQ(alone[i].seed, together[i].seed);
    EXPECT_EQ(alone[i].workload, i / 6);
  }
}

TEST(OnlineSweep, StopsBetweenRuns) {
  OnlineSweepPlan plan;
  plan.workloads = {workload_of({job_of("a", 0, 100)})};
  plan.methods = {parse_method("fifo")};
  const std::atomic<bool> stop = true;
  plan.stop.finish = &stop;
  NoProgress quiet;
  EXPECT_FALSE(sweep_online(plan, quiet)[0].done);
}

}  // namespace
}  // namespace sextant::capacity
