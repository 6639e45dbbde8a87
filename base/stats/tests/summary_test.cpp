#include "sextant/stats/summary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cases.h"
#include "sextant/core/error.h"
#include "sextant/core/infinity.h"
#include "sextant/core/rng.h"
#include "sextant/stats/quantiles.h"

namespace sextant::stats {
namespace {

using Values = std::vector<double>;

TEST(StatsSummary, SumKeepsSmallTermsBesideLargeOnes) {
  EXPECT_EQ(sum(Values{1, 1e100, 1, -1e100}), 2);  // plain addition gives 0
  EXPECT_EQ(sum(Values(100'000, 0.1)), 1e4);       // plain addition: 10000.00000002
  EXPECT_EQ(sum(Values{}), 0);
}

TEST(StatsSummary, VarianceSurvivesALargeOffset) {
  // Deviations -1.5 -0.5 0.5 1.5: sum of squares 5, divided by 3.
  EXPECT_NEAR(variance(Values{1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9 + 4}), 5.0 / 3, 1e-15);
  EXPECT_EQ(variance(Values(7, 0.1)), 0);
  EXPECT_EQ(mean(Values(7, 0.1)), 0.1);
}

TEST(StatsSummary, WeightedMean) {
  EXPECT_DOUBLE_EQ(weighted_mean(Values{1, 4}, Values{3, 1}), 1.75);
  EXPECT_DOUBLE_EQ(weighted_mean(Values{1, 4}, Values{0, 2}), 4);
  EXPECT_THROW(weighted_mean(Values{1, 2}, Values{0, 0}), InputError);
  EXPECT_THROW(weighted_mean(Values{1, 2}, Values{1, -1}), InputError);
  EXPECT_THROW(weighted_mean(Values{1, 2}, Values{1}), InputError);
}

TEST(StatsSummary, CorrelationsOfTheHaldData) {
  const double want[] = {0.7307, 0.8163, -0.5347, -0.8213};  // Draper and Smith, four digits
  const Design hald = test::read_design("hald.txt", {1, 2, 3, 4});
  for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(correlation(hald.x.column(j), hald.y), want[j], 5e-5);
  EXPECT_NEAR(correlation(Values{1, 2, 3}, Values{-2, -4, -6}), -1, 1e-15);
  EXPECT_THROW(correlation(Values{1, 2}, Values{3, 3}), InputError);
}

TEST(StatsSummary, Summary) {
  const Summary s = summarize(Values{4, 1, 3, 2, 5});
  EXPECT_EQ(s.count, 5U);
  EXPECT_EQ(s.mean, 3);
  EXPECT_DOUBLE_EQ(s.sd * s.sd, 2.5);
  EXPECT_EQ(s.min, 1);
  EXPECT_EQ(s.q25, 2);
  EXPECT_EQ(s.median, 3);
  EXPECT_EQ(s.q75, 4);
  EXPECT_EQ(s.max, 5);
  EXPECT_EQ(summarize(Values{7}).sd, 0);
}

TEST(StatsSummary, MeanInterval) {
  // Mean 3, sd sqrt(2.5), t(4 df, 97.5 %) = 2.776445 (table): half-width 2.776445 sqrt(2.5 / 5).
  const Interval i = mean_interval(Values{1, 2, 3, 4, 5});
  EXPECT_NEAR(i.high - 3, 1.963243, 1e-6);
  EXPECT_NEAR(i.low + i.high, 6, 1e-14);
  EXPECT_THROW(mean_interval(Values{1}), InputError);
  EXPECT_THROW(mean_interval(Values{1, 2}, 1.0), InputError);
}

TEST(StatsSummary, BadSamplesNameTheValue) {
  EXPECT_THROW(mean(Values{}), InputError);
  EXPECT_THROW(variance(Values{1}), InputError);
  EXPECT_THROW(sum(Values{1, kInfinity}), InputError);
  EXPECT_THROW(mean(Values{1e151}), InputError);
  try {
    mean(Values{1, 2, kNan});
    FAIL() << "NaN passed";
  } catch (const InputError& e) {
    EXPECT_EQ(e.message(), "mean: value 3 is NaN");
    EXPECT_FALSE(e.hint().empty());
  }
}

TEST(StatsQuantiles, TypeSevenInterpolates) {
  const Values v{40, 10, 30, 20};
  EXPECT_EQ(sample_quantile(v, 0), 10);
  EXPECT_DOUBLE_EQ(sample_quantile(v, 0.5), 25);
  EXPECT_DOUBLE_EQ(sample_quantile(v, 0.9), 37);  // (4 - 1) 0.9 = 2.7: 30 + 0.7 * 10
  EXPECT_EQ(sample_quantile(v, 1), 40);
  EXPECT_EQ(sample_quantile(Values{3}, 0.3), 3);
}

TEST(StatsQuantiles, TypeOneReturnsObservedValues) {
  const Values v{40, 10, 30, 20};
  const auto q = [&](double p) { return sample_quantile(v, p, QuantileType::empirical); };
  EXPECT_EQ(q(0), 10);
  EXPECT_EQ(q(0.25), 10);
  EXPECT_EQ(q(0.26), 20);
  EXPECT_EQ(q(0.5), 20);
  EXPECT_EQ(q(1), 40);
  // 100 * 0.07 and 100 * 0.57 round to just above 7 and just below 57; both are meant as whole.
  Values hundred(100);
  for (int i = 0; i < 100; ++i) hundred[static_cast<std::size_t>(i)] = i + 1;
  for (int i = 1; i <= 100; ++i) {
    EXPECT_EQ(sample_quantile(hundred, i / 100.0, QuantileType::empirical), i);
  }
}

TEST(StatsQuantiles, BadInput) {
  EXPECT_THROW(sample_quantile(Values{}, 0.5), InputError);
  EXPECT_THROW(sample_quantile(Values{1, kNan}, 0.5), InputError);
  EXPECT_THROW(sample_quantile(Values{1, 2}, -0.1), InputError);
  EXPECT_THROW(sample_quantile(Values{1, 2}, kNan), InputError);
}

// Laws: monotone in p, within the range.
TEST(StatsQuantiles, Laws) {
  Rng rng = Rng(7).stream("quantiles");
  for (int round = 0; round < 50; ++round) {
    Values v(1 + rng.below(30));
    for (double& x : v) x = rng.normal();
    for (const auto type : {QuantileType::linear, QuantileType::empirical}) {
      double previous = *std::ranges::min_element(v);
      for (int i = 0; i <= 64; ++i) {
        const double q = sample_quantile(v, i / 64.0, type);
        EXPECT_GE(q, previous);
        previous = q;
      }
      EXPECT_EQ(previous, *std::ranges::max_element(v));
    }
  }
}

}  // namespace
}  // namespace sextant::stats
