#include "sextant/simulate/job_groups.h"

#include <gmock/gmock.h>

#include <cmath>

namespace sextant::simulate {
namespace {

// 200 jobs, one every 10 s, of 1, 2 or 16 GPUs and 1, 2, 3 or 4 s of work; each waits as long as its place
// says.
struct GroupScene {
  JobSet jobs;
  RunResult run;
  clusters::Cluster cluster{.name = "c", .pools = {{.type = "gpu", .gpus = 16}}};

  GroupScene() {
    jobs.classes = {{.gpus = 1, .rate = {1}}, {.gpus = 2, .rate = {1}}, {.gpus = 16, .rate = {1}}};
    for (int i = 0; i < 200; ++i) {
      const int cls = i % 4 == 0 ? 2 : i % 2;
      jobs.jobs.push_back({.arrival = Seconds{10.0 * i},
                           .work = 1.0 + i % 4,
                           .gpus = jobs.classes[static_cast<std::size_t>(cls)].gpus,
                           .cls = cls});
      run.jobs.push_back({.completion = Seconds{10.0 * i + i}, .end = JobEnd::completed});
    }
  }
};

double mean_of(const JobGroups& found, const std::string& name) {
  for (const GroupTime& group : found.groups) {
    if (group.jobs == name) return group.mean_jct.value;
  }
  return std::nan("");
}

TEST(JobGroups, BatchesAreConsecutiveArrivals) {
  const GroupScene scene;
  const JobGroups found = group_jobs(scene.run, scene.jobs, scene.cluster);
  ASSERT_EQ(found.batch_jct_s.size(), 20U);
  for (std::size_t b = 0; b < 20; ++b)
    EXPECT_DOUBLE_EQ(found.batch_jct_s[b], 10.0 * static_cast<double>(b) + 4.5);
}

// Every fourth job has 16 GPUs: 0, 4, ... 196, of mean 98.
TEST(JobGroups, BySizeAndByLength) {
  const GroupScene scene;
  const JobGroups found = group_jobs(scene.run, scene.jobs, scene.cluster);
  EXPECT_DOUBLE_EQ(mean_of(found, "jobs on more than 8 GPUs"), 98);
  EXPECT_DOUBLE_EQ(mean_of(found, "jobs on one GPU"), 100);      // 2, 6, ... 198
  EXPECT_DOUBLE_EQ(mean_of(found, "jobs on 2 to 8 GPUs"), 100);  // 1, 3, ... 199
}

TEST(JobGroups, AnUnfinishedJobLeavesNoBatches) {
  GroupScene scene;
  scene.run.jobs[7].end = JobEnd::unfinished;
  EXPECT_TRUE(group_jobs(scene.run, scene.jobs, scene.cluster).batch_jct_s.empty());
}

// In four jobs: 16 GPUs for 1 s, 2 for 2 s, 1 for 3 s, 2 for 4 s: 31 GPU-seconds; 200 jobs in 1990 s on 16
// GPUs. The last job, 2 for 4 s, comes when the span ends.
TEST(JobGroups, OfferedLoad) {
  GroupScene scene;
  EXPECT_DOUBLE_EQ(group_jobs(scene.run, scene.jobs, scene.cluster).offered_load,
                   (50.0 * 31 - 8) / (1990 * 16));
  // A job on all GPUs that begins 90 s before the last arrival and runs for a day overloads nobody before.
  scene.jobs.jobs[190].gpus = 16;
  scene.jobs.jobs[190].work = 86400;
  EXPECT_LT(group_jobs(scene.run, scene.jobs, scene.cluster).offered_load,
            (50.0 * 31 + 90 * 16) / (1990 * 16));
  EXPECT_EQ(group_jobs(scene.run, scene.jobs, scene.cluster, {.first = 0, .last = 29}).offered_load, 0);
}

}  // namespace
}  // namespace sextant::simulate
