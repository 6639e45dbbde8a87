#include "sextant/report/simulation_report.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sextant/core/csv.h"

namespace sextant::report {
namespace {

using ::testing::HasSubstr;

// Three jobs on two GPUs, and one that can never run.
std::shared_ptr<const jobs::Trace> four_jobs(std::uint64_t seed) {
  auto trace = std::make_shared<jobs::Trace>();
  trace->jobs = {{.id = "a", .arrival_s = 0, .gpus = 2, .work = 10 + static_cast<double>(seed)},
                 {.id = "b", .arrival_s = 1, .gpus = 1, .work = 5},
                 {.id = "c", .arrival_s = 2, .gpus = 1, .work = 3},
                 {.id = "big", .arrival_s = 3, .gpus = 64, .work = 3}};
  return trace;
}

class SimulationReport : public testing::Test {
 protected:
  void run(std::int64_t seeds = 1) {
    plan_.trace = four_jobs;
    plan_.clusters = {{.name = "pair", .pools = {{.type = "gpu", .gpus = 2}}}};
    plan_.policies = {schedule::parse_policy("fifo"), schedule::parse_policy("srtf")};
    plan_.seeds = seeds;
    plan_.keep_jobs = true;
    plan_.run.series = plan_.run.segments = true;
    NoProgress quiet;
    runs_ = sweep(plan_, quiet);
  }
  simulate::SweepPlan plan_;
  std::vector<simulate::SweepRun> runs_;
};

// FIFO: a 0-10, b and c from 10: 15 and 13. Completion less arrival: 10, 14, 11.
TEST_F(SimulationReport, JsonHasEveryRunAndEveryPolicy) {
  run();
  const Json json = to_json(simulation_result(plan_, runs_));
  EXPECT_EQ(json["schema"], "sextant.simulation/2");
  ASSERT_EQ(json["runs"].size(), 2U);
  const Json& first = json["runs"][0];
  EXPECT_EQ(first["policy"], "fifo");
  EXPECT_EQ(first["cluster"], "pair");
  EXPECT_EQ(first["jobs"], 4);
  EXPECT_EQ(first["completed"], 3);
  EXPECT_NEAR(first["mean_jct_s"].get<double>(), 35.0 / 3, 1e-6);
  EXPECT_NEAR(first["makespan_s"].get<double>(), 15, 1e-6);
  for (const char* key : {"load", "seed", "p50_jct_s", "p99_jct_s", "utilization", "jain", "ftf_max",
                          "cost_usd", "energy_kwh", "restarts", "rounds", "events"}) {
    EXPECT_TRUE(first.contains(key)) << key;
  }
  EXPECT_TRUE(first["cost_usd"].is_null());  // nobody said what a GPU costs
  ASSERT_EQ(json["policies"].size(), 2U);
  EXPECT_EQ(json["policies"][0]["mean_jct_s"], first["mean_jct_s"]);
  EXPECT_TRUE(json["policies"][0]["mean_jct_half_width_s"].is_null());  // of one seed
  EXPECT_EQ(json["comparisons"], Json::array());
}

// Jobs of one priority run as they come.
TEST_F(SimulationReport, ADifferenceThatMattersToNobodyIsNone) {
  run();
  plan_.policies[1] = schedule::parse_policy("priority");
  NoProgress quiet;
  runs_ = sweep(plan_, quiet);
  const std::vector<std::string> lines = simulation_result(plan_, runs_).sections.at(1).table.notes;
  EXPECT_THAT(lines.at(0),
              testing::StartsWith("No difference that matters: fifo and priority have the same mean JCT"));
  EXPECT_THAT(lines.at(1), testing::StartsWith("No group of jobs"));
}

TEST_F(SimulationReport, SaysWhoWasToldTheRunTimes) {
  run();
  const Result told = simulation_result(plan_, runs_);
  EXPECT_THAT(told.sections.at(1).table.notes,
              testing::Contains(HasSubstr("srtf was told the exact run time of every job.")));
  EXPECT_EQ(to_json(told)["policies"][0]["run_times"], "none");
  EXPECT_EQ(to_json(told)["policies"][1]["run_times"], "exact");
  plan_.plan_by_limits = true;
  EXPECT_THAT(simulation_result(plan_, runs_).sections.at(1).table.notes,
              testing::Contains(HasSubstr("srtf planned by the users' time limits")));
}

TEST_F(SimulationReport, WhatWasRecordedIsTheLastRow) {
  run();
  const ask::RecordedTimes recorded{
      .jobs = 3, .mean_jct_s = 20, .p50_jct_s = 19, .p99_jct_s = 30, .makespan_s = 40, .mean_wait_s = 7};
  const Result result = simulation_result(plan_, runs_, recorded);
  const Json last = to_json(result)["policies"].at(2);
  EXPECT_EQ(last["policy"], "recorded");
  EXPECT_EQ(last["mean_jct_s"], 20);
  EXPECT_EQ(last["mean_wait_s"], 7);
  EXPECT_TRUE(last["utilization"].is_null()) << "nobody says how large that cluster was";
  EXPECT_THAT(result.sections.at(2).table.notes.front(), HasSubstr("recorded: what the trace says"));
}

TEST_F(SimulationReport, JobsOfSeveralRunsNameTheirRun) {
  run();
  std::ostringstream out;
  write_jobs_csv(out, plan_, runs_);
  const CsvTable table = CsvTable::parse(out.str(), "jobs.csv");
  EXPECT_EQ(table.rows(), 8U);
  EXPECT_THAT(std::vector(table.header().begin(), table.header().begin() + 9),
              testing::ElementsAre("policy", "cluster", "load", "seed", "job_id", "arrival_s", "start_s",
                                   "completion_s", "jct_s"));
  EXPECT_NEAR(table.number(1, table.column("completion_s")), 15, 1e-6);
  EXPECT_THAT(table.text(3, table.column("status")), HasSubstr("asks for 64 GPUs"));
}

TEST_F(SimulationReport, OneRunHasNoColumnsForIt) {
  run();
  runs_.resize(1);
  std::ostringstream out;
  write_jobs_csv(out, plan_, runs_);
  EXPECT_THAT(out.str(), testing::StartsWith("job_id,arrival_s,start_s,completion_s,jct_s,"));
}

TEST_F(SimulationReport, SeveralSeedsGiveMeansAndComparisons) {
  run(4);
  const Result result = simulation_result(plan_, runs_);
  EXPECT_EQ(result.sections.at(0).table.rows.size(), 8U);
  const Table& policies = result.sections.at(2).table;
  ASSERT_EQ(policies.rows.size(), 2U);
  const auto mean = std::ranges::find(policies.columns, "mean_jct_s", &Column::key);
  EXPECT_THAT(policies.rows[0].at(static_cast<std::size_t>(mean - policies.columns.begin())).shown,
              HasSubstr("±"));
  EXPECT_THAT(policies.notes, testing::Contains(HasSubstr("srtf against fifo")));
  ASSERT_FALSE(result.sections.at(1).table.notes.empty()) << "the verdict comes first";
  EXPECT_THAT(result.sections.at(1).table.notes[0], HasSubstr("paired over 4 seeds"));
  EXPECT_EQ(to_json(result)["verdicts"].at(0)["interval_over"], "seeds");
  EXPECT_THAT(policies.notes.back(), HasSubstr("; p99 "));
  const auto jain = std::ranges::find(policies.columns, "jain", &Column::key);
  EXPECT_THAT(jain->legend, HasSubstr("1 if all jobs are slowed down alike"));
  const Json comparison = to_json(result)["comparisons"].at(0);
  EXPECT_EQ(comparison["policy"], "srtf");
  EXPECT_EQ(comparison["against"], "fifo");
  EXPECT_LE(comparison["p99_jct_low_s"], comparison["p99_jct_difference_s"]);
}

// Slices of one track never overlap: what a viewer of traces needs.
TEST_F(SimulationReport, TimelineHasASliceForEachStayOnTracksOfItsOwn) {
  run();
  std::ostringstream out;
  write_timeline(out, plan_, runs_);
  const Json json = Json::parse(out.str());
  std::map<std::pair<int, int>, double> end;
  int slices = 0;
  for (const Json& event : json["traceEvents"]) {
    if (event["ph"] != "X") continue;
    ++slices;
    double& last = end[{event["pid"].get<int>(), event["tid"].get<int>()}];
    EXPECT_GE(event["ts"].get<double>(), last);
    last = event["ts"].get<double>() + event["dur"].get<double>();
  }
  EXPECT_GE(slices, 6);
}

TEST_F(SimulationReport, Pictures) {
  run();
  const LinePlot jct = jct_plot(plan_, runs_);
  ASSERT_EQ(jct.series.size(), 2U);
  EXPECT_EQ(jct.series[0].name, "fifo");
  EXPECT_DOUBLE_EQ(jct.series[0].y.back(), 1);
  const LinePlot use = utilization_plot(plan_, runs_);
  ASSERT_EQ(use.series.size(), 2U);
  // Both GPUs are held from 0 to 13 of 15 s, one to the end: 28 of 30 GPU-seconds.
  double mean = 0;
  for (const double y : use.series[0].y) mean += y / static_cast<double>(use.series[0].y.size());
  EXPECT_NEAR(mean, 28.0 / 30, 1e-6);
}

}  // namespace
}  // namespace sextant::report
