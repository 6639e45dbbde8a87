// Outages, crashes and checkpoints, by hand and as laws.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine_scripts.h"
#include "engine_support.h"

namespace sextant::simulate {
namespace {

using ::testing::ElementsAre;

ScriptedRun fifo_with(std::vector<Outage> outages, const CheckpointPlan& plan = {}) {
  ScriptedRun script{.options = with_policy("fifo"), .outages = std::move(outages)};
  script.options.checkpoint = plan;
  return script;
}

TEST(EngineFaults, CrashWithoutCheckpointsLosesEverythingSinceTheStart) {
  const JobSet set = hand_jobs(one_gpu(), {{.arrival_s = 0, .work = 10}});
  ScriptedRun script = fifo_with({{.at_s = 4, .until_s = 7}});
  script.options.restart = Seconds{1};
  script.options.segments = true;
  const RunResult run = run_script(set, one_gpu(), script);
  // 4 s lost, 3 s down, 1 s to restart, 10 s of work.
  EXPECT_THAT(completions(run), ElementsAre(18));
  EXPECT_EQ(run.jobs[0].crashes, 1);
  EXPECT_EQ(run.jobs[0].preemptions, 0);
  EXPECT_DOUBLE_EQ(run.jobs[0].lost.value, 4);
  EXPECT_DOUBLE_EQ(run.jobs[0].overhead.value, 1);
  EXPECT_DOUBLE_EQ(run.jobs[0].executed.value, 15);
  EXPECT_DOUBLE_EQ(run.pools[0].down, 3);
  EXPECT_DOUBLE_EQ(run.pools[0].lost, 4);
  EXPECT_DOUBLE_EQ(run.pools[0].productive, 10);
  EXPECT_EQ(run.segments[0].why, 'c');
}

TEST(EngineFaults, CheckpointsKeepWhatWasWritten) {
  // 2 s of compute, 0.5 s to write: at 6, two are complete (2.5, 5), 1 s since is undone: 0.8 of compute.
  const JobSet set = hand_jobs(one_gpu(), {{.arrival_s = 0, .work = 10}});
  const CheckpointPlan plan{.rule = CheckpointRule::fixed, .every = Seconds{2}, .cost = Seconds{0.5}};
  const RunResult run = run_script(set, one_gpu(), fifo_with({{.at_s = 6, .until_s = 6}}, plan));
  // 6 units remain, at 0.8 units a second.
  EXPECT_NEAR(run.jobs[0].completion.value, 6 + 6 / 0.8, 1e-9);
  EXPECT_NEAR(run.jobs[0].lost.value, 0.8, 1e-9);
  EXPECT_NEAR(run.jobs[0].overhead.value, 0.2 * 13.5, 1e-9);
}

TEST(EngineFaults, CheckpointsCostTimeWithoutFaultsToo) {
  RunOptions options = with_policy("fifo");
  options.checkpoint = {.rule = CheckpointRule::fixed, .every = Seconds{9}, .cost = Seconds{1}};
  const JobSet set = hand_jobs(one_gpu(), {{.arrival_s = 0, .work = 90}});
  EXPECT_NEAR(simulate(set, one_gpu(), options).jobs[0].completion.value, 100, 1e-9);
  // Young and Daly write none where nothing fails.
  options.checkpoint.rule = CheckpointRule::daly;
  EXPECT_NEAR(simulate(set, one_gpu(), options).jobs[0].completion.value, 90, 1e-9);
}

TEST(EngineFaults, YoungsIntervalFromTheFaultsThemselves) {
  // The scripted fault has a mean time of 1000 s, so sqrt(2 * 5 * 1000) = 100 s of compute for 5 s of
  // writing.
  const JobSet set = hand_jobs(one_gpu(), {{.arrival_s = 0, .work = 1000}});
  const CheckpointPlan plan{.rule = CheckpointRule::young, .cost = Seconds{5}};
  const RunResult run = run_script(set, one_gpu(), fifo_with({{.at_s = 220, .until_s = 220}}, plan));
  // Two complete at 210: 200 done; 800 remain at 100/105 units a second.
  EXPECT_NEAR(run.jobs[0].completion.value, 220 + 800 * 1.05, 1e-6);
}

TEST(EngineFaults, PreemptionSavesProgress) {
  const JobSet set = hand_jobs(one_gpu(), {{.arrival_s = 0, .work = 10}, {.arrival_s = 4, .work = 1}});
  ScriptedRun script = fifo_with({{.at_s = 8, .until_s = 8}});
  script.options.policy = schedule::parse_policy("srtf");
  const RunResult run = run_script(set, one_gpu(), script);
  // Stopped at 4 with 4 done, on again at 5; the crash at 8 undoes 3 s, and 6 remain.
  EXPECT_THAT(completions(run), ElementsAre(14, 5));
  EXPECT_DOUBLE_EQ(run.jobs[0].lost.value, 3);
}

TEST(EngineFaults, AGangFallsWithAnyOfItsNodes) {
  // 4 GPUs on two nodes; only node 0 fails, and the job on node 2 does not notice.
  const clusters::Cluster cluster = hand_cluster({{.type = "gpu", .gpus = 6, .per_node = 2}});
  const JobSet set =
      hand_jobs(cluster, {{.arrival_s = 0, .work = 10, .gpus = 4}, {.arrival_s = 0, .work = 10, .gpus = 2}});
  const RunResult run = run_script(set, cluster, fifo_with({{.at_s = 5, .until_s = 6}}));
  EXPECT_THAT(completions(run), ElementsAre(16, 10));
  EXPECT_EQ(run.jobs[0].crashes, 1);
  EXPECT_EQ(run.jobs[1].crashes, 0);
  EXPECT_DOUBLE_EQ(run.pools[0].down, 2);
}

TEST(EngineFaults, OverlappingOutagesOfOneNode) {
  const JobSet set = hand_jobs(one_gpu(), {{.arrival_s = 0, .work = 10}});
  EngineParts parts{.policy = RunPolicy(with_policy("fifo").policy.policy->queue({}))};
  parts.faults.push_back(std::make_unique<ScriptedFault>(std::vector<Outage>{{.at_s = 2, .until_s = 8}}));
  parts.faults.push_back(std::make_unique<ScriptedFault>(std::vector<Outage>{{.at_s = 4, .until_s = 6}}));
  const RunOptions options = with_policy("fifo");
  const RunResult run = Engine(set, one_gpu(), options, std::move(parts)).run();
  EXPECT_THAT(completions(run), ElementsAre(18));
  EXPECT_EQ(run.jobs[0].crashes, 1);
  EXPECT_DOUBLE_EQ(run.pools[0].down, 6);
}

TEST(EngineFaults, ANodeThatNeverComesBack) {
  const double never = std::numeric_limits<double>::infinity();
  const JobSet set = hand_jobs(one_gpu(), {{.arrival_s = 0, .work = 10}});
  const RunResult run = run_script(set, one_gpu(), fifo_with({{.at_s = 4, .until_s = never}}));
  EXPECT_EQ(run.jobs[0].end, JobEnd::unfinished);
  EXPECT_DOUBLE_EQ(run.horizon.value, 4);
}

TEST(EngineFaults, CompletionComesBeforeAFailureOfTheSameInstant) {
  const JobSet set = hand_jobs(one_gpu(), {{.arrival_s = 0, .work = 4}, {.arrival_s = 0, .work = 1}});
  const RunResult run = run_script(set, one_gpu(), fifo_with({{.at_s = 4, .until_s = 4}}));
  EXPECT_THAT(completions(run), ElementsAre(4, 5));
  EXPECT_EQ(run.jobs[0].crashes, 0);
}

TEST(EngineFaults, CrashesOfTheRegistryOnManyJobs) {
  // Jobs of an hour on 8 nodes that fail every 2 h: some crash, all end, and the books balance (or it
  // throws).
  const clusters::Cluster cluster = hand_cluster({{.type = "gpu", .gpus = 32, .per_node = 4}});
  std::vector<HandJob> list;
  for (int i = 0; i < 60; ++i) list.push_back({.arrival_s = 60.0 * i, .work = 3600, .gpus = 1 << (i % 4)});
  const JobSet set = hand_jobs(cluster, list);
  RunOptions options = with_policy("srtf");
  options.faults = {"crash:mtbf=2h:mttr=10min"};
  options.checkpoint = {.rule = CheckpointRule::daly, .cost = Seconds{20}};
  options.restart = Seconds{30};
  const RunResult run = simulate(set, cluster, options);
  std::int64_t crashes = 0;
  for (const JobOutcome& job : run.jobs) {
    EXPECT_EQ(job.end, JobEnd::completed);
    crashes += job.crashes;
  }
  EXPECT_GT(crashes, 5);
  EXPECT_GT(run.pools[0].down, 0);
  options.seed = 1;
  EXPECT_NE(simulate(set, cluster, options).horizon.value, run.horizon.value);
}

}  // namespace
}  // namespace sextant::simulate
