// The ranked policies from end to end, on examples small enough to follow by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "engine_support.h"

namespace sextant::simulate {
namespace {

using ::testing::DoubleEq;
using ::testing::DoubleNear;
using ::testing::ElementsAre;

std::vector<double> run_jcts(const clusters::Cluster& cluster, const std::vector<HandJob>& list,
                             const std::string& policy) {
  const JobSet set = hand_jobs(cluster, list);
  return jct_of(simulate(set, cluster, with_policy(policy)), set);
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// A(0,8) B(1,4) C(2,9) D(3,5) on one GPU, the textbook example of shortest remaining time.
const std::vector<HandJob> kTextbook = {{.arrival_s = 0, .work = 8},
                                        {.arrival_s = 1, .work = 4},
                                        {.arrival_s = 2, .work = 9},
                                        {.arrival_s = 3, .work = 5}};

TEST(RankedPolicies, TextbookExampleOfFifo) {
  // Ends at 8, 12, 21, 26.
  const auto jct = run_jcts(one_gpu(), kTextbook, "fifo");
  EXPECT_THAT(jct, ElementsAre(8, 11, 19, 23));
  EXPECT_DOUBLE_EQ(mean(jct), 15.25);
}

TEST(RankedPolicies, TextbookExampleOfSjf) {
  // A to 8, B to 12, D to 17, C to 26.
  const auto jct = run_jcts(one_gpu(), kTextbook, "sjf");
  EXPECT_THAT(jct, ElementsAre(8, 11, 24, 14));
  EXPECT_DOUBLE_EQ(mean(jct), 14.25);
}

TEST(RankedPolicies, TextbookExampleOfSrtf) {
  // B takes over from A at 1 and ends at 5, D at 10, A at 17, C at 26.
  const auto jct = run_jcts(one_gpu(), kTextbook, "srtf");
  EXPECT_THAT(jct, ElementsAre(17, 4, 24, 7));
  EXPECT_DOUBLE_EQ(mean(jct), 13.0);
}

// 4 GPUs: J2 needs all and cannot start at 1; J3 and J4 need one.
const std::vector<HandJob> kBlocked = {{.arrival_s = 0, .work = 10, .gpus = 3},
                                       {.arrival_s = 1, .work = 5, .gpus = 4},
                                       {.arrival_s = 2, .work = 8, .gpus = 1},
                                       {.arrival_s = 3, .work = 2, .gpus = 1}};

TEST(RankedPolicies, FifoHeadBlocks) {
  const clusters::Cluster cluster = hand_cluster({{.type = "gpu", .gpus = 4, .per_node = 4}});
  const JobSet set = hand_jobs(cluster, kBlocked);
  const RunResult run = simulate(set, cluster, with_policy("fifo"));
  std::vector<double> starts;
  for (const JobOutcome& job : run.jobs) starts.push_back(job.start.value);
  EXPECT_THAT(starts, ElementsAre(0, 10, 15, 15));
}

TEST(RankedPolicies, FifoSkipPassesTheBlockedHead) {
  // J3 takes the GPU that J1 leaves at 2, to 10; J4 finds it taken. At 10 J2 is first and takes all four.
  const clusters::Cluster cluster = hand_cluster({{.type = "gpu", .gpus = 4, .per_node = 4}});
  const JobSet set = hand_jobs(cluster, kBlocked);
  const RunResult run = simulate(set, cluster, with_policy("fifo-skip"));
  std::vector<double> starts;
  for (const JobOutcome& job : run.jobs) starts.push_back(job.start.value);
  EXPECT_THAT(starts, ElementsAre(0, 10, 2, 15));
}

TEST(RankedPolicies, SjfByGpusAndByGpuTime) {
  // One long job holds both GPUs to 10. Waiting: A 2 GPUs x 3 s, B 1 GPU x 4 s, C 1 GPU x 8 s.
  const clusters::Cluster cluster = hand_cluster({{.type = "gpu", .gpus = 2, .per_node = 2}});
  const std::vector<HandJob> list = {{.arrival_s = 0, .work = 10, .gpus = 2},
                                     {.arrival_s = 1, .work = 3, .gpus = 2},
                                     {.arrival_s = 1, .work = 4, .gpus = 1},
                                     {.arrival_s = 1, .work = 8, .gpus = 1}};
  // By time: A (3), then B and C together.
  EXPECT_THAT(run_jcts(cluster, list, "sjf"), ElementsAre(10, 12, 16, 20));
  // By GPUs: B and C, then A when both are free at 18.
  EXPECT_THAT(run_jcts(cluster, list, "sjf:time=0:gpus=1"), ElementsAre(10, 20, 13, 17));
  // By GPU time: B (4), then A (6) does not fit beside it, C (8) does.
  EXPECT_THAT(run_jcts(cluster, list, "sjf:gpus=1"), ElementsAre(10, 20, 13, 17));
}

TEST(RankedPolicies, SrtfByGpuTime) {
  // R runs on 4 GPUs with 6 s to go at 4: 24 GPU-seconds. W needs one GPU for 10 s: longer, but less in all.
  const clusters::Cluster cluster = hand_cluster({{.type = "gpu", .gpus = 4, .per_node = 4}});
  const std::vector<HandJob> list = {{.arrival_s = 0, .work = 10, .gpus = 4}, {.arrival_s = 4, .work = 10}};
  EXPECT_THAT(run_jcts(cluster, list, "srtf"), ElementsAre(10, 16));
  EXPECT_THAT(run_jcts(cluster, list, "srtf:gpus=1"), ElementsAre(20, 10));
}

TEST(RankedPolicies, PriorityGoesFirst) {
  const std::vector<HandJob> list = {{.arrival_s = 0, .work = 10},
                                     {.arrival_s = 1, .work = 5, .priority = 1},
                                     {.arrival_s = 2, .work = 5, .priority = 3}};
  EXPECT_THAT(run_jcts(one_gpu(), list, "priority"), ElementsAre(10, 19, 13));
  // Stopped at 1 for the second job and that at 2 for the third, which ends at 7; the second at 11.
  EXPECT_THAT(run_jcts(one_gpu(), list, "priority:preempt=1"), ElementsAre(20, 10, 5));
  // A unit per second of age: the second job is 1 + 9 at 10, the third 3 + 8: as before. A unit per 0.4 s:
  // 1 + 22.5 against 3 + 20, so the older goes first.
  EXPECT_THAT(run_jcts(one_gpu(), list, "priority:age=1"), ElementsAre(10, 19, 13));
  EXPECT_THAT(run_jcts(one_gpu(), list, "priority:age=0.4"), ElementsAre(10, 14, 18));
}

TEST(RankedPolicies, EarliestDeadlineGoesFirst) {
  const std::vector<HandJob> list = {{.arrival_s = 0, .work = 6},
                                     {.arrival_s = 1, .work = 4, .deadline_s = 20},
                                     {.arrival_s = 2, .work = 3, .deadline_s = 6}};
  // The second runs from 1, the third from 2 to 5, the second again to 8, the first to 13.
  EXPECT_THAT(run_jcts(one_gpu(), list, "edf"), ElementsAre(13, 7, 3));
  EXPECT_THAT(run_jcts(one_gpu(), list, "fifo"), ElementsAre(6, 9, 11));  // misses the deadline at 6
}

TEST(RankedPolicies, AdmissionKeepsWhatCanBeKept) {
  // The first two fill one GPU to 10. The third, due at 9, would make the second late: with admission it
  // waits, and only its own deadline is missed.
  const std::vector<HandJob> list = {{.arrival_s = 0, .work = 5, .deadline_s = 5},
                                     {.arrival_s = 0, .work = 5, .deadline_s = 10},
                                     {.arrival_s = 1, .work = 4, .deadline_s = 9}};
  EXPECT_THAT(run_jcts(one_gpu(), list, "edf"), ElementsAre(5, 14, 8));
  EXPECT_THAT(run_jcts(one_gpu(), list, "edf:admission=1"), ElementsAre(5, 10, 13));
}

// Rounds of 10 s. The first job ends at 5, and the second takes its slot at 6, before the policy has heard of
// either. Its 12 s end before 20, its deadline; the third can wait, and starts at the boundary after 18. Had
// the second been refused, because the first was still counted with the second's work, the third would stop
// it at 16.
TEST(RankedPolicies, AdmissionForgetsWhoeverLeftASlot) {
  const std::vector<HandJob> list = {{.arrival_s = 0, .work = 5, .deadline_s = 19},
                                     {.arrival_s = 6, .work = 12, .deadline_s = 20},
                                     {.arrival_s = 7, .work = 1, .deadline_s = 1000}};
  const JobSet set = hand_jobs(one_gpu(), list);
  RunOptions options = with_policy("edf:admission=1");
  options.mechanism = "rounds";
  options.round = Seconds{10};
  EXPECT_THAT(jct_of(simulate(set, one_gpu(), options), set), ElementsAre(5, 12, 20));
}

TEST(RankedPolicies, LeastAttainedServiceTakesTurns) {
  // Two jobs of 4 s, quantum 1 s. A: 0-1, B: 1-2, then each has had 1: A 2-3, B 3-4, and so on.
  const std::vector<HandJob> list = {{.arrival_s = 0, .work = 4}, {.arrival_s = 0, .work = 4}};
  EXPECT_THAT(run_jcts(one_gpu(), list, "las:quantum=1"), ElementsAre(7, 8));
  EXPECT_THAT(run_jcts(one_gpu(), list, "fifo"), ElementsAre(4, 8));
}

TEST(RankedPolicies, LeastAttainedServicePrefersTheNewcomer) {
  // A has had 3 quanta when B arrives at 3.5; B runs its 2 s at once.
  const std::vector<HandJob> list = {{.arrival_s = 0, .work = 10}, {.arrival_s = 3.5, .work = 2}};
  EXPECT_THAT(run_jcts(one_gpu(), list, "las:quantum=1"), ElementsAre(12, 2));
}

TEST(RankedPolicies, LeastAttainedServiceByGpuTime) {
  // Both have run 1 s at 1; A had 2 GPU-seconds, so with a quantum of 2 GPU-seconds only A's turn is over.
  const clusters::Cluster cluster = hand_cluster({{.type = "gpu", .gpus = 2, .per_node = 2}});
  const std::vector<HandJob> list = {{.arrival_s = 0, .work = 2, .gpus = 2},
                                     {.arrival_s = 0, .work = 2, .gpus = 1}};
  // A 0-1, then B (0 GPU-seconds) 1-3, then A 3-4.
  EXPECT_THAT(run_jcts(cluster, list, "las:quantum=2:gpu-time=1"), ElementsAre(4, 3));
  // By seconds, a turn of 2 s is the whole of A.
  EXPECT_THAT(run_jcts(cluster, list, "las:quantum=2"), ElementsAre(2, 4));
}

TEST(RankedPolicies, FastestTypeWithRoom) {
  const clusters::Cluster cluster = hand_cluster(
      {{.type = "slow", .gpus = 1, .per_node = 1, .speed = 0.5}, {.type = "fast", .gpus = 1, .per_node = 1}});
  const JobSet set = hand_jobs(cluster, {{.arrival_s = 0, .work = 4}, {.arrival_s = 0, .work = 4}});
  const RunResult run = simulate(set, cluster, with_policy("fifo"));
  EXPECT_EQ(run.jobs[0].type, 1);
  EXPECT_EQ(run.jobs[1].type, 0);
  EXPECT_THAT(completions(run), ElementsAre(4, 8));
}

TEST(RankedPolicies, VictimsAreFewAndTheWorst) {
  // 4 GPUs hold a 1-GPU job with 100 s to go, one of 3 GPUs with 50 s. A job of 3 GPUs and 10 s must stop the
  // second only, though the first has longer to go: stopping the first would not be enough, and with the
  // second stopped it is not needed.
  const clusters::Cluster cluster = hand_cluster({{.type = "gpu", .gpus = 4, .per_node = 4}});
  const JobSet set = hand_jobs(cluster, {{.arrival_s = 0, .work = 100, .gpus = 1},
                                         {.arrival_s = 0, .work = 50, .gpus = 3},
                                         {.arrival_s = 5, .work = 10, .gpus = 3}});
  const RunResult run = simulate(set, cluster, with_policy("srtf"));
  EXPECT_THAT(completions(run), ElementsAre(100, 60, 15));
  EXPECT_EQ(run.jobs[0].preemptions, 0);
  EXPECT_EQ(run.jobs[1].preemptions, 1);
}

TEST(RankedPolicies, NobodyIsStoppedInVain) {
  // A job of 4 GPUs and 10 s: the running ones that have longer hold 2 GPUs only, the rest have less to go.
  const clusters::Cluster cluster = hand_cluster({{.type = "gpu", .gpus = 4, .per_node = 4}});
  const JobSet set = hand_jobs(cluster, {{.arrival_s = 0, .work = 100, .gpus = 2},
                                         {.arrival_s = 0, .work = 8, .gpus = 2},
                                         {.arrival_s = 1, .work = 10, .gpus = 4}});
  const RunResult run = simulate(set, cluster, with_policy("srtf"));
  // At 8 the second ends: now the first alone stands in the way, and is stopped.
  EXPECT_THAT(completions(run), ElementsAre(110, 8, 18));
  EXPECT_EQ(run.jobs[0].preemptions, 1);
}

TEST(RankedPolicies, ComparesWithTimesOnTheTypeInQuestion) {
  // On the slow type R has 100 s to go; W would need 50 s on the fast one, 500 there. Nobody is stopped.
  const clusters::Cluster cluster = hand_cluster(
      {{.type = "fast", .gpus = 1, .per_node = 1}, {.type = "slow", .gpus = 1, .per_node = 1, .speed = 0.1}});
  const JobSet set = hand_jobs(
      cluster, {{.arrival_s = 0, .work = 9}, {.arrival_s = 0, .work = 10}, {.arrival_s = 1, .work = 50}});
  const RunResult run = simulate(set, cluster, with_policy("srtf"));
  // W waits for the fast GPU, free at 9, though R (91 s to go at 9) would rank worse there, being stuck.
  EXPECT_THAT(completions(run), ElementsAre(9, 100, 59));
}

TEST(RankedPolicies, StoppedJobMovesToAnotherTypeAtOnce) {
  // A gang of 2 takes the fast GPUs from a job of 1, which goes on on the slow one in the same instant.
  const clusters::Cluster cluster = hand_cluster(
      {{.type = "fast", .gpus = 2, .per_node = 2}, {.type = "slow", .gpus = 1, .per_node = 1, .speed = 0.5}});
  const JobSet set =
      hand_jobs(cluster, {{.arrival_s = 0, .work = 20, .gpus = 1}, {.arrival_s = 4, .work = 5, .gpus = 2}});
  const RunResult run = simulate(set, cluster, with_policy("srtf"));
  // 4 s done on the fast one; 16 left take 32 s on the slow one.
  EXPECT_THAT(completions(run), ElementsAre(36, 9));
}

}  // namespace
}  // namespace sextant::simulate
