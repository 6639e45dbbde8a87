#include "sextant/measure/factorial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "error_of.h"
#include "sextant/core/rng.h"

namespace sextant::measure {
namespace {

using sextant::test::error_of;

std::vector<double> exponentials(const std::vector<double>& logs) {
  std::vector<double> values;
  for (const double log : logs) values.push_back(std::exp(log));
  return values;
}

const std::vector<TwoLevelFactor> kTwo = {{"a", "0", "1"}, {"b", "0", "1"}};

// The memory and cache design of Jain, The Art of Computer Systems Performance Analysis, chapter 18, with his
// responses as logarithms: means 15, 48, 24 and 77, which give q = 41, 21.5, 9.5, 5, and squared errors 102.
std::vector<DesignPoint> jain() {
  return {{{0, 0}, exponentials({15, 18, 12})},
          {{1, 0}, exponentials({45, 48, 51})},
          {{0, 1}, exponentials({25, 28, 19})},
          {{1, 1}, exponentials({75, 75, 81})}};
}

TEST(FactorEffects, WorkedExample) {
  const auto effects = factor_effects(kTwo, jain());
  ASSERT_EQ(effects.size(), 3U);
  EXPECT_EQ(effects[0].factor, "a");
  EXPECT_EQ(effects[2].factor, "a x b");
  // An effect from low to high is 2 q.
  EXPECT_NEAR(std::log(effects[0].ratio), 43, 1e-9);
  EXPECT_NEAR(std::log(effects[1].ratio), 19, 1e-9);
  EXPECT_NEAR(std::log(effects[2].ratio), 10, 1e-9);
  // Sums of squares 12 q^2: 5547, 1083, 300; with the errors' 102 the total is 7032.
  EXPECT_NEAR(effects[0].share, 5547.0 / 7032, 1e-9);
  EXPECT_NEAR(effects[1].share, 1083.0 / 7032, 1e-9);
  EXPECT_NEAR(effects[2].share, 300.0 / 7032, 1e-9);
  // Standard error of q: sqrt(102 / 8) / sqrt(12) = 1.0308; t(0.975, 8) = 2.3060; doubled for the effect.
  const double half = 2 * 2.3060041 * std::sqrt(102.0 / 8 / 12);
  EXPECT_NEAR(std::log(effects[0].ratio_interval.low), 43 - half, 1e-5);
  EXPECT_NEAR(std::log(effects[0].ratio_interval.high), 43 + half, 1e-5);
  EXPECT_LT(effects[0].p_value, 1e-6);
}

// Without the third replication of one point its mean counts as much as the others' but is known less well:
// variance of an effect = (2/4)^2 sigma^2 (1/3 + 1/3 + 1/3 + 1/2).
TEST(FactorEffects, UnequalReplications) {
  std::vector<DesignPoint> points = jain();
  points[0].responses.pop_back();  // 15, 18: mean 16.5, squared errors 4.5 instead of 18
  const auto effects = factor_effects(kTwo, points);
  EXPECT_NEAR(std::log(effects[0].ratio), (48 + 77 - 16.5 - 24) / 2, 1e-9);
  const double sigma2 = (102 - 18 + 4.5) / 7;
  const double half = 2.3646243 * std::sqrt(0.25 * sigma2 * 1.5);  // t(0.975, 7)
  EXPECT_NEAR(std::log(effects[0].ratio_interval.high / effects[0].ratio), half, 1e-5);
}

// With balanced replications everything sums to one: effects of all orders and errors. In a design of two
// factors there are no others than those reported.
TEST(FactorEffects, SharesAndErrorsMakeTheWhole) {
  const auto effects = factor_effects(kTwo, jain());
  double sum = 102.0 / 7032;
  for (const FactorEffect& effect : effects) sum += effect.share;
  EXPECT_NEAR(sum, 1, 1e-9);
}

// A pure product of factors has no interaction: each effect is its factor's ratio, whatever the others are.
TEST(FactorEffects, ProductsAreFoundExactly) {
  Rng rng = Rng(4).stream("factorial");
  for (int i = 0; i < 50; ++i) {
    const std::size_t factors = 1 + rng.below(5);
    std::vector<double> ratios;
    std::vector<TwoLevelFactor> names;
    for (std::size_t f = 0; f < factors; ++f) {
      ratios.push_back(0.5 + rng.uniform());
      names.push_back({std::to_string(f), "low", "high"});
    }
    std::vector<DesignPoint> points(std::size_t{1} << factors);
    for (std::size_t p = 0; p < points.size(); ++p) {
      double response = 3;
      for (std::size_t f = 0; f < factors; ++f) {
        points[p].levels.push_back(static_cast<int>(p >> f & 1));
        if (points[p].levels[f] == 1) response *= ratios[f];
      }
      points[p].responses.assign(1 + rng.below(3), response);
    }
    points[0].responses.resize(2, points[0].responses[0]);
    const auto effects = factor_effects(names, points);
    for (std::size_t f = 0; f < factors; ++f) EXPECT_NEAR(effects[f].ratio, ratios[f], 1e-9);
    for (std::size_t e = factors; e < effects.size(); ++e) EXPECT_NEAR(effects[e].ratio, 1, 1e-9);
  }
}

// Where there is no effect, one test in twenty says there is: 3 effects of 400 designs give 60 -+ 8.
TEST(FactorEffects, ChanceAloneIsCalledSoNineteenTimesOutOfTwenty) {
  Rng rng = Rng(5).stream("null");
  int called = 0;
  for (int i = 0; i < 400; ++i) {
    std::vector<DesignPoint> points = jain();
    for (DesignPoint& point : points) {
      for (double& response : point.responses) response = std::exp(0.1 * rng.normal());
    }
    for (const FactorEffect& effect : factor_effects(kTwo, points)) {
      EXPECT_EQ(effect.p_value < 0.05, !effect.ratio_interval.contains(1));
      called += effect.p_value < 0.05 ? 1 : 0;
    }
  }
  EXPECT_GT(called, 60 - 4 * 8);
  EXPECT_LT(called, 60 + 4 * 8);
}

TEST(FactorEffects, RefusesWhatIsNoDesign) {
  const auto error = [](const std::vector<DesignPoint>& points) {
    return error_of([&] { (void)factor_effects(kTwo, points); });
  };
  std::vector<DesignPoint> points = jain();
  points.pop_back();
  EXPECT_THAT(error(points), testing::HasSubstr("3 of 4 points"));
  points = jain();
  points[1].levels = {0, 0};
  EXPECT_THAT(error(points), testing::HasSubstr("same levels"));
  points = jain();
  points[1].levels = {0, 2};
  EXPECT_THAT(error(points), testing::HasSubstr("0 or 1"));
  points[1].levels = {0};
  EXPECT_THAT(error(points), testing::HasSubstr("1 levels for 2 factors"));
  for (const double bad : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    points = jain();
    points[2].responses[1] = bad;
    EXPECT_THAT(error(points), testing::HasSubstr("not above 0"));
  }
  points = jain();
  for (DesignPoint& point : points) point.responses.resize(1);
  EXPECT_THAT(error(points), testing::HasSubstr("measured twice"));
  points[0].responses.clear();
  EXPECT_THAT(error(points), testing::HasSubstr("not measured"));
  EXPECT_THAT(error_of([] { (void)factor_effects({}, {}); }), testing::HasSubstr("needs a factor"));
}

}  // namespace
}  // namespace sextant::measure
