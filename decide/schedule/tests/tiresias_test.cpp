#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "gittins_index.h"
#include "service_queues.h"
#include "sextant/core/error.h"
#include "sextant/core/rng.h"
#include "tiny_cluster.h"

namespace sextant::schedule {
namespace {

using test::run_tiny;
using test::TinyJob;
using test::TinyOutcome;
using ::testing::ElementsAre;

std::vector<double> completion_times(const std::vector<TinyOutcome>& outcomes,
                                     const std::vector<TinyJob>& jobs) {
  std::vector<double> times;
  for (std::size_t i = 0; i < jobs.size(); ++i) times.push_back(outcomes[i].end_s - jobs[i].arrival_s);
  return times;
}

TEST(Tiresias, WorkedExampleWithTwoQueues) {
  // One GPU, limit 4. A 0-4, B 4-8 and done, C 8-12, D 12-16; then A 4 more, C 5, D 1: mean 18.25.
  const std::vector<TinyJob> jobs = {{.arrival_s = 0, .length_s = {8}},
                                     {.arrival_s = 1, .length_s = {4}},
                                     {.arrival_s = 2, .length_s = {9}},
                                     {.arrival_s = 3, .length_s = {5}}};
  const auto got = completion_times(run_tiny("tiresias:limit1=4:limit2=inf", {1}, jobs), jobs);
  EXPECT_THAT(got, ElementsAre(testing::DoubleNear(20, 1e-5), testing::DoubleNear(7, 1e-5),
                               testing::DoubleNear(23, 1e-5), testing::DoubleNear(23, 1e-5)));
}

TEST(Tiresias, ServiceCountsGpus) {
  // A on two GPUs reaches 8 GPU-seconds after 4 s, not 8; B arrives at 1 and takes over then.
  const std::vector<TinyJob> jobs = {{.arrival_s = 0, .gpus = 2, .length_s = {20}},
                                     {.arrival_s = 1, .gpus = 2, .length_s = {3}}};
  const auto got = run_tiny("tiresias:limit1=8:limit2=inf", {2}, jobs);
  EXPECT_NEAR(got[1].start_s, 4, 1e-5);
  EXPECT_EQ(got[0].stops, 1);
  EXPECT_NEAR(got[0].end_s, 23, 1e-5);
}

JobView waiting_job(double executed_s, double stopped_s) {
  JobView job;
  job.gpus = 2;
  job.executed_s = executed_s;
  job.stopped_s = stopped_s;
  job.since_s = stopped_s;
  return job;
}

TEST(ServiceQueues, SinksAtItsLimitsInGpuSeconds) {
  ServiceQueues queues({3250, 7200}, 0);
  JobView job = waiting_job(0, -1);  // never ran
  job.since_s = 0;
  job.type = 0;
  job.speed = 1;
  const ServicePlace first = queues.place(job, 0);
  EXPECT_EQ(first.queue, 0);
  EXPECT_DOUBLE_EQ(first.until_s, 1625);  // 3250 GPU-seconds on two GPUs
  const ServicePlace second = queues.place(job, first.until_s);
  EXPECT_EQ(second.queue, 1);
  EXPECT_DOUBLE_EQ(second.until_s, 3600);
  const ServicePlace third = queues.place(job, second.until_s);
  EXPECT_EQ(third.queue, 2);
  EXPECT_EQ(third.until_s, std::numeric_limits<double>::infinity());
}

TEST(ServiceQueues, LongWaitsBringAJobBack) {
  ServiceQueues queues({10}, 2);
  const JobView job = waiting_job(100, 1000);  // 200 GPU-seconds, waits since 1000
  const ServicePlace sunk = queues.place(job, 1000);
  EXPECT_EQ(sunk.queue, 1);
  EXPECT_DOUBLE_EQ(sunk.until_s, 1200);  // twice 100 s
  const ServicePlace risen = queues.place(job, 1200);
  EXPECT_EQ(risen.queue, 0);
  EXPECT_EQ(risen.service, 0);
  JobView again = waiting_job(103, 1300);  // only what came since counts: 6 GPU-seconds
  EXPECT_EQ(queues.place(again, 1301).queue, 0);
  again.executed_s = 106;
  EXPECT_EQ(queues.place(again, 1301).queue, 1);
}

TEST(ServiceQueues, LimitsMustAscend) {
  EXPECT_THROW(ServiceQueues({10, 5}, 0), InputError);
  EXPECT_THROW((void)test::queue_policy("tiresias:limit1=10:limit2=5"), InputError);
}

TEST(Gittins, WorkedExample) {
  // {2, 4, 10}: at 0, max(1/6, 2/10, 3/16); at 2, max(1/4, 2/10); at 4, 1/6.
  const std::array<double, 3> sizes = {2, 4, 10};
  EXPECT_DOUBLE_EQ(gittins_index(sizes, 0), 0.2);
  EXPECT_DOUBLE_EQ(gittins_index(sizes, 2), 0.25);
  EXPECT_DOUBLE_EQ(gittins_index(sizes, 4), 1.0 / 6);
  EXPECT_EQ(gittins_index(sizes, 10), 0);
  EXPECT_EQ(gittins_index({}, 0), 0);
}

// Against the definition, over random samples.
TEST(Gittins, AgreesWithItsDefinition) {
  Rng rng = Rng(2).stream("gittins");
  for (int round = 0; round < 200; ++round) {
    std::vector<double> sizes(1 + rng.below(12));
    for (double& size : sizes) size = std::ceil(rng.exponential(20));
    std::ranges::sort(sizes);
    const double attained = std::floor(30 * rng.uniform());
    double best = 0;
    for (const double size : sizes) {
      const double delta = size - attained;
      double ended = 0;
      double spent = 0;
      for (const double other : sizes) {
        if (other <= attained) continue;
        ended += other - attained <= delta ? 1 : 0;
        spent += std::min(other - attained, delta);
      }
      if (delta > 0) best = std::max(best, ended / spent);
    }
    EXPECT_NEAR(gittins_index(sizes, attained), best, 1e-12);
  }
}

TEST(Gittins, TheTableIsTheIndexAtItsPoints) {
  GittinsTable table;
  EXPECT_EQ(table.index(0), 0);
  const std::array<double, 3> sizes = {100, 400, 90};
  for (const double size : sizes) table.add(size);
  EXPECT_EQ(table.index(0), 0);  // not before it is refreshed
  table.refresh();
  const std::array<double, 3> sorted = {90, 100, 400};
  EXPECT_DOUBLE_EQ(table.index(0), gittins_index(sorted, 0));
  EXPECT_EQ(table.next_point(0), 60);
  EXPECT_DOUBLE_EQ(table.index(70), gittins_index(sorted, 60));
  EXPECT_EQ(table.next_point(60), 90);
}

TEST(Gittins, BeforeAnythingEndedItIsFirstComeFirstServed) {
  const std::vector<TinyJob> jobs = {{.arrival_s = 0, .length_s = {100}},
                                     {.arrival_s = 1, .length_s = {50}},
                                     {.arrival_s = 2, .length_s = {10}}};
  const auto got = run_tiny("gittins", {1}, jobs);
  EXPECT_NEAR(got[1].start_s, 100, 1e-6);
  EXPECT_NEAR(got[2].start_s, 150, 1e-6);
}

// A hundred jobs of 100 s have taught it that jobs end at 100 s or last 3000: one that has run beyond 135
// lets newcomers pass; with FIFO inside the queue it would not.
TEST(Gittins, LearnsFromWhatEnded) {
  std::vector<TinyJob> jobs;
  for (int i = 0; i < 100; ++i) jobs.push_back({.arrival_s = 100.0 * i, .length_s = {100}});
  jobs.push_back({.arrival_s = 10000, .length_s = {3000}});
  jobs.push_back({.arrival_s = 14000, .length_s = {3000}});
  jobs.push_back({.arrival_s = 14200, .length_s = {100}});
  const auto got = run_tiny("gittins:refresh=100", {1}, jobs);
  EXPECT_LT(got[102].start_s, 14300);
  EXPECT_EQ(got[101].stops, 1);
  EXPECT_EQ(run_tiny("tiresias", {1}, jobs)[101].stops, 0);
}

TEST(Tiresias, EverybodyEndsOnRandomTraces) {
  Rng rng = Rng(21).stream("tiresias");
  for (int round = 0; round < 10; ++round) {
    std::vector<TinyJob> jobs;
    double now = 0;
    for (int i = 0; i < 60; ++i) {
      now += rng.exponential(300);
      const auto gpus = static_cast<std::int32_t>(1 + rng.below(8));
      jobs.push_back({.arrival_s = now, .gpus = gpus, .length_s = {rng.exponential(3000)}});
    }
    for (const char* policy : {"tiresias", "tiresias:promote=2", "gittins"}) {
      for (const TinyOutcome& outcome : run_tiny(policy, {8}, jobs)) EXPECT_GT(outcome.end_s, 0) << policy;
    }
  }
}

}  // namespace
}  // namespace sextant::schedule
