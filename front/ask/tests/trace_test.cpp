#include "sextant/ask/trace.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace sextant::ask
