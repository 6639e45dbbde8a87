#include "sextant/stats/bootstrap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cases.h"
#include "sextant/core/error.h"
#include "sextant/stats/distributions.h"
#include "sextant/stats/linear_model.h"
#include "sextant/stats/quantiles.h"
#include "sextant/stats/summary.h"

namespace sextant::stats {
namespace {

using Values = std::vector<double>;
const SampleStatistic kMean = [](std::span<const double> v) { return mean(v); };

TEST(StatsBootstrap, SameSeedSameResult) {
  const Values v{3, 1, 4, 1, 5, 9, 2, 6};
  const BootstrapResult a = bootstrap(v, kMean, Rng(1));
  const BootstrapResult b = bootstrap(v, kMean, Rng(1));
  const BootstrapResult c = bootstrap(v, kMean, Rng(2));
  EXPECT_EQ(a.replicates, b.replicates);
  EXPECT_EQ(a.interval, b.interval);
  EXPECT_NE(a.replicates, c.replicates);
}

TEST(StatsBootstrap, MoreResamplesKeepTheEarlierOnes) {
  const Values v{3, 1, 4, 1, 5, 9, 2, 6};
  const auto few = bootstrap(v, kMean, Rng(1), {.resamples = 100}).replicates;
  const auto many = bootstrap(v, kMean, Rng(1), {.resamples = 300}).replicates;
  EXPECT_TRUE(std::ranges::includes(many, few));
}

TEST(StatsBootstrap, TwoValuesByHand) {
  // Means of resamples of {0, 1}: 0, 1/2, 1 with chances 1/4, 1/2, 1/4; sd sqrt(1/8).
  const BootstrapResult r =
      bootstrap(Values{0, 1}, kMean, Rng(4), {.resamples = 4000, .method = BootstrapMethod::percentile});
  EXPECT_EQ(r.estimate, 0.5);
  EXPECT_NEAR(r.standard_error, std::sqrt(0.125), 0.02);
  EXPECT_NEAR(r.bias, 0, 0.02);
  EXPECT_EQ(r.interval, (Interval{0, 1}));
  EXPECT_NEAR(static_cast<double>(std::ranges::count(r.replicates, 0.5)) / 4000, 0.5, 0.03);
}

TEST(StatsBootstrap, BcaIsPercentileForASymmetricSample) {
  Values v;
  for (int i = -10; i <= 10; ++i) v.push_back(i);
  const auto with = [&](BootstrapMethod m) {
    return bootstrap(v, kMean, Rng(5), {.resamples = 4000, .method = m}).interval;
  };
  const Interval percentile = with(BootstrapMethod::percentile);
  const Interval bca = with(BootstrapMethod::bca);
  EXPECT_NEAR(bca.low, percentile.low, 0.15);
  EXPECT_NEAR(bca.high, percentile.high, 0.15);
  // Both near the normal interval: variance of the mean 770 / 21^2.
  EXPECT_NEAR(percentile.high, 1.96 * std::sqrt(770.0) / 21, 0.15);
}

TEST(StatsBootstrap, BcaShiftsTowardsTheLongTail) {
  const Values v{1, 1, 1, 2, 2, 3, 4, 6, 10, 30};
  const auto with = [&](BootstrapMethod m) { return bootstrap(v, kMean, Rng(6), {.method = m}).interval; };
  EXPECT_GT(with(BootstrapMethod::bca).low, with(BootstrapMethod::percentile).low);
  EXPECT_GT(with(BootstrapMethod::bca).high, with(BootstrapMethod::percentile).high);
}

TEST(StatsBootstrap, BcaByItsFormula) {
  // For the mean, leaving out x_i moves the estimate in proportion to x_i - mean, so the
  // acceleration is the sum of cubes over six times the sum of squares to the power 3/2.
  const Values v{1, 1, 1, 2, 2, 3, 4, 6, 10, 30};
  const BootstrapResult r = bootstrap(v, kMean, Rng(6), {.level = 0.9});
  double squares = 0;
  double cubes = 0;
  for (const double x : v) {
    squares += (x - 6) * (x - 6);
    cubes += (x - 6) * (x - 6) * (x - 6);
  }
  const double a = cubes / 6 / std::pow(squares, 1.5);
  double below = 0;
  for (const double m : r.replicates) below += m < 6 ? 1 : (m == 6 ? 0.5 : 0);
  const double z0 = quantile(Normal{}, below / 2000);
  const auto end = [&](double z) { return cdf(Normal{}, z0 + (z0 + z) / (1 - a * (z0 + z))); };
  EXPECT_NEAR(r.interval.low, sample_quantile(r.replicates, end(-1.6448536269514722)), 1e-6);
  EXPECT_NEAR(r.interval.high, sample_quantile(r.replicates, end(1.6448536269514722)), 1e-6);
}

TEST(StatsBootstrap, TiesWithTheEstimateCountHalf) {
  // Means of 6 draws from {0, 1} are binomial over 6: cumulative 0.016, 0.109, ..., 0.891, 0.984.
  // By symmetry nothing is to be corrected, so the ends are 1/6 and 5/6.
  const Interval i = bootstrap(Values{0, 0, 0, 1, 1, 1}, kMean, Rng(3), {.resamples = 4000}).interval;
  EXPECT_NEAR(i.low, 1.0 / 6, 1e-12);
  EXPECT_NEAR(i.high, 5.0 / 6, 1e-12);
}

// Law: about the stated share of intervals covers the truth; skewed data of 20 lose a little.
TEST(StatsBootstrap, Coverage) {
  Rng rng = Rng(7).stream("coverage");
  int covered = 0;
  for (std::uint64_t round = 0; round < 200; ++round) {
    Values v(20);
    for (double& x : v) x = rng.exponential(1);
    const auto r = bootstrap(v, kMean, Rng(8).stream("round", round), {.resamples = 200, .level = 0.9});
    covered += r.interval.contains(1) ? 1 : 0;
  }
  // Chance alone: sd 2 %.
  EXPECT_GE(covered, 0.80 * 200);
  EXPECT_LE(covered, 0.97 * 200);
}

TEST(StatsBootstrap, RowsRefitAModel) {
  const Design hald = test::read_design("hald.txt", {1, 2});
  const auto slope = [&](std::span<const std::size_t> rows) {
    Design d{.x = hald.x.select_rows(rows), .y = {}};
    for (const std::size_t i : rows) d.y.push_back(hald.y[i]);
    return fit_ols(d).coefficients[0];
  };
  const BootstrapResult r = bootstrap_rows(13, slope, Rng(9), {.resamples = 500});
  const OlsFit fit = fit_ols(hald);
  EXPECT_DOUBLE_EQ(r.estimate, fit.coefficients[0]);
  EXPECT_NEAR(r.standard_error, fit.terms[1].standard_error, fit.terms[1].standard_error);
  EXPECT_TRUE(r.interval.contains(r.estimate));
}

TEST(StatsBootstrap, EqualValuesGiveAPoint) {
  const BootstrapResult r = bootstrap(Values(5, 0.1), kMean, Rng(1));
  EXPECT_EQ(r.interval, (Interval{0.1, 0.1}));
  EXPECT_EQ(r.standard_error, 0);
}

// The maximum of a resample never exceeds the estimate: the bias correction must stay finite.
TEST(StatsBootstrap, OneSidedReplicates) {
  const SampleStatistic top = [](std::span<const double> v) { return *std::ranges::max_element(v); };
  const SampleStatistic spike = [](std::span<const double> v) { return v[0] + v[1] > 3.5 ? 1.0 : 0.0; };
  const BootstrapResult r = bootstrap(Values{1, 2, 3}, top, Rng(1));
  EXPECT_EQ(r.interval.high, 3);
  EXPECT_NO_THROW(bootstrap(Values{1, 2, 2, 2, 2, 2}, spike, Rng(1)));
}

TEST(StatsBootstrap, BadInput) {
  EXPECT_THROW(bootstrap(Values{}, kMean, Rng(1)), InputError);
  EXPECT_THROW(bootstrap(Values{1}, kMean, Rng(1)), InputError);
  EXPECT_THROW(bootstrap(Values{1, NAN}, kMean, Rng(1)), InputError);
  EXPECT_THROW(bootstrap(Values{1, 2}, kMean, Rng(1), {.resamples = 39}), InputError);
  EXPECT_NO_THROW(bootstrap(Values{1, 2}, kMean, Rng(1), {.resamples = 40}));
  EXPECT_THROW(bootstrap(Values{1, 2}, kMean, Rng(1), {.level = 95}), InputError);
  const SampleStatistic undefined = [](std::span<const double> v) { return v[0] == v[1] ? NAN : v[0]; };
  EXPECT_THROW(bootstrap(Values{1, 2}, undefined, Rng(1)), InputError);
}

}  // namespace
}  // namespace sextant::stats
