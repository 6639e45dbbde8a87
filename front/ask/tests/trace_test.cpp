#include "sextant/ask/trace.h"

#include <gtest/gtest.h>

#include "error_of.h"

namespace sextant::ask {
namespace {

TEST(AskTrace, WhatIsSaidBesideTheSpecificationCounts) {
  GenerateTraceQuestion question{.spec = "philly:jobs=20", .jobs = 7};
  const TraceAnswer made = generate_trace(question);
  EXPECT_EQ(made.trace.jobs.size(), 7U);
  EXPECT_EQ(made.speeds.reference, "v100");
  question.speeds.reference = "p100";
  EXPECT_EQ(generate_trace(question).speeds.reference, "p100");
  const jobs::TraceSummary summary = summarize_trace(made.trace, made.speeds);
  EXPECT_EQ(summary.jobs, 7);
  EXPECT_TRUE(summary.duration.has_value());
}

TEST(AskTrace, AMeaningThatNobodyKnowsIsToldWhereItStands) {
  EXPECT_EQ(trace_format_of("", {"submit=created", "gpus=n"}), "csv:submit=created:gpus=n");
  const std::string error = sextant::test::error_of([] { (void)trace_format_of("", {"arrival=created"}); });
  EXPECT_NE(error.find("`map`: error: 'arrival' means nothing here"), std::string::npos) << error;
  EXPECT_NE(error.find("submit"), std::string::npos) << error;
}

}  // namespace
}  // namespace sextant::ask
