// Policies that plan by the limits that users state, while jobs end when they end.
#include <gmock/gmock.h>

#include "engine_support.h"

namespace sextant::simulate {
namespace {

using testing::ElementsAre;

// Four GPUs. The second job needs all of them; the third is short enough to go before it, though its user
// allowed it 20 s.
JobSet three_jobs_with_limits(double first_work_s) {
  JobSet set = hand_jobs(hand_cluster({{.type = "gpu", .gpus = 4, .per_node = 4}}),
                         {{.arrival_s = 0, .work = first_work_s, .gpus = 2},
                          {.arrival_s = 1, .work = 5, .gpus = 4},
                          {.arrival_s = 2, .work = 5, .gpus = 2}});
  set.jobs[0].planned = 10;
  set.jobs[1].planned = 5;
  set.jobs[2].planned = 20;
  return set;
}

JobSet exact(JobSet set) {
  for (SimJob& job : set.jobs) job.planned = 0;
  return set;
}

TEST(PlannedTimes, BackfillTrustsTheLimits) {
  const clusters::Cluster cluster = hand_cluster({{.type = "gpu", .gpus = 4, .per_node = 4}});
  for (const char* policy : {"easy-backfill", "conservative-backfill"}) {
    const JobSet set = three_jobs_with_limits(10);
    // Told the truth, the third job passes at 2 and ends at 7, before the second can start at 10.
    EXPECT_THAT(completions(simulate(exact(set), cluster, with_policy(policy))), ElementsAre(10, 15, 7));
    // By its limit it would hold two GPUs until 22: it waits.
    EXPECT_THAT(completions(simulate(set, cluster, with_policy(policy))), ElementsAre(10, 15, 20));
    // The first job ends at 4 of the 10 s that it may take, and the second starts then.
    EXPECT_THAT(completions(simulate(three_jobs_with_limits(4), cluster, with_policy(policy))),
                ElementsAre(4, 9, 14));
  }
}

TEST(PlannedTimes, CrashesAndCheckpointsKeepTheBooks) {
  const clusters::Cluster cluster = hand_cluster({{.type = "gpu", .gpus = 4, .per_node = 1}});
  std::vector<HandJob> list;
  for (int i = 0; i < 40; ++i) list.push_back({.arrival_s = 50.0 * i, .work = 100.0 + i, .gpus = 1 + i % 4});
  JobSet set = hand_jobs(cluster, list);
  for (SimJob& job : set.jobs) job.planned = 3 * job.work;
  RunOptions options = with_policy("srtf");
  options.faults = {"crash:mtbf=1h:mttr=1min"};
  options.checkpoint = {.rule = CheckpointRule::fixed, .every = Seconds{30}, .cost = Seconds{1}};
  const RunResult run = simulate(set, cluster, options);  // throws where the books do not balance
  for (const JobOutcome& job : run.jobs) EXPECT_EQ(job.end, JobEnd::completed);
}

}  // namespace
}  // namespace sextant::simulate
