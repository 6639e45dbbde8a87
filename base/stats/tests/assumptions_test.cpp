// Values of R 4.2: shapiro.test, nortest::ad.test, car::leveneTest, power.t.test(strict), power.anova.test.
#include "sextant/stats/assumptions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sextant/core/error.h"
#include "sextant/core/rng.h"
#include "sextant/stats/power.h"

namespace sextant::stats {
namespace {

using Values = std::vector<double>;
const Values kSkewed{2.1, 3.4, 1.9, 5.6, 4.4, 3.9, 2.8, 3.1, 4.7, 12.5, 3.3, 2.9, 4.1, 3.6};

TEST(StatsAssumptions, ShapiroWilk) {
  // Weights in pounds of eleven men, the example of the paper that introduced the test (1965).
  const NormalityTest men = shapiro_wilk(Values{148, 154, 158, 160, 161, 162, 166, 170, 182, 195, 236});
  EXPECT_NEAR(men.statistic, 0.7888146948353874, 1e-13);
  EXPECT_NEAR(men.p, 0.006703814056502925, 1e-13);
  EXPECT_NEAR(shapiro_wilk(kSkewed).statistic, 0.6658528724201029, 1e-13);
  EXPECT_NEAR(shapiro_wilk(kSkewed).p, 0.0001672923242107083, 1e-14);
  EXPECT_NEAR(shapiro_wilk(Values{1, 2, 4}).p, 0.6368868450289632, 1e-12);
  EXPECT_NEAR(shapiro_wilk(Values{1.2, 1.9, 4.1}).p, 0.445760860270555, 1e-13);
  EXPECT_NEAR(shapiro_wilk(Values{-0.35, 0, 0.35 + 1e-12}).p, 1, 1e-11);  // evenly spaced: W is 1
  EXPECT_NEAR(shapiro_wilk(Values{1, 2, 4, 4.5, 9}).p, 0.5146046941358769, 1e-12);
  EXPECT_THROW(shapiro_wilk(Values{1, 2}), InputError);
  EXPECT_THROW(shapiro_wilk(Values{1, 1, 1}), InputError);
}

TEST(StatsAssumptions, ShapiroWilkFalseAlarms) {
  // At 5 % about 5 % of normal samples are refuted: 400 draws, 20 expected, +-4 standard deviations.
  Rng rng = Rng(3).stream("shapiro");
  int alarms = 0;
  for (int i = 0; i < 400; ++i) {
    Values sample;
    for (int k = 0; k < 25; ++k) sample.push_back(100 + 3 * rng.normal());
    alarms += shapiro_wilk(sample).p < 0.05 ? 1 : 0;
  }
  EXPECT_GT(alarms, 3);
  EXPECT_LT(alarms, 38);
}

TEST(StatsAssumptions, AndersonDarling) {
  EXPECT_NEAR(anderson_darling(kSkewed).statistic, 1.645907495453143, 1e-12);
  EXPECT_NEAR(anderson_darling(kSkewed).p, 0.0001739260202599675, 1e-14);
  EXPECT_THROW(anderson_darling(Values{1, 2, 3}), InputError);
  Values many;
  Rng rng = Rng(4).stream("anderson");
  for (int i = 0; i < 6000; ++i) many.push_back(rng.exponential(1));
  EXPECT_EQ(normality_test(many).name, "Anderson-Darling");
  EXPECT_LT(normality_test(many).p, 1e-10);
}

TEST(StatsAssumptions, BrownForsythe) {
  const FTest test =
      brown_forsythe(std::vector<Values>{{3, 5, 5, 8, 9}, {5, 6, 7, 9}, {8, 9, 9, 12, 14, 15}});
  EXPECT_NEAR(test.f, 0.9893842887473463, 1e-13);
  EXPECT_NEAR(test.p, 0.4001971447903199, 1e-13);
}

TEST(StatsPower, AgreesWithR) {
  EXPECT_NEAR(power_of({.difference = 1, .sd = 1.2}, 10), 0.4223914950192473, 1e-11);
  EXPECT_NEAR(power_of({.difference = 2.5, .sd = 1, .level = 0.99}, 3), 0.2567831888482254, 1e-11);
  EXPECT_EQ(repetitions_for({.difference = 0.5, .sd = 1}, 0.8), 64);             // 63.77
  const PowerQuestion four{.difference = 1, .sd = std::sqrt(0.4), .groups = 4};  // means 0, 0.5, 0.5, 1
  EXPECT_NEAR(power_of(four, 6), 0.531469523628436, 1e-9);
  EXPECT_EQ(repetitions_for(four, 0.9), 13);  // 12.36
}

TEST(StatsPower, Laws) {
  // No difference: the false alarms.
  EXPECT_NEAR(power_of({.difference = 0, .sd = 1}, 5), 0.05, 1e-12);
  EXPECT_EQ(repetitions_for({.difference = 1e-5, .sd = 1}, 0.8), std::nullopt);
  EXPECT_EQ(repetitions_for({.difference = 1e6, .sd = 1}, 0.8), 2);
  EXPECT_THROW(power_of({.difference = 1, .sd = 0}, 5), InputError);
  EXPECT_THROW(power_of({.difference = 1, .sd = 1}, 1), InputError);
  EXPECT_THROW(repetitions_for({.difference = 1, .sd = 1}, 1.5), InputError);
}

}  // namespace
}  // namespace sextant::stats
