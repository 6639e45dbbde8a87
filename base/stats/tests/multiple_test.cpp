#include "sextant/stats/multiple.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>

#include "sextant/core/error.h"
#include "sextant/core/rng.h"

namespace sextant::stats {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

TEST(Holm, WorkedExample) {
  // Sorted .005 .01 .03 .04 times 4 3 2 1: .02 .03 .06 .04, and the last is raised to .06.
  EXPECT_THAT(holm_adjusted(std::array{0.01, 0.04, 0.03, 0.005}),
              ElementsAre(DoubleNear(0.03, 1e-15), DoubleNear(0.06, 1e-15), DoubleNear(0.06, 1e-15),
                          DoubleNear(0.02, 1e-15)));
}

TEST(Holm, EdgesAndErrors) {
  EXPECT_TRUE(holm_adjusted({}).empty());
  EXPECT_THAT(holm_adjusted(std::array{0.3}), ElementsAre(0.3));
  EXPECT_THAT(holm_adjusted(std::array{0.9, 0.8}), ElementsAre(1, 1));
  EXPECT_THROW((void)holm_adjusted(std::array{1.1}), InputError);
  EXPECT_THROW((void)holm_adjusted(std::array{std::numeric_limits<double>::quiet_NaN()}), InputError);
}

// Never below the p value, nor above Bonferroni's, and in the same order.
TEST(Holm, LawsOverRandomValues) {
  Rng rng = Rng(5).stream("holm");
  for (int round = 0; round < 200; ++round) {
    std::vector<double> p(1 + rng.below(12));
    for (double& value : p) value = rng.uniform();
    const std::vector<double> adjusted = holm_adjusted(p);
    for (std::size_t i = 0; i < p.size(); ++i) {
      EXPECT_GE(adjusted[i], p[i]);
      EXPECT_LE(adjusted[i], std::min(1.0, static_cast<double>(p.size()) * p[i]) + 1e-15);
      for (std::size_t j = 0; j < p.size(); ++j) {
        EXPECT_TRUE(p[i] >= p[j] || adjusted[i] <= adjusted[j]) << i << " " << j;
      }
    }
  }
}

// The chance of a false alarm among ten true hypotheses stays at 5 %: 4000 rounds, five standard errors.
TEST(Holm, KeepsTheLevelOfTheFamily) {
  Rng rng = Rng(6).stream("holm");
  int alarms = 0;
  for (int round = 0; round < 4000; ++round) {
    std::vector<double> p(10);
    for (double& value : p) value = rng.uniform();
    const std::vector<double> adjusted = holm_adjusted(p);
    alarms += std::ranges::any_of(adjusted, [](double value) { return value <= 0.05; }) ? 1 : 0;
  }
  EXPECT_NEAR(alarms / 4000.0, 0.05, 5 * 0.00345);  // sqrt(.05 * .95 / 4000)
}

}  // namespace
}  // namespace sextant::stats
