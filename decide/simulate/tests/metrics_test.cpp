#include "sextant/simulate/metrics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "contention.h"
#include "sextant/core/infinity.h"
#include "sextant/core/rng.h"

namespace sextant::simulate {
namespace {

// Two GPUs of one type at 3.6 USD/h each, 100 W busy and 20 W idle. Three jobs, one unit of work per second:
//   A: 2 GPUs, arrives 0, runs 0-20
//   B: 1 GPU, arrives 0, waits, runs 20-50, deadline 40
//   C: 2 GPUs, arrives 10, never starts; deadline 1000; the run ends at 60
struct Scene {
  JobSet jobs;
  clusters::Cluster cluster;
  RunResult run;
};

SimJob sim_job(double arrival_s, double work, std::int32_t gpus) {
  SimJob job;
  job.arrival = Seconds{arrival_s};
  job.work = work;
  job.gpus = gpus;
  job.deadline = Seconds{kInfinity};
  return job;
}

JobOutcome done(double start_s, double completion_s) {
  JobOutcome outcome;
  outcome.start.value = start_s;
  outcome.completion.value = completion_s;
  outcome.end = JobEnd::completed;
  return outcome;
}

Scene small_scene() {
  Scene scene;
  scene.jobs.classes = {{.gpus = 1, .rate = {0.5, 1.0}}};  // its fastest type is the second
  scene.jobs.jobs = {sim_job(0, 20, 2), sim_job(0, 30, 1), sim_job(10, 5, 2)};
  scene.jobs.jobs[1].deadline.value = 40;
  scene.jobs.jobs[2].deadline.value = 1000;
  clusters::Pool pool;
  pool.type = "own";
  pool.gpus = 2;
  pool.hour_price.value = 3.6;
  pool.power.value = 100;
  pool.idle.value = 20;
  scene.cluster.pools = {pool};
  scene.run.jobs = {done(0, 20), done(20, 50), {}};
  scene.run.jobs[1].preemptions = 2;
  scene.run.jobs[1].crashes = 1;
  // 2 * 60 GPU-seconds: 40 of A and 30 of B held, of which 5 overhead and 3 lost; 10 down; 40 idle.
  scene.run.pools = {{.productive = 62, .overhead = 5, .lost = 3, .idle = 40, .down = 10}};
  scene.run.horizon.value = 60;
  scene.run.fragmentation = 0.25;
  return scene;
}

RunMetrics measure(const Scene& scene, const JobWindow& window = {}) {
  return measure_run(scene.run, scene.jobs, scene.cluster, window);
}

TEST(Metrics, TimesOfASmallRun) {
  const RunMetrics m = measure(small_scene());
  EXPECT_EQ(m.jobs, 3);
  EXPECT_EQ(m.completed, 2);
  EXPECT_DOUBLE_EQ(m.mean_jct.value, 35);   // 20 and 50
  EXPECT_DOUBLE_EQ(m.p50_jct.value, 35);    // type 7: between the two
  EXPECT_DOUBLE_EQ(m.p90_jct.value, 47);    // 20 + 0.9 * 30
  EXPECT_DOUBLE_EQ(m.p99_jct.value, 49.7);  // 20 + 0.99 * 30
  EXPECT_DOUBLE_EQ(m.makespan.value, 50);
  EXPECT_DOUBLE_EQ(m.mean_wait.value, 10);  // 0 and 20
  EXPECT_DOUBLE_EQ(m.p99_wait.value, 19.8);
  EXPECT_EQ(m.restarts, 3);
  EXPECT_EQ(m.deadlines, 2);
  EXPECT_EQ(m.deadline_misses, 1);  // B; what C is due at has not come
}

TEST(Metrics, FairnessOfASmallRun) {
  const RunMetrics m = measure(small_scene());
  // Time alone over JCT: 20/20 and 30/50. Jain (1.6)^2 / (2 * 1.36).
  EXPECT_DOUBLE_EQ(m.jain, 2.56 / 2.72);
  // Asked for, over 2 GPUs: 3/2 in [0, 10), 5/2 in [10, 20), 3/2 in [20, 50).
  const double of_a = 20 / (20 * (1.5 * 10 + 2.5 * 10) / 20);
  const double of_b = 50 / (30 * (1.5 * 10 + 2.5 * 10 + 1.5 * 30) / 50);
  EXPECT_DOUBLE_EQ(m.ftf_mean, (of_a + of_b) / 2);
  EXPECT_DOUBLE_EQ(m.ftf_max, std::max(of_a, of_b));
  EXPECT_DOUBLE_EQ(m.ftf_above, 0);  // 0.5 and 0.98
  EXPECT_DOUBLE_EQ(m.slowdown_mean, (1 + 50.0 / 30) / 2);
}

TEST(Metrics, UseMoneyAndEnergyOfASmallRun) {
  const RunMetrics m = measure(small_scene());
  EXPECT_DOUBLE_EQ(m.utilization, 70.0 / 120);
  EXPECT_DOUBLE_EQ(m.goodput, 62.0 / 120);
  EXPECT_DOUBLE_EQ(m.fragmentation, 0.25);
  EXPECT_DOUBLE_EQ(m.cost.value, 70 * 0.001);  // 3.6 USD/h is 0.001 USD/s
  EXPECT_DOUBLE_EQ(m.rent.value, 120 * 0.001);
  EXPECT_DOUBLE_EQ(m.energy_kwh, (70 * 100 + 40 * 20) / 3.6e6);
}

TEST(Metrics, AnUnknownPriceIsNotNothing) {
  Scene scene = small_scene();
  scene.cluster.pools[0].hour_price.value = 0;
  scene.cluster.pools[0].power.value = 0;
  const RunMetrics m = measure(scene);
  EXPECT_TRUE(std::isnan(m.cost.value));
  EXPECT_TRUE(std::isnan(m.rent.value));
  EXPECT_TRUE(std::isnan(m.energy_kwh));
  // A pool that nobody used costs nothing to use, whatever its price.
  scene.run.pools[0] = {.idle = 120};
  EXPECT_EQ(measure(scene).cost.value, 0);
}

TEST(Metrics, TheWindowCountsItsJobsOnly) {
  const RunMetrics m = measure(small_scene(), {.first = 1, .last = 2});
  EXPECT_EQ(m.jobs, 1);
  EXPECT_DOUBLE_EQ(m.mean_jct.value, 50);
  EXPECT_DOUBLE_EQ(m.utilization, 70.0 / 120);  // of the whole run
  // The crowd is all jobs, in the window or not.
  EXPECT_DOUBLE_EQ(m.ftf_mean, 50 / (30 * 85.0 / 50));
}

TEST(Metrics, UnfinishedJobsAreNamed) {
  const Scene scene = small_scene();
  EXPECT_EQ(unfinished_jobs(scene.run), std::vector<std::int32_t>{2});
  EXPECT_TRUE(unfinished_jobs(scene.run, {.first = 0, .last = 2}).empty());
}

TEST(Metrics, NothingCompleted) {
  const RunMetrics m = measure(small_scene(), {.first = 2, .last = 99});
  EXPECT_EQ(m.jobs, 1);
  EXPECT_EQ(m.completed, 0);
  for (const double value : {m.mean_jct.value, m.p99_jct.value, m.makespan.value, m.mean_wait.value, m.jain,
                             m.ftf_mean, m.ftf_max, m.ftf_above, m.slowdown_mean}) {
    EXPECT_TRUE(std::isnan(value));
  }
  EXPECT_EQ(measure(small_scene(), {.first = 50, .last = 60}).jobs, 0);
  EXPECT_THROW((void)measure(small_scene(), {.first = 2, .last = 1}), InputError);
  EXPECT_THROW((void)measure(small_scene(), {.first = -1, .last = 1}), InputError);
}

TEST(Metrics, UnfinishedPastItsDeadlineHasMissedIt) {
  Scene scene = small_scene();
  scene.jobs.jobs[2].deadline.value = 59;
  EXPECT_EQ(measure(scene).deadline_misses, 2);
}

TEST(Metrics, SlowdownOfShortJobsIsBounded) {
  Scene scene = small_scene();
  scene.jobs.jobs = {sim_job(0, 0.001, 1)};
  scene.run.jobs = {done(20, 20.001)};
  EXPECT_DOUBLE_EQ(measure(scene).slowdown_mean, 2.0001);  // over 10 s, not over 1 ms
  scene.run.jobs = {done(0, 0.001)};
  EXPECT_DOUBLE_EQ(measure(scene).slowdown_mean, 1);
}

TEST(Metrics, AMismatchIsABug) {
  Scene scene = small_scene();
  scene.run.jobs.pop_back();
  EXPECT_THROW((void)measure(scene), std::logic_error);
}

TEST(Jain, WorkedExamplesAndBounds) {
  EXPECT_NEAR(jain_index(std::array{1.0, 2.0, 3.0}), 0.857, 5e-4);  // 36 / (3 * 14)
  EXPECT_DOUBLE_EQ(jain_index(std::array{5.0, 5.0}), 1);
  EXPECT_DOUBLE_EQ(jain_index(std::array{1.0, 0.0, 0.0, 0.0}), 0.25);
  EXPECT_TRUE(std::isnan(jain_index({})));
}

// Against the definition, step by step, over random crowds.
TEST(Contention, AgreesWithItsDefinition) {
  Rng rng = Rng(3).stream("contention");
  for (int round = 0; round < 50; ++round) {
    std::vector<Presence> jobs;
    for (int i = 0; i < 20; ++i) {
      const auto from = static_cast<double>(rng.below(50));
      const auto length = static_cast<double>(rng.below(30));
      jobs.push_back({from, from + length, static_cast<std::int32_t>(1 + rng.below(8))});
    }
    const Contention contention(jobs, 16);
    for (const Presence& job : jobs) {
      double sum = 0;  // all times are whole, so steps of one second are exact
      for (double t = job.from_s; t < job.to_s; ++t) {
        double asked = 0;
        for (const Presence& other : jobs) asked += other.from_s <= t && t < other.to_s ? other.gpus : 0;
        sum += std::max(1.0, asked / 16);
      }
      EXPECT_GE(contention.mean(job.from_s, job.from_s), 1);
      if (job.to_s == job.from_s) continue;
      EXPECT_NEAR(contention.mean(job.from_s, job.to_s), sum / (job.to_s - job.from_s), 1e-9);
    }
  }
}

}  // namespace
}  // namespace sextant::simulate
