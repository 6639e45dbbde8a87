// The stated accuracy on the measured tables, with everything fitted anew inside each fold.
#include <gtest/gtest.h>

#include <cstdio>

#include "sextant/collectives/calibration_fit.h"
#include "shared_data.h"

namespace sextant::collectives {
namespace {

TEST(CollectiveAccuracy, LongerMessagesAndNewSystems) {
  SEXTANT_NEEDS_DATA(file, "collectives/all_reduce.csv");
  const std::string folder = file.substr(0, file.rfind("/collectives"));
  NoProgress quiet;
  for (const auto& line : collective_accuracy(folder, catalog::builtin_catalog(), quiet)) {
    EXPECT_GT(line.cases.size(), 1000U);
    EXPECT_LE(line.mean_error(), line.target.value()) << line.left_out;
    EXPECT_GE(line.coverage(), 0.8) << line.left_out;  // of intervals that state 0.9
    std::printf("%s: mean error %.4f, median %.4f, coverage %.3f, half-width %.3f\n", line.left_out.c_str(),
                line.mean_error(), line.median_error(), line.coverage(), line.median_half_width());
  }
}

}  // namespace
}  // namespace sextant::collectives
