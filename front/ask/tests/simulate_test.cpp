#include "sextant/ask/simulate.h"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>

#include "error_of.h"
#include "sextant/ask/simulation_summary.h"
#include "sextant/ask/simulation_verdict.h"
#include "temporary_folder.h"

namespace sextant::ask {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// One GPU: A(0,8) B(1,4) C(2,9) D(3,5).
constexpr const char* kFourJobs = "id,arrival_s,gpus,reference_s\nA,0,1,8\nB,1,1,4\nC,2,1,9\nD,3,1,5\n";

class AskSimulate : public testing::Test {
 protected:
  void jobs(const std::string& csv) {
    const auto file = folder_.path() / "jobs.csv";
    std::ofstream(file) << csv;
    question_.trace = file.string();
  }
  SimulationAnswer answer(const RunStop& stop = {}) {
    NoProgress quiet;
    return simulate(question_, catalog::builtin_catalog(), quiet, stop);
  }
  void expect_refused(const std::string& says) {
    EXPECT_THAT(sextant::test::error_of([&] { (void)answer(); }), HasSubstr(says));
  }
  TemporaryFolder folder_;
  SimulateQuestion question_{.clusters = {"gpu=1"}};
};

// Textbook values: FIFO 15.25, SRTF 13.
TEST_F(AskSimulate, PoliciesSeeTheSameJobs) {
  jobs(kFourJobs);
  question_.policies = {"fifo", "srtf"};
  const SimulationAnswer found = answer();
  ASSERT_EQ(found.runs.size(), 2U);
  EXPECT_DOUBLE_EQ(found.runs[0].metrics.mean_jct.value, 15.25);
  EXPECT_DOUBLE_EQ(found.runs[1].metrics.mean_jct.value, 13);
  EXPECT_TRUE(found.warnings.empty());
  EXPECT_EQ(run_name(found.plan, found.runs[1]), "srtf");
}

// At 19.5 TFLOP/s a step of 16 sequences, 5.3 TFLOP, takes 273 ms in fp32: the row is of another format.
TEST_F(AskSimulate, TimedStepsThatAreLeftOutAreTold) {
  jobs(kFourJobs);
  question_.clusters = {"a100=1,v100=1"};
  const auto timed = folder_.path() / "timed.csv";
  std::ofstream(timed) << "net,gpu,batch,measured_ms\nbert-base,a100,16,136\n";
  question_.model.measured = timed.string();
  EXPECT_THAT(answer().notes, testing::Contains(testing::AllOf(HasSubstr("timed.csv:2: 136 ms is below the"),
                                                               HasSubstr("until then the row is left out"))));
}

// Run times on the only pool need no prediction, so that timings change nothing.
TEST_F(AskSimulate, TimedStepsThatNobodyAsksForAreTold) {
  jobs(kFourJobs);
  question_.model.measured = (folder_.path() / "timed.csv").string();
  EXPECT_THAT(answer().notes, ElementsAre(HasSubstr("the timed steps are not used")));
}

TEST_F(AskSimulate, JobsThatNeverRunOrEndAreTold) {
  jobs(kFourJobs + std::string("E,3,64,1\n"));
  question_.until = "12";
  EXPECT_THAT(answer().warnings,
              ElementsAre("1 job can never run, because they ask for more GPUs than any pool "
                          "that they may use has: job E asks for 64 GPUs; the largest pool "
                          "that it may use has 1",
                          "fifo: 2 jobs did not end within the run; the first is job C"));
}

// First come, first served: 8 + 4 + 9 s, and D has 5 s to go.
TEST_F(AskSimulate, OneJobThatDoesNotEndIsOne) {
  jobs(kFourJobs);
  question_.until = "22";
  EXPECT_THAT(answer().warnings, ElementsAre("fifo: 1 job did not end within the run: job D"));
}

TEST_F(AskSimulate, AStopLeavesRunsUndone) {
  jobs(kFourJobs);
  const std::atomic<bool> stop = true;
  for (const RunStop& how : {RunStop{.finish = &stop}, {.abandon = [] { return true; }}}) {
    const SimulationAnswer found = answer(how);
    EXPECT_TRUE(found.stopped);
    EXPECT_FALSE(found.runs.at(0).done);
    EXPECT_THAT(found.warnings, ElementsAre("interrupted: 0 of 1 runs were done"));
  }
}

// Three jobs on one GPU, recorded as they ran elsewhere: waits 0, 5 and 2 s.
TEST_F(AskSimulate, WhatWasRecordedStandsBesideIt) {
  jobs("id,arrival_s,gpus,reference_s,start_s\nA,0,1,10,0\nB,1,1,4,6\nC,2,1,6,4\nE,3,64,1,3\n");
  const SimulationAnswer found = answer();
  ASSERT_TRUE(found.recorded.has_value());
  EXPECT_EQ(found.recorded->jobs, 3) << "without the one that can never run here";
  EXPECT_DOUBLE_EQ(found.recorded->mean_jct_s, (10.0 + 9 + 8) / 3);
  EXPECT_DOUBLE_EQ(found.recorded->mean_wait_s, 7.0 / 3);
  EXPECT_DOUBLE_EQ(found.recorded->makespan_s, 10);
  question_.window = "1:3";
  EXPECT_DOUBLE_EQ(answer().recorded->mean_jct_s, 8.5);
  question_.window = {};
  question_.loads = {"2"};
  EXPECT_FALSE(answer().recorded) << "other arrivals are other waits";
}

// A short job with a long limit does not pass under backfilling that goes by the limits.
TEST_F(AskSimulate, PoliciesMayPlanByTheLimits) {
  jobs("id,arrival_s,gpus,reference_s,estimate_s\nA,0,2,10,10\nB,1,4,5,5\nC,2,2,5,20\n");
  question_.clusters = {"gpu=4/4"};
  question_.policies = {"easy-backfill"};
  EXPECT_DOUBLE_EQ(answer().runs.at(0).metrics.mean_jct.value, (10.0 + 14 + 5) / 3);
  question_.plan_by = "limits";
  EXPECT_DOUBLE_EQ(answer().runs.at(0).metrics.mean_jct.value, (10.0 + 14 + 18) / 3);
  question_.estimates = true;
  expect_refused("contradicts `estimates`");
  question_.estimates = false;
  question_.plan_by = "limit";
  expect_refused("limits");
}

TEST_F(AskSimulate, RowsThatAreLeftOutAreSaid) {
  jobs(
      "JobID|Submit|Start|End|AllocTRES\n"
      "1|2024-01-01T00:00:00|2024-01-01T00:10:00|2024-01-01T01:00:00|gres/gpu=1\n"
      "1.batch|2024-01-01T00:00:00|2024-01-01T00:10:00|2024-01-01T01:00:00|\n"
      "2|2024-01-01T00:05:00|2024-01-01T02:00:00|2024-01-01T01:00:00|gres/gpu=1\n");
  EXPECT_THAT(answer().notes, testing::Contains("1 of 3 rows was left out: 1 ending before they start"));
}

TEST_F(AskSimulate, ASlipInATypeIsAsked) {
  jobs(kFourJobs);
  question_.clusters = {"a1oo=1"};
  EXPECT_THAT(answer().notes, ElementsAre(testing::AllOf(HasSubstr("does not know 'a1oo'"),
                                                         HasSubstr("did you mean 'A100'?"))));
}

// A name like no other: it may be meant, and whoever reads the costs has to know.
TEST_F(AskSimulate, ATypeThatNobodyKnowsIsSaid) {
  jobs(kFourJobs);
  question_.clusters = {"xyz=1"};
  EXPECT_THAT(answer().notes,
              ElementsAre("the catalogue does not know 'xyz', so its speed is taken as 1 and it has no "
                          "price; a cluster file can state speed and price"));
  question_.clusters = {"gpu=1"};
  EXPECT_THAT(answer().notes, testing::IsEmpty()) << "any GPU";
}

// Each reason is counted, and the first three jobs of it are named.
TEST_F(AskSimulate, JobsThatCanNeverRunByReason) {
  std::string csv = "id,arrival_s,gpus,reference_s,types\nok,0,1,1,\n";
  for (int i = 0; i < 5; ++i) csv += "big" + std::to_string(i) + ",0,64,1,\n";
  jobs(csv + "picky,0,1,1,h100\n");
  EXPECT_THAT(
      answer().warnings,
      ElementsAre(testing::AllOf(HasSubstr("1 job can never run"), HasSubstr("job picky may use only h100")),
                  testing::AllOf(HasSubstr("5 jobs can never run, because they ask for more GPUs"),
                                 HasSubstr("job big2 asks for 64 GPUs"), HasSubstr("; and 2 more"))));
}

class StopsAfter final : public Progress {
 public:
  StopsAfter(std::int64_t runs, std::atomic<bool>& stop) : runs_(runs), stop_(stop) {}
  void step(std::int64_t done, std::int64_t, const std::string&) override { stop_ = done >= runs_; }

