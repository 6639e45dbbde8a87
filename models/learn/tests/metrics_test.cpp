#include "sextant/learn/metrics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sextant/learn/conformal.h"

namespace sextant::learn {
namespace {

using Values = std::vector<double>;

// |10| / 100, |-10| / 200, |-5| / 50: 10, 5 and 10 %, mean 8.333.
TEST(Metrics, PercentagesOfThreeRows) {
  const Metrics m = compare(Values{100, 200, 50}, Values{110, 190, 45});
  EXPECT_EQ(m.n, 3U);
  EXPECT_NEAR(m.ape->mean, 8.333, 5e-4);
  EXPECT_NEAR(m.ape->median, 10, 1e-12);
  EXPECT_NEAR(m.ape->p90, 10, 1e-12);
  EXPECT_NEAR(m.ape->bias, (10.0 - 5 - 10) / 3, 1e-12);
  EXPECT_NEAR(m.rmse, std::sqrt((100.0 + 100 + 25) / 3), 1e-12);
  // SST about 116.667: 277.8 + 6944.4 + 4444.4
  EXPECT_NEAR(m.r2, 1 - 225 / (35000.0 / 3), 1e-12);
  EXPECT_EQ(selection_score(m), m.ape->mean);
}

TEST(Metrics, ResponsesOfZeroOrLessHaveNoPercentage) {
  const Metrics m = compare(Values{-1, 0, 1}, Values{-1, 0, 2});
  EXPECT_FALSE(m.ape.has_value());
  EXPECT_NEAR(selection_score(m), std::sqrt(1.0 / 3), 1e-12);
  EXPECT_EQ(compare(Values{2, 2}, Values{2, 2}).r2, 0);
}

// n = 9, level 0.8: k = ceil(10 * 0.8) = 8, and the 8th smallest is 1.5.
TEST(Conformal, TheEighthOfNine) {
  const Values scores = {.3, 1.2, .5, .9, 2.0, .1, .7, 1.5, .4};
  EXPECT_EQ(conformal_quantile(scores, 0.8), 1.5);
  EXPECT_EQ(conformal_quantile(scores, 0.9), 2.0);  // k = 9, in spite of 10 * 0.9 in binary
  EXPECT_EQ(conformal_quantile(std::span(scores).first(8), 0.9), std::nullopt);
  EXPECT_EQ(conformal_quantile({}, 0.9), std::nullopt);
}

TEST(Conformal, OutsideTheRangeTheIntervalIsWider) {
  std::vector<Score> scores;
  for (int i = 1; i <= 9; ++i) scores.push_back({0.01 * i, false});
  const ConformalCalibration few = calibrate(scores, ErrorScale::relative);
  EXPECT_EQ(few.inside, 0.09);
  EXPECT_EQ(few.outside, ConformalCalibration::kWidening * 0.09);
  for (int i = 1; i <= 9; ++i) scores.push_back({0.1 * i, true});
  const ConformalCalibration measured = calibrate(scores, ErrorScale::relative);
  EXPECT_EQ(measured.inside, 0.09);
  EXPECT_EQ(measured.outside, 0.1 * 9);
  const auto inside = interval(measured, 200, false);
  EXPECT_NEAR(inside->low, 182, 1e-9);
  EXPECT_NEAR(inside->high, 218, 1e-9);
  EXPECT_NEAR(interval(measured, 200, true)->high, 380, 1e-9);
  // A time is never negative, however wide the interval; an absolute one may be.
  EXPECT_EQ(interval({0.9, ErrorScale::relative, 1.5, 2.0}, 10, false)->low, 0);
  EXPECT_EQ(interval({0.9, ErrorScale::absolute, 15, 20}, 10, false)->low, -5);
  EXPECT_FALSE(interval(calibrate({}, ErrorScale::relative), 10, false).has_value());
}

TEST(Conformal, ScoresAreRelativeToThePrediction) {
  EXPECT_EQ(score(8, 10, ErrorScale::relative), 0.2);
  EXPECT_EQ(score(8, 10, ErrorScale::absolute), 2);
}

}  // namespace
}  // namespace sextant::learn
