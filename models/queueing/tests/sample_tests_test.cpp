// Known values, and the size and power of every test: p values of true hypotheses are uniform.
#include "sextant/queueing/sample_tests.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "error_of.h"

namespace sextant::queueing {
namespace {

std::vector<double> sample(const Distribution& d, std::size_t count, Rng rng) {
  std::vector<double> values(count);
  for (double& x : values) x = draw(d, rng);
  return values;
}

using PValue = std::function<double(const std::vector<double>& values, const Rng& rng)>;

// Samples from `truth`, tested; are the p values uniform? By the distance from uniformity, whose 0.5 % point
// is 1.73 / sqrt(n), and by how often p is at most 0.05.
void expect_uniform(const Distribution& truth, const PValue& p_value, std::size_t samples,
                    std::size_t count) {
  std::vector<double> p;
  for (std::size_t i = 0; i < samples; ++i) {
    const Rng rng = Rng(2026).stream(describe(truth), i);
    p.push_back(p_value(sample(truth, count, rng.stream("data")), rng.stream("test")));
  }
  std::ranges::sort(p);
  const auto n = static_cast<double>(samples);
  double distance = 0;
  for (std::size_t i = 0; i < samples; ++i) {
    const auto rank = static_cast<double>(i);
    distance = std::max({distance, p[i] - rank / n, (rank + 1) / n - p[i]});
  }
  // p of a bootstrap of 99 comes in steps of 0.01.
  EXPECT_LT(distance, 1.73 / std::sqrt(n) + 0.01) << describe(truth);
  const auto rejected = static_cast<double>(std::ranges::count_if(p, [](double x) { return x <= 0.05; }));
  EXPECT_NEAR(rejected / n, 0.05, 3 * std::sqrt(0.05 * 0.95 / n)) << describe(truth);
}

PValue kolmogorov_p(Family family) {
  return [family](const std::vector<double>& values, const Rng& rng) {
    return kolmogorov_test(values, family, rng, 99).p;
  };
}

TEST(Kolmogorov, DistanceByScipy) {
  // scipy.stats.kstest of these against an exponential of mean 1.22: 0.18094.
  const std::vector<double> sorted = {0.1, 0.3, 0.5, 0.8, 0.9, 1.2, 1.4, 1.7, 2.2, 3.1};
  EXPECT_NEAR(kolmogorov_distance(sorted, Exponential{1.22}), 0.180940991, 1e-9);
}

TEST(Kolmogorov, CriticalValuesOfLilliefors) {
  // Lilliefors (1969), exponential with estimated mean, n = 20: 5 % at 0.234, 10 % at 0.212. A table by
  // simulation of its own, so to two digits.
  std::vector<double> distances;
  for (std::size_t i = 0; i < 4000; ++i) {
    auto values = sample(Exponential{3}, 20, Rng(5).stream("lilliefors", i));
    std::ranges::sort(values);
    distances.push_back(kolmogorov_distance(values, fit_distribution(Family::exponential, values)));
  }
  std::ranges::sort(distances);
  EXPECT_NEAR(distances[3800], 0.234, 0.006);
  EXPECT_NEAR(distances[3600], 0.212, 0.006);
}

TEST(Kolmogorov, PValuesAreUniformForTheTrueFamily) {
  expect_uniform(Exponential{2}, kolmogorov_p(Family::exponential), 400, 60);
  expect_uniform(Gamma{2.5, 1}, kolmogorov_p(Family::gamma), 200, 60);
  expect_uniform(LogNormal{0, 1.2}, kolmogorov_p(Family::lognormal), 200, 60);
  expect_uniform(Weibull{0.6, 1}, kolmogorov_p(Family::weibull), 200, 60);
}

TEST(Kolmogorov, HyperexponentialHasItsSize) {
  expect_uniform(HyperExponential{0.8, 0.3, 4}, kolmogorov_p(Family::hyperexponential), 100, 150);
}

TEST(Kolmogorov, FindsWrongFamilies) {
  const Rng rng(1);
  EXPECT_LE(kolmogorov_test(sample(Gamma{2, 1}, 300, rng), Family::exponential, rng, 99).p, 0.01);
  EXPECT_LE(kolmogorov_test(sample(LogNormal{0, 1.5}, 300, rng), Family::exponential, rng, 99).p, 0.01);
  EXPECT_LE(kolmogorov_test(sample(HyperExponential{0.7, 0.1, 3}, 300, rng), Family::gamma, rng, 99).p, 0.05);
  EXPECT_EQ(kolmogorov_test(std::vector<double>(30, 2.0), Family::constant, rng).p, 1);
}

TEST(Kolmogorov, SameSeedSameAnswer) {
  const auto values = sample(Gamma{1.2, 1}, 80, Rng(4));
  const double first = kolmogorov_test(values, Family::gamma, Rng(9), 99).p;
  EXPECT_EQ(kolmogorov_test(values, Family::gamma, Rng(9), 99).p, first);
}

TEST(Equiprobable, SizeAndPower) {
  const auto p_of = [](Family family) {
    return [family](const std::vector<double>& values, const Rng&) {
      return equiprobable_test(values, fit_distribution(family, values)).p;
    };
  };
  expect_uniform(Exponential{2}, p_of(Family::exponential), 600, 400);
  expect_uniform(Weibull{1.5, 2}, p_of(Family::weibull), 600, 400);
  EXPECT_LT(p_of(Family::exponential)(sample(Gamma{2, 1}, 400, Rng(1)), Rng(0)), 0.001);
}

TEST(Equiprobable, CellsByHand) {
  // 40 values at the quantiles (i + 1/2) / 40: 2 * 40^0.4 = 8.7 cells but at most 40 / 5 = 8, with 5 in each.
  std::vector<double> even;
  for (int i = 0; i < 40; ++i) even.push_back(quantile(Exponential{1}, (i + 0.5) / 40));
  const stats::ChiSquareTest test = equiprobable_test(even, Exponential{1});
  EXPECT_DOUBLE_EQ(test.statistic, 0);
  EXPECT_EQ(test.df, 6);
  EXPECT_NE(sextant::test::error_of([] {
              equiprobable_test(std::vector<double>(8, 1.0), Gamma{1, 1});
            }),
            "no error");
}

const std::vector<double> kSeries = {3, 1, 4, 1.5, 5, 9, 2, 6, 5.3, 3.5, 8, 9.7};

TEST(Serial, ByHand) {
  // Ratio 230 / 143 of the ranks; p by the normal approximation, both computed with scipy.stats.
  const SerialTest test = serial_test(kSeries);
  EXPECT_NEAR(test.correlation, 0.1958042, 1e-7);
  EXPECT_NEAR(test.p, 0.4679956, 1e-7);
}

TEST(Serial, SizeAndPower) {
  expect_uniform(
      LogNormal{0, 2}, [](const auto& values, const Rng&) { return serial_test(values).p; }, 600, 40);
  std::vector<double> drifting = sample(Exponential{1}, 200, Rng(3));
  for (std::size_t i = 1; i < drifting.size(); ++i) drifting[i] = 0.5 * drifting[i - 1] + drifting[i];
  EXPECT_LT(serial_test(drifting).p, 1e-4);
  EXPECT_GT(serial_test(drifting).correlation, 0.2);
  EXPECT_EQ(serial_test(std::vector<double>(20, 1.0)).p, 1);
  EXPECT_NE(sextant::test::error_of([] { serial_test(std::vector<double>(9, 1.0)); }), "no error");
}

TEST(Level, ByScipy) {
  // scipy.stats.kruskal of the two halves, without and with ties.
  EXPECT_NEAR(level_test(kSeries).statistic, 1.6410256, 1e-6);
  EXPECT_NEAR(level_test(kSeries).p, 0.2001848, 1e-6);
  std::vector<double> rounded;
  for (const double x : kSeries) rounded.push_back(std::nearbyint(x));
  EXPECT_NEAR(level_test(rounded).statistic, 1.4575972, 1e-6);
  EXPECT_NEAR(level_test(rounded).p, 0.2273128, 1e-6);
}

TEST(Level, SizeAndPower) {
  expect_uniform(
      HyperExponential{0.9, 1, 20}, [](const auto& values, const Rng&) { return level_test(values).p; }, 600,
      200);
  std::vector<double> busy_later = sample(Exponential{1}, 300, Rng(3));
  for (std::size_t i = 150; i < 300; ++i) busy_later[i] /= 2;
  EXPECT_LT(level_test(busy_later).p, 1e-3);
  EXPECT_EQ(level_test(busy_later).periods, 10U);
  EXPECT_EQ(level_test(std::vector<double>(20, 1.0)).p, 1);
}

}  // namespace
}  // namespace sextant::queueing
