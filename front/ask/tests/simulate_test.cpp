#include "sextant/ask/simulate.h"

#include <gmock/gmock.h>

#include <fstream>

#include "error_of.h"
#include "sextant/ask/simulation_summary.h"
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
  SimulationAnswer answer(const SimulationStop& stop = {}) {
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

TEST_F(AskSimulate, JobsThatNeverRunOrEndAreTold) {
  jobs(kFourJobs + std::string("E,3,64,1\n"));
  question_.until = "12";
  EXPECT_THAT(answer().warnings, ElementsAre(HasSubstr("can never run: job E asks for 64 GPUs"),
                                             "fifo: 2 jobs did not end within the run; the first is job C"));
}

TEST_F(AskSimulate, AStopLeavesRunsUndone) {
  jobs(kFourJobs);
  const std::atomic<bool> stop = true;
  for (const SimulationStop& how : {SimulationStop{.finish = &stop}, {.abandon = [] { return true; }}}) {
    const SimulationAnswer found = answer(how);
    EXPECT_TRUE(found.stopped);
    EXPECT_FALSE(found.runs.at(0).done);
    EXPECT_THAT(found.warnings, ElementsAre("interrupted: 0 of 1 runs were done"));
  }
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
  expect_refused("which GPUs?");
}

}  // namespace
}  // namespace sextant::ask
