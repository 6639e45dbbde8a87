// Layouts are those of the notes in docs/traces.md; texts are made up.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "sextant/core/error.h"
#include "sextant/jobs/trace.h"
#include "shared_data.h"

namespace sextant::jobs {
namespace {

using ::testing::HasSubstr;

std::string error_of(const std::string& text) {
  try {
    (void)parse_trace(text, "t.trace");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(GavelTrace, TenFields) {
  const Trace trace = parse_trace(
      "LM (batch size 5)\tpython main.py %s\tlm\t--steps\t1\t100\t1\t1\t-1.000000\t0\n"
      "A3C\tpython main.py\trl\t--max-steps\t0\t250\t4\t5\t-1\t12.5\r\n"
      "LM (batch size 5)\tpython main.py %s\tlm\t--steps\t1\t7\t2\t1\t1.2\t12.5\n",
      "t.trace");
  EXPECT_EQ(trace.format, "gavel");
  EXPECT_EQ(trace.unit, WorkUnit::steps);
  ASSERT_EQ(trace.jobs.size(), 3U);
  EXPECT_EQ(trace.rows, 3);
  EXPECT_EQ(trace.models, (std::vector<std::string>{"LM (batch size 5)", "A3C"}));
  const TraceJob& second = trace.jobs[1];
  EXPECT_EQ(second.id, "1");
  EXPECT_EQ(second.model, 1);
  EXPECT_EQ(second.work, 250);
  EXPECT_EQ(second.gpus, 4);
  EXPECT_EQ(second.weight, 5);
  EXPECT_EQ(second.arrival_s, 12.5);
  EXPECT_EQ(second.line, 2);
  EXPECT_EQ(trace.jobs[2].model, 0);
  // An SLO is a multiple of a duration that these files do not have.
  EXPECT_TRUE(std::isinf(trace.jobs[2].deadline_s));
  ASSERT_EQ(trace.notes.size(), 1U);
  EXPECT_THAT(trace.notes[0], HasSubstr("1 jobs have an SLO"));
}

TEST(GavelTrace, SevenFields) {
  const Trace trace = parse_trace("LM (batch size 5)\tcd %s && x\t-n\t1\t557847\t1456.000000\t4\n", "t");
  ASSERT_EQ(trace.jobs.size(), 1U);
  EXPECT_EQ(trace.jobs[0].work, 557847);
  EXPECT_EQ(trace.jobs[0].arrival_s, 1456);
  EXPECT_EQ(trace.jobs[0].gpus, 4);
  EXPECT_EQ(trace.jobs[0].weight, 1);
}

TEST(GavelTrace, TwelveFieldsHaveADuration) {
  const Trace trace =
      parse_trace("LM (batch size 10)\tx %s\tlm\t--steps\t1\t134583\t2\tgns\t1\t2\t1418\t55\n", "t");
  ASSERT_EQ(trace.jobs.size(), 1U);
  EXPECT_EQ(trace.unit, WorkUnit::steps);
  EXPECT_EQ(trace.jobs[0].work, 134583);
  EXPECT_EQ(trace.jobs[0].estimate_s, 1418);
  EXPECT_EQ(trace.jobs[0].deadline_s, 55 + 2 * 1418);
  EXPECT_THAT(trace.notes.at(0), HasSubstr("batch size"));
}

TEST(GavelTrace, WhatIsWrongHasItsPlace) {
  const std::string good = "A3C\tx\trl\t-s\t0\t250\t1\t1\t-1\t100\n";
  EXPECT_THAT(error_of(good + "A3C\tx\trl\t-s\t0\t250\t1\t1\t-1\t99\n"),
              HasSubstr("t.trace:2:26: error: this job arrives at 99 s"));
  EXPECT_THAT(error_of(good + "A3C\tx\trl\t-s\t0\tmany\t1\t1\t-1\t100\n"),
              HasSubstr("t.trace:2:15: error: 'many' is no number of steps"));
  EXPECT_THAT(error_of(good + "A3C\tx\trl\t-s\t0\t2.5\t1\t1\t-1\t100\n"),
              HasSubstr("no whole number of steps"));
  EXPECT_THAT(error_of(good + "A3C\tx\trl\t-s\t0\t0\t1\t1\t-1\t100\n"),
              HasSubstr("'0' is no number of steps"));
  EXPECT_THAT(error_of(good + "A3C\tx\trl\t-s\t0\t5\t0\t1\t-1\t100\n"),
              HasSubstr("'0' is no number of GPUs"));
  EXPECT_THAT(error_of(good + "A3C\tx\trl\t-s\t0\t5\t1\tnan\t-1\t100\n"),
              HasSubstr("'nan' is no priority weight"));
  EXPECT_THAT(error_of(good + "A3C\tx\trl\t-s\t0\t5\t1\t1\t-1\t-3\n"), HasSubstr("'-3' is no arrival"));
  EXPECT_THAT(error_of(good + "A3C\tx\trl\t-s\t0\t5\t1\t1\t-1\t1e300\n"), HasSubstr("'1e300' is no arrival"));
  EXPECT_THAT(error_of(good + "A3C\tx\trl\n"),
              HasSubstr("t.trace:2:1: error: this line has 3 fields, and not 10"));
  EXPECT_THAT(error_of(""), HasSubstr("is empty"));
  EXPECT_THAT(error_of("hello\n"), HasSubstr("no reader knows"));
}

TEST(GavelTrace, PublicFiles) {
  SEXTANT_NEEDS_DATA(folder, "gavel/traces");
  // Rows of each file: README of the data.
  const std::vector<std::pair<std::string, std::size_t>> files = {
      {"msr_seed0_2869ce", 533},
      {"physical_artifact_evaluation", 15},
      {"physical_max_min_fairness", 96},
      {"shockwave_120jobs_multigpu_dynamic", 120}};
  for (const auto& [name, jobs] : files) {
    const Trace trace = read_trace(folder + "/" + name + ".trace");
    EXPECT_EQ(trace.jobs.size(), jobs) << name;
    EXPECT_EQ(trace.format, "gavel");
  }
}

}  // namespace
}  // namespace sextant::jobs
