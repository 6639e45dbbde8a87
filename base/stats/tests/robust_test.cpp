#include "sextant/stats/robust.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sextant/core/error.h"
#include "sextant/core/infinity.h"
#include "sextant/core/rng.h"

namespace sextant::stats {
namespace {

using Values = std::vector<double>;

TEST(StatsRobust, Median) {
  EXPECT_EQ(median(Values{3, 1, 2}), 2);
  EXPECT_EQ(median(Values{4, 1, 2, 3}), 2.5);
  EXPECT_EQ(median(Values{5}), 5);
}

TEST(StatsRobust, MadIsScaledToTheNormalDistribution) {
  // Median 3; distances 2 1 0 1 97 have median 1.
  EXPECT_DOUBLE_EQ(mad(Values{1, 2, 3, 4, 100}), 1.4826022185056018);
  EXPECT_EQ(mad(Values{5, 5, 5, 9}), 0);
  EXPECT_EQ(mad(Values{5}), 0);
}

TEST(StatsRobust, OutlierMarks) {
  // 0.6745 * (100 - 3) / 1 = 65.4 and 0.6745 * 2 / 1 = 1.35.
  const Values v{1, 2, 3, 4, 100};
  const auto scores = modified_z_scores(v);
  EXPECT_NEAR(scores[4], 0.6745 * 97, 1e-2);
  EXPECT_NEAR(scores[0], -0.6745 * 2, 1e-4);
  EXPECT_EQ(outlier_marks(v), (std::vector<bool>{false, false, false, false, true}));
}

TEST(StatsRobust, OutlierMarksWithoutSpread) {
  EXPECT_EQ(outlier_marks(Values{5, 5, 5}), (std::vector<bool>{false, false, false}));
  // MAD 0: the mean distance 9/10 takes over; 9 / (1.2533 * 0.9) = 7.98.
  Values v(10, 5.0);
  v[9] = 14;
  EXPECT_NEAR(modified_z_scores(v)[9], 9 / (1.2533141373155 * 0.9), 1e-9);
  EXPECT_TRUE(outlier_marks(v)[9]);
  EXPECT_THROW(outlier_marks(v, 0), InputError);
}

TEST(StatsRobust, BadInput) {
  EXPECT_THROW(median(Values{}), InputError);
  EXPECT_THROW(median(Values{1, kNan}), InputError);
  EXPECT_THROW(median(Values{kInfinity}), InputError);
  EXPECT_THROW(mad(Values{}), InputError);
  EXPECT_THROW(modified_z_scores(Values{}), InputError);
}

// Law: shifting and scaling the sample shifts and scales the median.
TEST(StatsRobust, MedianIsEquivariant) {
  Rng rng = Rng(3).stream("equivariant");
  for (int round = 0; round < 50; ++round) {
    Values v(2 + rng.below(20));
    for (double& x : v) x = rng.exponential(1);
    Values moved(v);
    for (double& x : moved) x = 3 - 4 * x;
    EXPECT_NEAR(median(moved), 3 - 4 * median(v), 1e-11);
    EXPECT_NEAR(mad(moved), 4 * mad(v), 1e-12);
  }
}

}  // namespace
}  // namespace sextant::stats
