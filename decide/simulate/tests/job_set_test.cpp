#include "sextant/simulate/job_set.h"

#include <gmock/gmock.h>

#include <cmath>

namespace sextant::simulate {
namespace {

clusters::Cluster two_pools() {
  return {.name = "two",
          .pools = {{.type = "v100", .gpus = 8, .speed = 1}, {.type = "k80", .gpus = 4, .speed = 0.25}}};
}

jobs::Trace three_jobs() {
  jobs::Trace trace{.source = "jobs.csv", .format = "test"};
  trace.models = {"A", "B"};
  trace.jobs = {{.id = "a", .arrival_s = 0, .gpus = 1, .model = 0, .work = 100},
                {.id = "b", .arrival_s = 10, .gpus = 8, .model = 1, .work = 50, .deadline_s = 110, .line = 3},
                {.id = "c", .arrival_s = 20, .gpus = 1, .model = 0, .work = 10, .types = {"K80"}}};
  return trace;
}

constexpr const char* kTable = R"json({
  "v100": {"('A', 1)": {"null": 10, "('A', 1)": [7, 8]}, "('B', 8)": {"null": 4}},
  "v100_unconsolidated": {"('A', 1)": {"null": 9}, "('B', 8)": {"null": 1}},
  "k80": {"('A', 1)": {"null": 2}, "('B', 8)": {"null": 0}}})json";
constexpr const char* kNothingRuns = R"json({
  "v100": {"('A', 1)": {"null": 0}, "('B', 8)": {"null": 4}}, "k80": {"('A', 1)": {"null": 0}}})json";
constexpr const char* kOneModel = R"json({"v100": {"('A', 1)": {"null": 1}}, "k80": {}})json";

TEST(JobSet, LimitsToPlanBy) {
  jobs::Trace trace = three_jobs();
  const JobSetOptions by_limits{.plan_by_limits = true};
  EXPECT_THROW(make_job_set(trace, two_pools(), by_limits), InputError) << "no job states one";
  trace.jobs[0].estimate_s = 400;
  trace.jobs[1].estimate_s = 45;  // of 50 s: it was let outrun its limit
  const JobSet set = make_job_set(trace, two_pools(), by_limits);
  EXPECT_EQ(set.jobs[0].work, 100);
  EXPECT_EQ(set.jobs[0].planned, 400);
  EXPECT_EQ(set.jobs[1].planned, 50);
  EXPECT_EQ(set.jobs[2].planned, 400) << "the longest limit of all";
  trace.unit = jobs::WorkUnit::steps;
  EXPECT_THROW(make_job_set(trace, two_pools(), by_limits), InputError);
}

TEST(JobSet, DurationsAndThePoolsSpeed) {
  const JobSet set = make_job_set(three_jobs(), two_pools(), {});
  ASSERT_EQ(set.jobs.size(), 3U);
  EXPECT_THAT(set.classes[static_cast<std::size_t>(set.jobs[0].cls)].rate, testing::ElementsAre(1, 0.25));
  // Eight GPUs are more than the second pool has.
  EXPECT_THAT(set.classes[static_cast<std::size_t>(set.jobs[1].cls)].rate, testing::ElementsAre(1, 0));
  EXPECT_THAT(set.classes[static_cast<std::size_t>(set.jobs[2].cls)].rate, testing::ElementsAre(0, 0.25));
}

TEST(JobSet, AlikeJobsShareAClass) {
  jobs::Trace trace = three_jobs();
  trace.jobs[2].types.clear();
  const JobSet set = make_job_set(trace, two_pools(), {});
  EXPECT_EQ(set.jobs[0].cls, set.jobs[2].cls);
  EXPECT_EQ(set.classes.size(), 2U);
}

TEST(JobSet, LoadMovesArrivalsAndKeepsTheTimeToTheDeadline) {
  const JobSet set = make_job_set(three_jobs(), two_pools(), {.load = 2});
  EXPECT_EQ(set.jobs[1].arrival, Seconds{5});
  EXPECT_EQ(set.jobs[1].deadline, Seconds{105});
  EXPECT_TRUE(std::isinf(set.jobs[0].deadline.value));
}

TEST(JobSet, JobsThatCanNeverRunAreNamedWithTheReason) {
  jobs::Trace trace = three_jobs();
  trace.jobs[0].gpus = 64;
  trace.jobs[2].types = {"h100"};
  const JobSet set = make_job_set(trace, two_pools(), {});
  ASSERT_EQ(set.jobs.size(), 1U);
  ASSERT_EQ(set.refused.size(), 2U);
  EXPECT_EQ(set.refused[0].reason, "asks for 64 GPUs; the largest pool that it may use has 8");
  EXPECT_EQ(set.refused[0].kind, RefusalKind::gpus);
  EXPECT_EQ(set.refused[1].source, 2);
  EXPECT_EQ(set.refused[1].kind, RefusalKind::type);
  EXPECT_THAT(set.refused[1].reason, testing::HasSubstr("h100"));
}

