#include "median_statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "sextant/core/error.h"
#include "sextant/core/rng.h"
#include "sextant/stats/robust.h"

namespace sextant::measure {
namespace {

std::vector<double> first_numbers(std::size_t n) {
  std::vector<double> values(n);
  std::iota(values.begin(), values.end(), 1);
  return values;
}

// P(min < median < max) of five values is 1 - 2/32 = 93.75 %, of six 1 - 2/64 = 96.9 %.
TEST(OrderStatisticInterval, SixValuesAreTheFewest) {
  EXPECT_TRUE(std::isinf(order_statistic_interval(first_numbers(5)).high));
  EXPECT_EQ(order_statistic_interval(first_numbers(6)), (stats::Interval{1, 6}));
}

// Table of Conover, Practical Nonparametric Statistics: n = 10 gives ranks 2 and 9 (97.9 %), since ranks 3
// and 8 have P = 1 - 2 (1 + 10 + 45) / 1024 = 89.1 %; n = 20 gives 6 and 15 (95.9 %).
TEST(OrderStatisticInterval, RanksOfTheTable) {
  EXPECT_EQ(order_statistic_interval(first_numbers(10)), (stats::Interval{2, 9}));
  EXPECT_EQ(order_statistic_interval(first_numbers(20)), (stats::Interval{6, 15}));
}

// Law: the interval covers the true median (log 2 of the exponential) in at least 95 of 100 samples, however
// skewed. With 2000 samples the share has deviation 0.5 %.
TEST(OrderStatisticInterval, CoversAsItSays) {
  Rng rng = Rng(1).stream("coverage");
  int covered = 0;
  constexpr int kSamples = 2000;
  for (int sample = 0; sample < kSamples; ++sample) {
    std::vector<double> values(5 + rng.below(40) + 1);
    for (double& value : values) value = rng.exponential(1);
    covered += order_statistic_interval(values).contains(std::log(2.0)) ? 1 : 0;
  }
  EXPECT_GT(covered, 0.94 * kSamples);
}

TEST(EstimateMedian, OneRoundIsOrderStatistics) {
  const MedianEstimate estimate = estimate_median({first_numbers(20)});
  EXPECT_FALSE(estimate.by_rounds);
  EXPECT_DOUBLE_EQ(estimate.median, 10.5);
  EXPECT_EQ(estimate.interval, (stats::Interval{6, 15}));
}

// Medians 9, 10, 11: mean 10, deviation 1, so 10 -+ 4.303 / sqrt(3) (Student's t, two degrees of freedom).
TEST(EstimateMedian, ThreeRoundsAreBlocks) {
  const MedianEstimate estimate = estimate_median({{8, 9, 10}, {9, 10, 11}, {10, 11, 12}});
  EXPECT_TRUE(estimate.by_rounds);
  EXPECT_DOUBLE_EQ(estimate.median, 10);
  EXPECT_NEAR(estimate.interval.low, 10 - 4.30265 / std::sqrt(3.0), 1e-4);
  EXPECT_NEAR(estimate.interval.high, 10 + 4.30265 / std::sqrt(3.0), 1e-4);
}

// Rounds that differ from each other more than iterations do: pooling them would promise too much. The law is
// that blocks cover the median of all rounds in about 95 of 100 cases, the pool far less often.
TEST(EstimateMedian, BlocksKnowOfLuckThatARoundShares) {
  Rng rng = Rng(2).stream("blocks");
  int blocks = 0;
  int pool = 0;
  constexpr int kCases = 500;
  for (int i = 0; i < kCases; ++i) {
    std::vector<std::vector<double>> rounds(5);
    std::vector<double> all;
    for (auto& round : rounds) {
      const double luck = rng.normal();
      for (int k = 0; k < 20; ++k) {
        round.push_back(100 + luck + 0.1 * rng.normal());
        all.push_back(round.back());
      }
    }
    blocks += estimate_median(rounds).interval.contains(100) ? 1 : 0;
    pool += order_statistic_interval(all).contains(100) ? 1 : 0;
  }
  EXPECT_GT(blocks, 0.92 * kCases);
  EXPECT_LT(pool, 0.85 * kCases);
}

TEST(EstimateMedian, IntervalHoldsTheMedian) {
  Rng rng = Rng(3).stream("holds");
  for (int i = 0; i < 300; ++i) {
    std::vector<std::vector<double>> rounds(1 + rng.below(6));
    for (auto& round : rounds) {
      round.resize(1 + rng.below(12));
      for (double& value : round) value = rng.exponential(1);
    }
    const MedianEstimate estimate = estimate_median(rounds);
    EXPECT_TRUE(estimate.interval.contains(estimate.median));
    EXPECT_GE(estimate.interval.low, 0);
  }
}

TEST(EstimateMedian, NothingIsAnError) {
  EXPECT_THROW((void)estimate_median({{}, {}}), InputError);
}

TEST(SettledFrom, AskedWarmUpOfShortSeries) {
  EXPECT_EQ(settled_from(first_numbers(10), 3).drop, 3U);
  EXPECT_EQ(settled_from(first_numbers(4), 3).drop, 2U);  // half stays
  EXPECT_EQ(settled_from({}, 3).drop, 0U);
}

TEST(SettledFrom, FindsASlowStart) {
  std::vector<double> times(40, 1.0);
  for (std::size_t i = 0; i < 8; ++i) times[i] = 5.0;
  times[20] = 1.01;
  const SettledFrom found = settled_from(times, 3);
  EXPECT_EQ(found.drop, 10U);  // whole batches of five
  EXPECT_TRUE(found.settled);
}

TEST(SettledFrom, SaysWhenNothingSettles) {
  EXPECT_FALSE(settled_from(first_numbers(40), 0).settled);  // slower and slower
}

}  // namespace
}  // namespace sextant::measure
