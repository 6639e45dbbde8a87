#include "sextant/stats/robust.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
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

TEST(StatsRobust, HodgesLehmann) {
  // Pair means of 1 2 10: 1 1.5 2 5.5 6 10, whose median is (2 + 5.5) / 2.
  EXPECT_DOUBLE_EQ(hodges_lehmann(Values{10, 1, 2}), 3.75);
  EXPECT_EQ(hodges_lehmann(Values{4}), 4);
  EXPECT_EQ(hodges_lehmann(Values{-1, 1}), 0);
}

double hodges_lehmann_by_enumeration(const Values& v) {
  Values means;
  for (std::size_t i = 0; i < v.size(); ++i) {
    for (std::size_t j = i; j < v.size(); ++j) means.push_back((v[i] + v[j]) / 2);
  }
  return median(means);
}

TEST(StatsRobust, HodgesLehmannEqualsEnumeration) {
  Rng rng = Rng(11).stream("hodges-lehmann");
  for (int round = 0; round < 200; ++round) {
    Values v(1 + rng.below(25));
    for (double& x : v) {
      x = rng.normal();
      if (round % 2 == 0) x = std::round(2 * x);  // many ties, both signs, zeros
    }
    EXPECT_EQ(hodges_lehmann(v), hodges_lehmann_by_enumeration(v));
  }
}

TEST(StatsRobust, HuberSolvesItsEquation) {
  // Sample 0 1 2 3 100: median 2, distances 2 1 0 1 98, so scale s = 1.4826 and reach c = 1.345 s =
  // 1.99410. With 100 clipped and the rest not: (0+1+2+3) - 4m + c = 0 gives m = (6 + c) / 4 =
  // 1.99853; but then 0 is clipped too (m - 0 > c): (1+2+3) - 3m - c + c = 0, m = 2, consistent.
  EXPECT_NEAR(huber_location(Values{0, 1, 2, 3, 100}), 2, 1e-12);
  // Sample 0 1 2 3 3.5: median 2, distances 2 1 0 1 1.5, median 1: same c. Nothing but 0 can be clipped:
  // the mean is 1.9 and 0 is within reach, so the estimate is the mean.
  EXPECT_NEAR(huber_location(Values{0, 1, 2, 3, 3.5}), 1.9, 1e-12);
  // A wide clip never clips: the mean.
  EXPECT_NEAR(huber_location(Values{0, 1, 2, 3, 100}, 1e3), 21.2, 1e-12);
}

TEST(StatsRobust, HuberEdges) {
  EXPECT_EQ(huber_location(Values{5, 5, 5, 9}), 5);
  EXPECT_EQ(huber_location(Values{5}), 5);
  // Everything clipped and balanced between two clumps: the middle, not an edge.
  EXPECT_DOUBLE_EQ(huber_location(Values{0, 0, 10, 10}, 0.1), 5);
  EXPECT_THROW(huber_location(Values{1, 2}, 0), InputError);
}

TEST(StatsRobust, TrimmedMean) {
  EXPECT_DOUBLE_EQ(trimmed_mean(Values{100, 1, 2, 3, -50}, 0.2), 2);
  EXPECT_DOUBLE_EQ(trimmed_mean(Values{1, 2, 6}, 0), 3);
  EXPECT_DOUBLE_EQ(trimmed_mean(Values{1, 2, 60}, 0.49), 2);
  EXPECT_THROW(trimmed_mean(Values{1}, 0.5), InputError);
  EXPECT_THROW(trimmed_mean(Values{1}, kNan), InputError);
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

const std::vector<std::function<double(const Values&)>>& locations() {
  static const std::vector<std::function<double(const Values&)>> all{
      [](const Values& v) { return median(v); }, [](const Values& v) { return hodges_lehmann(v); },
      [](const Values& v) { return huber_location(v); },
      [](const Values& v) { return trimmed_mean(v, 0.1); }};
  return all;
}

TEST(StatsRobust, BadInput) {
  for (const auto& location : locations()) {
    EXPECT_THROW(location(Values{}), InputError);
    EXPECT_THROW(location(Values{1, kNan}), InputError);
    EXPECT_THROW(location(Values{std::numeric_limits<double>::infinity()}), InputError);
  }
  EXPECT_THROW(mad(Values{}), InputError);
  EXPECT_THROW(modified_z_scores(Values{}), InputError);
}

// Law: shifting and scaling the sample shifts and scales the location.
TEST(StatsRobust, LocationsAreEquivariant) {
  Rng rng = Rng(3).stream("equivariant");
  for (int round = 0; round < 50; ++round) {
    Values v(2 + rng.below(20));
    for (double& x : v) x = rng.exponential(1);
    Values moved(v);
    for (double& x : moved) x = 3 - 4 * x;
    for (const auto& location : locations()) EXPECT_NEAR(location(moved), 3 - 4 * location(v), 1e-11);
    EXPECT_NEAR(mad(moved), 4 * mad(v), 1e-12);
  }
}

}  // namespace
}  // namespace sextant::stats