TEST(JobSet, SpeedsFromATable) {
  const jobs::ThroughputTable table = jobs::ThroughputTable::parse(kTable, "speeds.json");
  const auto speeds = speeds_from_table(table, two_pools());
  const JobSet set = make_job_set(three_jobs(), two_pools(), {.speeds = speeds.get(), .pairs = true});
  const JobClass& one = set.classes[static_cast<std::size_t>(set.jobs[0].cls)];
  EXPECT_THAT(one.rate, testing::ElementsAre(10, 2));
  EXPECT_THAT(one.across_nodes, testing::ElementsAre(1, 1));  // one GPU cannot be spread
  const JobClass& eight = set.classes[static_cast<std::size_t>(set.jobs[1].cls)];
  EXPECT_THAT(eight.across_nodes, testing::ElementsAre(0.25, 1));
  const PairOfClasses* pair = set.together(set.jobs[0].cls, set.jobs[0].cls);
  ASSERT_NE(pair, nullptr);
  EXPECT_THAT(pair->first_rate, testing::ElementsAre(7, 0));
  EXPECT_THAT(pair->second_rate, testing::ElementsAre(8, 0));
  EXPECT_EQ(set.together(set.jobs[1].cls, set.jobs[1].cls), nullptr);
}

TEST(JobSet, ZeroThroughputEverywhereIsARefusal) {
  const jobs::ThroughputTable table = jobs::ThroughputTable::parse(kNothingRuns, "speeds.json");
  const auto speeds = speeds_from_table(table, two_pools());
  const JobSet set = make_job_set(three_jobs(), two_pools(), {.speeds = speeds.get()});
  ASSERT_EQ(set.refused.size(), 2U);
  EXPECT_THAT(set.refused[0].reason, testing::HasSubstr("no speed above zero"));
}

TEST(JobSet, SpeedsOfWhatIsTooLargeNeedNotBeKnown) {
  jobs::Trace trace = three_jobs();
  trace.jobs[0].gpus = 64;
  const jobs::ThroughputTable table = jobs::ThroughputTable::parse(kTable, "speeds.json");
  const auto speeds = speeds_from_table(table, two_pools());
  const JobSet set = make_job_set(trace, two_pools(), {.speeds = speeds.get()});
  ASSERT_EQ(set.refused.size(), 1U);
  EXPECT_THAT(set.refused[0].reason, testing::HasSubstr("asks for 64 GPUs"));
}

TEST(JobSet, UnknownModelPointsAtTheLine) {
  const jobs::ThroughputTable table = jobs::ThroughputTable::parse(kOneModel, "speeds.json");
  const auto speeds = speeds_from_table(table, two_pools());
  try {
    make_job_set(three_jobs(), two_pools(), {.speeds = speeds.get()});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.where().line, 3);
    EXPECT_THAT(error.message(), testing::HasSubstr("no model 'B'"));
  }
}

TEST(JobSet, AModelThatNobodyTimedWithSoManyGpusIsARefusal) {
  jobs::Trace trace = three_jobs();
  trace.jobs[0].gpus = 2;
  const jobs::ThroughputTable table = jobs::ThroughputTable::parse(kTable, "speeds.json");
  const auto speeds = speeds_from_table(table, two_pools());
  const JobSet set = make_job_set(trace, two_pools(), {.speeds = speeds.get()});
  ASSERT_EQ(set.refused.size(), 1U);
  EXPECT_THAT(set.refused[0].reason, testing::HasSubstr("does not have 'A' on 2 GPUs"));
}

TEST(JobSet, StepsNeedSpeeds) {
  jobs::Trace trace = three_jobs();
  trace.unit = jobs::WorkUnit::steps;
  EXPECT_THROW(make_job_set(trace, two_pools(), {}), InputError);
}

TEST(JobSet, StatedRunTimesInsteadOfSteps) {
  jobs::Trace trace = three_jobs();
  trace.unit = jobs::WorkUnit::steps;
  for (jobs::TraceJob& job : trace.jobs) job.estimate_s = 30;
  EXPECT_EQ(make_job_set(trace, two_pools(), {.estimates = true}).jobs[0].work, 30);
  trace.jobs[1].estimate_s = 0;
  EXPECT_THROW(make_job_set(trace, two_pools(), {.estimates = true}), InputError);
}

TEST(JobSet, TableWithoutAType) {
  const jobs::ThroughputTable table = jobs::ThroughputTable::parse(kTable, "speeds.json");
  const clusters::Cluster cluster{.name = "", .pools = {{.type = "v10O", .gpus = 1}}};
  EXPECT_THROW(speeds_from_table(table, cluster), InputError);
}

}  // namespace
}  // namespace sextant::simulate