 private:
  std::int64_t runs_;
  std::atomic<bool>& stop_;
};

// Two policies, stopped in the middle of the third seed: one policy has a run more than the other.
TEST_F(AskSimulate, AStopBetweenThePoliciesOfASeedKeepsWhatWasDone) {
  question_.generate = "philly:jobs=30";
  question_.clusters = {"gpu=16"};
  question_.policies = {"fifo", "srtf"};
  question_.seeds = 9;
  question_.threads = 1;
  std::atomic<bool> stop = false;
  StopsAfter progress(5, stop);
  const SimulationAnswer found = simulate(question_, catalog::builtin_catalog(), progress, {.finish = &stop});
  EXPECT_TRUE(found.stopped);
  const SimulationSummary summary = over_seeds(found.plan, found.runs);
  ASSERT_EQ(summary.policies.size(), 2U);
  EXPECT_TRUE(summary.policies[0].mean_jct_s.half_width.has_value());
  ASSERT_EQ(summary.contrasts.size(), 1U);
  EXPECT_EQ(verdicts(found.plan, found.runs).at(0).samples, 2U) << "seeds that both policies have";
}

// Durations on the first pool; a K80 is slower, by the catalogue, and a stated speed is believed.
TEST_F(AskSimulate, SpeedsOfPoolsComeFromTheCatalogue) {
  jobs("id,arrival_s,gpus,reference_s,types\nA,0,1,100,k80\n");
  const auto jct = [&] { return answer().runs.at(0).metrics.mean_jct.value; };
  question_.clusters = {"v100=1,k80=1"};
  EXPECT_NEAR(jct(), 100 / std::sqrt(4.37 / 15.7 * 240 / 900), 1e-6);
  EXPECT_THAT(answer().notes,
              ElementsAre(HasSubstr("run times count as on v100, the first pool; by the catalogue, "
                                    "k80 0.27 times as fast")));
  question_.clusters = {"k80=1"};
  EXPECT_NEAR(jct(), 100, 1e-6);
  EXPECT_TRUE(answer().notes.empty());
  question_.clusters = {"v100=1,own=1,k80=1"};
  EXPECT_THAT(answer().notes, testing::Contains(HasSubstr("cannot compare own with v100")));
}

// The job of 8 s ends after 8 s at every event, and at the end of the round that it began in.
TEST_F(AskSimulate, APolicyOfSharesLeavesTheOthersTheirEvents) {
  jobs(kFourJobs);
  question_.policies = {"fifo", "max-min"};
  question_.round = "5";
  const SimulationAnswer found = answer();
  EXPECT_DOUBLE_EQ(found.runs[0].metrics.mean_jct.value, 15.25);
  EXPECT_EQ(found.plan.mechanism(0), "event");
  EXPECT_EQ(found.plan.mechanism(1), "rounds");
  EXPECT_THAT(found.notes,
              ElementsAre("max-min gives shares of time and decides in rounds of 5.00 s; fifo decides at "
                          "every event; `mechanism` rounds compares all in rounds"));
  question_.mechanism = "rounds";
  EXPECT_TRUE(answer().notes.empty());
  EXPECT_GT(answer().runs[0].metrics.mean_jct.value, 15.25);
}

TEST_F(AskSimulate, AMappingNamesTheColumnsOfACsv) {
  jobs("n,t,s\n1,0,8\n1,1,4\n1,2,9\n1,3,5\n");
  question_.map = {"submit=t", "gpus=n", "duration=s"};
  EXPECT_DOUBLE_EQ(answer().runs[0].metrics.mean_jct.value, 15.25);
  question_.trace_format = "gavel";
  expect_refused("`trace_format` is 'gavel'");
  question_.trace_format.reset();
  question_.map = {"submit"};
  expect_refused("does not say which column is which");
}

TEST_F(AskSimulate, SeedsGiveMeansAndContrasts) {
  question_.generate = "philly:jobs=30";
  question_.clusters = {"gpu=16"};
  question_.policies = {"fifo", "srtf"};
  question_.seeds = 3;
  const SimulationAnswer found = answer();
  const SimulationSummary summary = over_seeds(found.plan, found.runs);
  ASSERT_EQ(summary.policies.size(), 2U);
  double sum = 0;
  for (const auto& run : found.runs) sum += run.policy == 1 ? run.metrics.mean_jct.value : 0;
  EXPECT_NEAR(summary.policies[1].mean_jct_s.mean, sum / 3, 1e-9 * sum);
  EXPECT_GT(summary.policies[1].mean_jct_s.half_width.value(), 0);
  ASSERT_EQ(summary.contrasts.size(), 1U);
  EXPECT_EQ(summary.contrasts[0].mean_jct_s.first, "srtf");
}

// The only run: 8, 11, 19 and 23 seconds from arrival to completion; the GPU is held throughout.
TEST_F(AskSimulate, CurvesOfARun) {
  jobs(kFourJobs);
  question_.keep_jobs = question_.keep_utilization = true;
  const SimulationAnswer found = answer();
  const RunCurve jct = jct_distribution(found.runs.at(0));
  EXPECT_THAT(jct.x, ElementsAre(8, 11, 19, 23));
  EXPECT_THAT(jct.y, ElementsAre(0.25, 0.5, 0.75, 1));
  for (const double held : utilization_over_time(found.runs.at(0), 1).y) EXPECT_NEAR(held, 1, 1e-9);
}

TEST_F(AskSimulate, WhatContradictsItselfIsRefused) {
  expect_refused("there are no jobs to run");
  jobs(kFourJobs);
  question_.mechanism = "rounds, please";
  expect_refused("is no mechanism");
  question_.mechanism = "event";
  question_.policies = {"max-min"};
  expect_refused("which need rounds");
  question_.mechanism.reset();
  question_.gavel_compatible = true;
  question_.keep_timeline = true;
  expect_refused("Gavel's simulator has none");
  question_ = {.trace = question_.trace};
  expect_refused("which GPUs are there?");
}

}  // namespace
}  // namespace sextant::ask
