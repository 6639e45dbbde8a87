#include "sextant/report/span_report.h"

#include <gtest/gtest.h>

namespace sextant::report {
namespace {

// 2.5 s after a recording that began in 2023: people count from its start, programs from 1970.
TEST(SpanReport, ASlowIterationIsFoundInTheRecording) {
  constexpr std::int64_t kBegin = 1'700'000'000'000'000'000;  // ns
  spans::SpanAnalysis analysis;
  analysis.begin_ns = kBegin;
  analysis.slow = {{.iteration = 7,
                    .process = 0,
                    .phase = "forward",
                    .at_ns = kBegin + 2'500'000'000,
                    .seconds = 0.056,
                    .usual_s = 0.006,
                    .robust_z = 40}};
  const Result result = spans_result(analysis);
  const Table& slow = result.sections.back().table;
  ASSERT_EQ(result.sections.back().key, "slow_iterations");
  ASSERT_EQ(slow.rows.size(), 1U);
  std::size_t column = 0;
  while (column < slow.columns.size() && slow.columns[column].title != "from start") ++column;
  ASSERT_LT(column, slow.columns.size());
  EXPECT_EQ(slow.rows[0][column].shown, "2.50 s");
  EXPECT_DOUBLE_EQ(std::get<double>(slow.rows[0][column].value), 1'700'000'002.5);
}

}  // namespace
}  // namespace sextant::report
