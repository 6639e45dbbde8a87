#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kill_harness.h"
#include "temp_folder.h"

namespace sextant::records::test {
namespace {

TEST(Kill, AcknowledgedRecordsSurviveFiftyKills) {
  const TempFolder folder;
  const auto report = run_kills({folder.file("r.db"), 50, 1, 20240501});
  EXPECT_THAT(report.faults, testing::IsEmpty());
  EXPECT_EQ(report.kills, 50);
  EXPECT_GT(report.acknowledged, 50);
  EXPECT_GT(report.repeated, 0) << "no kill fell between begin and acknowledgement";
}

TEST(Kill, TwoWritersKilledTogether) {
  const TempFolder folder;
  const auto report = run_kills({folder.file("r.db"), 20, 2, 20240502});
  EXPECT_THAT(report.faults, testing::IsEmpty());
  EXPECT_EQ(report.kills, 20);
  EXPECT_GT(report.acknowledged, 10);
}

}  // namespace
}  // namespace sextant::records::test
