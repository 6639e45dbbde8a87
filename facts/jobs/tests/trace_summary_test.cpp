#include "sextant/jobs/trace_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error_of.h"
#include "sextant/jobs/generator.h"
#include "shared_data.h"

namespace sextant::jobs {
namespace {

TEST(TraceSummary, CountsByHand) {
  const Trace trace = parse_trace(
      "id,arrival_s,gpus,reference_s,user,gpu_share,deadline_s\n"
      "a,10,1,3600,u,1,\nb,20,2,7200,u,1,50000\nc,40,1,3600,v,0.5,\n",
      "t.csv");
  const TraceSummary s = summarize(trace, reference_durations(trace));
  EXPECT_EQ(s.jobs, 3);
  EXPECT_EQ(s.span_s, 30);
  EXPECT_DOUBLE_EQ(s.mean_gpus, 4.0 / 3);
  EXPECT_EQ(s.gangs, (std::map<std::int32_t, std::int64_t>{{1, 2}, {2, 1}}));
  EXPECT_EQ(s.users, 2);
  EXPECT_EQ(s.models, 0);
  EXPECT_EQ(s.with_deadline, 1);
  EXPECT_EQ(s.sharing, 1);
  EXPECT_EQ(s.duration->median, 3600);
  // 1 h on 1 GPU, 2 h on 2, 1 h on half of one.
  EXPECT_DOUBLE_EQ(s.gpu_hours.value(), 1 + 4 + 0.5);
  // Gaps 10 and 20 s: mean 15, variance 25.
  EXPECT_DOUBLE_EQ(s.gap_scv.value(), 25.0 / 225);
  // 2 arrivals in 30 s, of 5.5 / 3 GPU-hours each.
  EXPECT_DOUBLE_EQ(s.offered_load(100).value(), 2.0 / 30 * (5.5 / 3 * 3600) / 100);
}

// 250 steps at 1e-300 a second would be a number that no sum holds.
TEST(TraceSummary, ASpeedThatIsNoneHasItsPlace) {
  const Trace trace = parse_trace("A\tx\tx\t-s\t0\t250\t2\t1\t-1\t100\n", "t");
  const auto table = ThroughputTable::parse("{\"v100\": {\"('A', 2)\": {\"null\": 1e-300}}}", "s.json");
  EXPECT_THAT(test::error_of([&] { (void)reference_durations(trace, &table, "v100"); }),
              testing::HasSubstr("t:1:1: error: job 0 would take"));
}

TEST(TraceSummary, StepsBecomeSecondsWithATable) {
  const Trace trace = parse_trace("A\tx\tx\t-s\t0\t250\t2\t1\t-1\t100\n", "t");
  EXPECT_FALSE(reference_durations(trace));
  EXPECT_FALSE(summarize(trace, std::nullopt).gpu_hours);
  EXPECT_FALSE(summarize(trace, std::nullopt).offered_load(8));
  const auto table = ThroughputTable::parse("{\"v100\": {\"('A', 2)\": {\"null\": 5}}}", "t.json");
  EXPECT_EQ(reference_durations(trace, &table, "v100"), (std::vector<double>{50}));
  EXPECT_THAT(sextant::test::error_of([&] { (void)reference_durations(trace, &table, "v10"); }),
              ::testing::HasSubstr("did you mean 'v100'"));
}

// What a generator was asked for is what its jobs are: Poisson gaps, and the load of M/M/c.
TEST(TraceSummary, OfferedLoadOfAGenerator) {
  const Trace trace = generate_trace(parse_generator("markov:jobs=100000:interarrival=60:mean=1h"), 4);
  const TraceSummary s = summarize(trace, reference_durations(trace));
  EXPECT_NEAR(s.gap_scv.value(), 1, 0.03);
  EXPECT_NEAR(s.offered_load(80).value(), 3600.0 / 60 / 80, 0.01);
}

// 978,080 GPU-hours, mean 1.3038 GPUs: of the whole table, says its summary; this part has 64,871 jobs of it.
TEST(TraceSummary, PublicPhilly) {
  SEXTANT_NEEDS_DATA(file, "cluster-traces/philly_jobs.csv");
  const Trace trace = read_trace(file);
  const TraceSummary s = summarize(trace, reference_durations(trace));
  EXPECT_EQ(s.jobs, 64871);
  EXPECT_EQ(s.most_gpus, 128);
  EXPECT_LT(s.gpu_hours.value(), 978080);
  EXPECT_NEAR(s.mean_gpus, 1.3038, 0.05);
}

}  // namespace
}  // namespace sextant::jobs
