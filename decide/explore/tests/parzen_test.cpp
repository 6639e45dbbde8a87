#include "parzen.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "space_fixture.h"

namespace sextant::explore {
namespace {

using test::categorical_factor;
using test::integer_factor;
using test::real_factor;

double density(const ParzenMixture& mixture, const SearchSpace& space, const Configuration& at) {
  return std::exp(mixture.log_density(at, space.unit(at)));
}

TEST(Parzen, DensityOfANumberIntegratesToOne) {
  const SearchSpace space({real_factor("x", -2, 6)}, {});
  for (const std::vector<Configuration>& around :
       {std::vector<Configuration>{}, {{{0}}}, {{{-2}}, {{5.9}}, {{6}}, {{1}}}}) {
    const ParzenMixture mixture({space, {0}, around, 1});
    double sum = 0;
    constexpr int kParts = 4000;
    for (int i = 0; i < kParts; ++i) {
      sum += density(mixture, space, space.at(std::vector{(i + 0.5) / kParts})) / kParts;
    }
    EXPECT_NEAR(sum, 1, 1e-6) << around.size();
  }
}

// One observation, no features: half the weight is the prior's, 1/3 each; the other half has 1 + 1/2/3 of 1.5
// on its level, since the prior's share of the kernel is 1 of 2.
TEST(Parzen, LevelsByHand) {
  const SearchSpace space({categorical_factor("c", {"a", "b", "c"})}, {});
  const std::vector<Configuration> around = {{{1}}};
  const ParzenMixture mixture({space, {0}, around, 1});
  const double own = (1 + 0.5 / 3) / 1.5;
  EXPECT_NEAR(density(mixture, space, {{1}}), 0.5 / 3 + 0.5 * own, 1e-12);
  EXPECT_NEAR(density(mixture, space, {{0}}), 0.5 / 3 + 0.5 * (1 - own) / 2, 1e-12);
}

TEST(Parzen, LevelsWithAlikeFeaturesAreLikelier) {
  SearchFactor machine = categorical_factor("machine", {"small", "medium", "large"});
  machine.features = {{"cores"}, stats::Matrix::from_rows({{2}, {4}, {32}})};
  const SearchSpace space({machine}, {});
  const std::vector<Configuration> around = {{{0}}};
  const ParzenMixture mixture({space, {0}, around, 1});
  const double small = density(mixture, space, {{0}});
  const double medium = density(mixture, space, {{1}});
  const double large = density(mixture, space, {{2}});
  EXPECT_GT(small, medium);
  EXPECT_GT(medium, large);
  EXPECT_NEAR(small + medium + large, 1, 1e-12);
}

TEST(Parzen, DrawsFollowTheDensity) {
  const SearchSpace space({integer_factor("n", 0, 4), categorical_factor("c", {"a", "b"})}, {});
  const std::vector<Configuration> around = {{{0, 0}}, {{4, 1}}, {{4, 1}}};
  const ParzenMixture mixture({space, {0, 1}, around, 1});
  Rng rng = Rng(2).stream("parzen");
  std::vector<double> counts(10);
  constexpr int kDraws = 40000;
  std::vector<double> unit(2);
  for (int i = 0; i < kDraws; ++i) {
    mixture.draw(rng, unit);
    const Configuration drawn = space.at(unit);
    counts[static_cast<std::size_t>(drawn.values[0] * 2 + drawn.values[1])] += 1.0 / kDraws;
  }
  // The part of a cell by its density at twenty places.
  for (int n = 0; n < 5; ++n) {
    for (int c = 0; c < 2; ++c) {
      double share = 0;
      const Configuration here{{static_cast<double>(n), static_cast<double>(c)}};
      for (int i = 0; i < 20; ++i) {
        const std::vector<double> at = {(n + (i + 0.5) / 20) / 5, (c + 0.5) / 2};
        share += std::exp(mixture.log_density(here, at)) / 5 / 20;
      }
      // Standard deviation of a share at most 0.5 / 200.
      EXPECT_NEAR(counts[static_cast<std::size_t>(n * 2 + c)], share, 0.0125) << n << c;
    }
  }
}

// Around (0, 0) and (1, 1), factor by factor (0, 1) is as likely as (0, 0); together it is not.
TEST(Parzen, TogetherKnowsWhichValuesGoTogether) {
  const SearchSpace space({real_factor("x", 0, 1), real_factor("y", 0, 1)}, {});
  const std::vector<Configuration> around = {{{0.1, 0.1}}, {{0.9, 0.9}}};
  const ParzenMixture both({space, {0, 1}, around, 1});
  EXPECT_GT(density(both, space, {{0.1, 0.1}}), 2 * density(both, space, {{0.1, 0.9}}));
  const ParzenMixture x({space, {0}, around, 1});
  EXPECT_NEAR(density(x, space, {{0.1, 0.1}}), density(x, space, {{0.9, 0.1}}), 1e-9);
}

TEST(Parzen, AConfigurationSaysNothingOfAFactorThatItLacks) {
  const SearchSpace space({real_factor("x", 0, 1), real_factor("y", 0, 1)}, {});
  const std::vector<Configuration> without = {{{0.5, kAbsent}}};
  const ParzenMixture both({space, {0, 1}, without, 1});
  const ParzenMixture x({space, {0, 1}, without, 1});
  EXPECT_NEAR(density(both, space, {{0.5, 0.2}}), density(both, space, {{0.5, 0.8}}), 1e-12);
  // Of a configuration without y only x counts: the same as if y had not been asked.
  EXPECT_TRUE(std::isfinite(x.log_density({{0.5, kAbsent}}, std::vector{0.5, 0.5})));
}

}  // namespace
}  // namespace sextant::explore
