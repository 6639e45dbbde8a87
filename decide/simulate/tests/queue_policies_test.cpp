// Policies that are more than an order, in whole runs: the worked examples on the engine's clock, and laws
// over random traces with crashes and several types.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "engine_support.h"
#include "sextant/core/rng.h"
#include "sextant/simulate/metrics.h"

namespace sextant::simulate {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

constexpr const char* kPolicies[] = {"easy-backfill", "conservative-backfill", "drf",
                                     "tiresias",      "tiresias:promote=2",    "gittins"};

std::vector<double> starts(const RunResult& run) {
  std::vector<double> times;
  for (const JobOutcome& job : run.jobs) times.push_back(job.start.value);
  return times;
}

TEST(QueuePolicies, BackfillExample) {
  const clusters::Cluster cluster = hand_cluster({{.type = "gpu", .gpus = 4, .per_node = 4}});
  const JobSet jobs = hand_jobs(cluster, {{.arrival_s = 0, .work = 10, .gpus = 3},
                                          {.arrival_s = 1, .work = 5, .gpus = 4},
                                          {.arrival_s = 2, .work = 8, .gpus = 1},
                                          {.arrival_s = 3, .work = 2, .gpus = 1}});
  EXPECT_THAT(starts(simulate(jobs, cluster, with_policy("fifo"))), ElementsAre(0, 10, 15, 15));
  EXPECT_THAT(starts(simulate(jobs, cluster, with_policy("easy-backfill"))), ElementsAre(0, 10, 2, 15));
  EXPECT_THAT(starts(simulate(jobs, cluster, with_policy("conservative-backfill"))),
              ElementsAre(0, 10, 2, 15));
}

TEST(QueuePolicies, TiresiasExample) {
  const clusters::Cluster cluster = one_gpu();
  const JobSet jobs = hand_jobs(cluster, {{0, 8}, {1, 4}, {2, 9}, {3, 5}});
  const RunResult run = simulate(jobs, cluster, with_policy("tiresias:limit1=4:limit2=inf"));
  EXPECT_THAT(jct_of(run, jobs), ElementsAre(DoubleNear(20, 1e-5), DoubleNear(7, 1e-5), DoubleNear(23, 1e-5),
                                             DoubleNear(23, 1e-5)));
  EXPECT_NEAR(measure_run(run, jobs, cluster).mean_jct.value, 18.25, 1e-5);
}

// Start-up makes a running job end later than its work says; the reservation follows what the view shows.
TEST(QueuePolicies, BackfillSeesStartUpOfRunningJobs) {
  const clusters::Cluster cluster = hand_cluster({{.type = "gpu", .gpus = 4, .per_node = 4}});
  const JobSet jobs = hand_jobs(cluster, {{.arrival_s = 0, .work = 10, .gpus = 3},
                                          {.arrival_s = 1, .work = 5, .gpus = 4},
                                          {.arrival_s = 2, .work = 9, .gpus = 1}});
  RunOptions options = with_policy("easy-backfill");
  options.startup =
      Seconds{1};  // the first ends at 11, so 2 + 9 <= 11; the third, with its own start-up, at 12
  EXPECT_THAT(starts(simulate(jobs, cluster, options)), ElementsAre(0, 12, 2));
}

JobSet random_set(const clusters::Cluster& cluster, Rng rng, int count) {
  std::vector<HandJob> list;
  double now = 0;
  for (int i = 0; i < count; ++i) {
    now += rng.exponential(60);
    const double work = 1 + rng.exponential(600);
    const auto gpus = static_cast<std::int32_t>(1U << rng.below(4));
    list.push_back({.arrival_s = now, .work = work, .gpus = gpus});
  }
  JobSet jobs = hand_jobs(cluster, list);
  for (SimJob& job : jobs.jobs) job.user = static_cast<std::int32_t>(rng.below(5));
  return jobs;
}

TEST(QueuePolicies, EverybodyEndsInSpiteOfCrashes) {
  const clusters::Cluster cluster = hand_cluster(
      {{.type = "fast", .gpus = 16, .per_node = 4, .speed = 3}, {.type = "slow", .gpus = 20, .per_node = 4}});
  for (const char* policy : kPolicies) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const JobSet jobs = random_set(cluster, Rng(seed).stream("jobs"), 200);
      RunOptions options = with_policy(policy);
      options.faults = {"crash:mtbf=2h:mttr=10min"};
      options.checkpoint = {.rule = CheckpointRule::young, .cost = Seconds{5}};
      options.restart = Seconds{20};
      options.seed = seed;
      const RunResult run = simulate(jobs, cluster, options);
      EXPECT_TRUE(unfinished_jobs(run).empty()) << policy;
      EXPECT_EQ(completions(run), completions(simulate(jobs, cluster, options))) << policy;
    }
  }
}

TEST(QueuePolicies, ACrashThatNeverComesChangesNothing) {
  const clusters::Cluster cluster = hand_cluster({{.type = "gpu", .gpus = 16, .per_node = 4}});
  const JobSet jobs = random_set(cluster, Rng(3).stream("jobs"), 200);
  for (const char* policy : kPolicies) {
    RunOptions options = with_policy(policy);
    const std::vector<double> without = completions(simulate(jobs, cluster, options));
    options.faults = {"crash:mtbf=inf"};
    EXPECT_EQ(completions(simulate(jobs, cluster, options)), without) << policy;
  }
}

// On sizes that vary much, what runs short jobs first without knowing them beats first come, first served,
// and backfilling never does worse than leaving GPUs idle. Means over seeds, so that no single trace decides.
TEST(QueuePolicies, OrderOfMeanCompletionTimes) {
  const clusters::Cluster cluster = hand_cluster({{.type = "gpu", .gpus = 16, .per_node = 8}});
  std::map<std::string, double> sums;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Rng rng = Rng(seed).stream("heavy");
    std::vector<HandJob> list;
    double now = 0;
    for (int i = 0; i < 300; ++i) {
      now += rng.exponential(400);
      const double work = 60 * std::pow(10.0, 2.5 * rng.uniform());
      const auto gpus = static_cast<std::int32_t>(1U << rng.below(4));
      list.push_back({.arrival_s = now, .work = work, .gpus = gpus});
    }
    const JobSet jobs = hand_jobs(cluster, list);
    for (const char* policy : {"fifo", "easy-backfill", "conservative-backfill", "tiresias", "gittins"}) {
      sums[policy] +=
          measure_run(simulate(jobs, cluster, with_policy(policy)), jobs, cluster).mean_jct.value / 5;
    }
  }
  EXPECT_LT(sums["easy-backfill"], sums["fifo"]);
  EXPECT_LT(sums["conservative-backfill"], sums["fifo"]);
  EXPECT_LT(sums["tiresias"], sums["easy-backfill"]);
  EXPECT_LT(sums["gittins"], sums["easy-backfill"]);
  for (const auto& [policy, mean_jct] : sums) RecordProperty(policy, std::to_string(mean_jct));
}

}  // namespace
}  // namespace sextant::simulate
