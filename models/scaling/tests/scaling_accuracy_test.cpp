// Errors on measured placements that the law did not see.
#include <gtest/gtest.h>

#include <filesystem>

#include "error_of.h"
#include "sextant/scaling/accuracy.h"
#include "shared_data.h"

namespace sextant::scaling {
namespace {

TEST(ScalingAccuracy, StaysWithinItsTargets) {
  SEXTANT_NEEDS_DATA(folder, "scaling/sia_bert.csv");
  NoProgress quiet;
  const auto root = std::filesystem::path(folder).parent_path().parent_path().string();
  const auto lines = scaling_accuracy(root, quiet);
  ASSERT_EQ(lines.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_LE(lines[i].mean_error(), *lines[i].target) << lines[i].left_out;
    EXPECT_GE(lines[i].coverage(), 0.85) << lines[i].left_out;
  }
  EXPECT_LE(lines[0].coverage(), 0.96) << "too wide";
  EXPECT_LE(lines[2].coverage(), 0.96) << "too wide";
  EXPECT_EQ(lines[0].cases.size(), 6866U);
  EXPECT_EQ(lines[1].cases.size(), 14234U);
  EXPECT_EQ(lines[2].cases.size(), 114U);
}

TEST(ScalingAccuracy, NamesTheFileThatIsMissing) {
  NoProgress quiet;
  EXPECT_NE(
      sextant::test::error_of([&] { scaling_accuracy("nowhere", quiet); }).find("nowhere/scaling/sia_*.csv"),
      std::string::npos);
}

}  // namespace
}  // namespace sextant::scaling
