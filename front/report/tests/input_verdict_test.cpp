// The sentences above the table of `measure input`.
#include "input_verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sextant::report {
namespace {

using measure::InputPoint;
using testing::HasSubstr;
using testing::Not;

InputPoint point(const std::string& format, std::int64_t prefetch, std::int64_t cache, double rate) {
  return {.format = format,
          .batch = 64,
          .batch_count = 8,
          .samples = 256,
          .prefetch = prefetch,
          .cache = cache,
          .samples_per_s = {rate, 1.1 * rate, 0.9 * rate},
          .bytes_per_s = {}};
}

TEST(InputVerdict, NamesTheStepsThatWaitAndWhatToChange) {
  measure::InputReport report;
  report.points = {point("images", 0, 0, 512.3), point("images", 4, 0, 800), point("records", 0, 0, 1280),
                   point("records", 4, 0, 2048), point("images", 0, 1, 10240)};
  // 64 / 512.3, 64 / 2048, 64 / 10240 seconds.
  EXPECT_EQ(
      input_verdict(report),
      "With format images, nothing read ahead, reading gives 512 samples/s: a training step of 64 samples "
      "that "
      "takes less than 125 ms waits for its input. With format records, 4 batches read ahead reading is 4 "
      "times as fast: only steps below 31.2 ms wait. With format images, nothing read ahead and decoded "
      "samples "
      "kept in memory reading is 20 times as fast: only steps below 6.25 ms wait. Training that uses the "
      "same "
      "cores leaves less for reading.");
}

TEST(InputVerdict, SaysWhereNothingHelps) {
  measure::InputReport report;
  report.points = {point("images", 0, 0, 500), point("images", 4, 0, 520)};
  EXPECT_THAT(input_verdict(report), HasSubstr("No other setting that was measured is much faster."));
  report.points.pop_back();
  EXPECT_THAT(input_verdict(report), Not(HasSubstr("No other setting")));
  report.points.clear();
  EXPECT_EQ(input_verdict(report), "");
}

}  // namespace
}  // namespace sextant::report
