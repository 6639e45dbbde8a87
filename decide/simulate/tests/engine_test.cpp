// Runs small enough to follow by hand: start-up, stops, gangs over nodes, shared GPUs, the end of the clock.
#include "engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine_scripts.h"
#include "engine_support.h"

namespace sextant::simulate {
namespace {

using ::testing::ElementsAre;

TEST(Engine, NothingToDo) {
  const RunResult run = simulate({}, one_gpu(), with_policy("fifo"));
  EXPECT_TRUE(run.jobs.empty());
  ASSERT_EQ(run.pools.size(), 1U);
  EXPECT_EQ(run.events, 0U);
  EXPECT_EQ(run.horizon.value, run.begin.value);
}

TEST(Engine, ClockBeginsAtTheFirstArrival) {
  // Far from zero and negative times lose nothing.
  for (const double begin : {-50.0, 0.0, 1.7e9}) {
    const JobSet set =
        hand_jobs(one_gpu(), {{.arrival_s = begin, .work = 2}, {.arrival_s = begin + 1, .work = 3}});
    const RunResult run = simulate(set, one_gpu(), with_policy("fifo"));
    EXPECT_DOUBLE_EQ(run.begin.value, begin);
    EXPECT_DOUBLE_EQ(run.horizon.value, begin + 5);
    EXPECT_DOUBLE_EQ(run.jobs[1].start.value, begin + 2);
    EXPECT_DOUBLE_EQ(run.pools[0].productive, 5);
    EXPECT_DOUBLE_EQ(run.pools[0].idle, 0);
  }
}

TEST(Engine, StartUpHoldsGpusAndDoesNothing) {
  RunOptions options = with_policy("srtf");
  options.startup = Seconds{2};
  options.restart = Seconds{3};
  const JobSet set = hand_jobs(one_gpu(), {{.arrival_s = 0, .work = 20}, {.arrival_s = 7, .work = 4}});
  const RunResult run = simulate(set, one_gpu(), options);
  // A: 2 s of start-up, 5 of work. B at 7: 2 + 4, to 13. A again: 3 + 15, to 31.
  EXPECT_THAT(completions(run), ElementsAre(31, 13));
  EXPECT_DOUBLE_EQ(run.jobs[0].executed.value, 7 + 18);
  EXPECT_DOUBLE_EQ(run.jobs[0].overhead.value, 5);
  EXPECT_EQ(run.jobs[0].preemptions, 1);
  EXPECT_DOUBLE_EQ(run.pools[0].overhead, 7);
  EXPECT_DOUBLE_EQ(run.pools[0].productive, 24);
}

TEST(Engine, GangsOverNodesAndRacksAreSlower) {
  // Three nodes of 2, two in the first rack. 3 GPUs: nodes 0 and 1, factor 0.5; 6 GPUs: all racks, 0.25.
  const clusters::Cluster cluster = hand_cluster({{.type = "gpu",
                                                   .gpus = 6,
                                                   .per_node = 2,
                                                   .nodes_per_rack = 2,
                                                   .across_nodes = 0.5,
                                                   .across_racks = 0.25}});
  const JobSet set = hand_jobs(cluster, {{.arrival_s = 0, .work = 4, .gpus = 2},
                                         {.arrival_s = 10, .work = 4, .gpus = 3},
                                         {.arrival_s = 20, .work = 4, .gpus = 6}});
  const RunResult run = simulate(set, cluster, with_policy("fifo"));
  EXPECT_THAT(completions(run), ElementsAre(4, 18, 36));
}

TEST(Engine, SharedGpusAtTheSpeedsOfThePair) {
  const clusters::Cluster cluster = one_gpu();
  JobSet set = hand_jobs(cluster, {{.arrival_s = 0, .work = 10}, {.arrival_s = 2, .work = 3}});
  set.classes.push_back(set.classes[0]);
  set.jobs[1].cls = 1;
  set.pairs[JobSet::pair_key(0, 1)] = {.first_rate = {0.75}, .second_rate = {0.5}};
  const auto share = [](const schedule::ClusterView& view, schedule::Decision& out) {
    for (const schedule::JobSlot slot : view.arrived)
      out.start.push_back({.job = slot, .type = 0, .beside = slot - 1});
  };
  const RunResult run = run_script(set, cluster, {.script = share});
  // Together from 2: the second needs 3 / 0.5 = 6 s, to 8; the first has done 2 + 4.5 and needs 3.5 more.
  EXPECT_THAT(completions(run), ElementsAre(11.5, 8));
  EXPECT_DOUBLE_EQ(run.jobs[0].executed.value, 11.5);
  // Each has half of the GPU in the books while they share it.
  EXPECT_DOUBLE_EQ(run.pools[0].productive, 11.5);
  EXPECT_DOUBLE_EQ(run.pools[0].idle, 0);
}

TEST(Engine, StoppingOneOfAPairLeavesTheOtherAlone) {
  const clusters::Cluster cluster = one_gpu();
  JobSet set = hand_jobs(cluster, {{.arrival_s = 0, .work = 10}, {.arrival_s = 0, .work = 10}});
  set.pairs[JobSet::pair_key(0, 0)] = {.first_rate = {0.5}, .second_rate = {0.5}};
  const auto script = [](const schedule::ClusterView& view, schedule::Decision& out) {
    if (view.now_s == 0) {
      out.start = {{.job = 0, .type = 0}, {.job = 1, .type = 0, .beside = 0}};
      out.wake_s = 4;
    } else if (view.now_s == 4) {
      out.stop = {0};
    } else if (!view.ended.empty() && view.ended[0] == 1) {
      out.start = {{.job = 0, .type = 0}};
    }
  };
  const RunResult run = run_script(set, cluster, {.script = script});
  // 2 units each by 4; the second alone needs 8 more, the first then 8 again.
  EXPECT_THAT(completions(run), ElementsAre(20, 12));
}

TEST(Engine, StopsTheClock) {
  RunOptions options = with_policy("fifo");
  options.until = Seconds{10};
  options.segments = true;
  const JobSet set = hand_jobs(one_gpu(), {{.arrival_s = 0, .work = 4},
                                           {.arrival_s = 1, .work = 100},
                                           {.arrival_s = 2, .work = 1},
                                           {.arrival_s = 50, .work = 1}});
  const RunResult run = simulate(set, one_gpu(), options);
  EXPECT_DOUBLE_EQ(run.horizon.value, 10);
  EXPECT_EQ(run.jobs[0].end, JobEnd::completed);
  EXPECT_EQ(run.jobs[1].end, JobEnd::unfinished);
  EXPECT_DOUBLE_EQ(run.jobs[1].executed.value, 6);
  EXPECT_EQ(run.jobs[2].end, JobEnd::never_started);
  EXPECT_EQ(run.jobs[3].end, JobEnd::never_started);
  EXPECT_TRUE(std::isnan(run.jobs[2].start.value));
  ASSERT_EQ(run.segments.size(), 2U);
  EXPECT_EQ(run.segments[0].why, 'e');
  EXPECT_EQ(run.segments[1].why, 'u');
  EXPECT_DOUBLE_EQ(run.segments[1].end.value, 10);
}

TEST(Engine, SegmentsAndSeriesTellTheSameStory) {
  RunOptions options = with_policy("srtf");
  options.segments = options.series = true;
  const JobSet set = hand_jobs(one_gpu(), {{.arrival_s = 0, .work = 8}, {.arrival_s = 3, .work = 2}});
  const RunResult run = simulate(set, one_gpu(), options);
  ASSERT_EQ(run.segments.size(), 3U);
  EXPECT_EQ(run.segments[0].why, 'p');
  EXPECT_DOUBLE_EQ(run.segments[0].end.value, 3);
  EXPECT_EQ(run.segments[1].job, 1);
  EXPECT_DOUBLE_EQ(run.segments[2].begin.value, 5);
  std::vector<double> times;
  for (const SeriesPoint& point : run.series) times.push_back(point.time.value);
  EXPECT_THAT(times, ElementsAre(0, 3, 5, 10));
  EXPECT_EQ(run.series[1].waiting, 1);
  EXPECT_EQ(run.series[2].waiting, 0);
  EXPECT_EQ(run.series[3].used, 0);
}

TEST(Engine, FragmentationCountsWhatCannotBeUsed) {
  // Two nodes of 4; 4 is what most ask for. Spread, a job of 2 leaves 3 + 3 free and useless, to 10.
  const clusters::Cluster cluster = hand_cluster({{.type = "gpu", .gpus = 8, .per_node = 4}});
  const JobSet set = hand_jobs(cluster, {{.arrival_s = 0, .work = 10, .gpus = 2},
                                         {.arrival_s = 10, .work = 10, .gpus = 4},
                                         {.arrival_s = 20, .work = 10, .gpus = 4}});
  RunOptions options = with_policy("fifo");
  options.placement = "spread";
  options.series = true;
  const RunResult run = simulate(set, cluster, options);
  EXPECT_EQ(run.series[0].fragmented, 6);
  // From 10 on a job of 4 holds two GPUs of each node, and the four free ones are useless too.
  EXPECT_EQ(run.series[1].fragmented, 4);
  EXPECT_DOUBLE_EQ(run.fragmentation, 1);
  options.placement = "consolidated";
  // 2 of 6 free ones to 10, then none.
  EXPECT_NEAR(simulate(set, cluster, options).fragmentation, 10 * (2.0 / 6) / 30, 1e-12);
}

TEST(Engine, WaitsForNobodyForEver) {
  // The policy never starts anything: the run ends, and says so.
  const JobSet set = hand_jobs(one_gpu(), {{.arrival_s = 0, .work = 1}, {.arrival_s = 5, .work = 1}});
  const RunResult run =
      run_script(set, one_gpu(), {.script = [](const schedule::ClusterView&, schedule::Decision&) {}});
  EXPECT_EQ(run.jobs[0].end, JobEnd::never_started);
  EXPECT_EQ(run.jobs[1].end, JobEnd::never_started);
  EXPECT_DOUBLE_EQ(run.horizon.value, 5);
  EXPECT_DOUBLE_EQ(run.pools[0].idle, 5);
}

TEST(Engine, TooSlowToEverEnd) {
  // 1e-10 of work a second: the end is beyond the clock, so the run stops with the job on its GPU.
  const clusters::Cluster cluster = hand_cluster({{.type = "gpu", .gpus = 1, .per_node = 1, .speed = 1e-10}});
  const JobSet set = hand_jobs(cluster, {{.arrival_s = 0, .work = 100}});
  const RunResult run = simulate(set, cluster, with_policy("fifo"));
  EXPECT_EQ(run.jobs[0].end, JobEnd::unfinished);
}

TEST(Engine, ManyEndsInOneInstantAreOneDecision) {
  const clusters::Cluster cluster = hand_cluster({{.type = "gpu", .gpus = 8, .per_node = 8}});
  const JobSet set = hand_jobs(cluster, std::vector<HandJob>(8, {.arrival_s = 0, .work = 3}));
  const RunResult run = simulate(set, cluster, with_policy("fifo"));
  EXPECT_EQ(run.events, 16U);
  EXPECT_EQ(run.decisions, 2U);
}

}  // namespace
}  // namespace sextant::simulate
