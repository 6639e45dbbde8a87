// Expected improvement: worked numbers, and its integral.
#include "acquisition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sextant/core/rng.h"

namespace sextant::explore {
namespace {

TEST(Acquisition, WorkedNumbers) {
  // z = 0.5: 0.5 Phi(0.5) + phi(0.5) = 0.5 * 0.691462 + 0.352065
  EXPECT_NEAR(expected_improvement({9.5, 1}, 10), 0.697797, 5e-7);
  EXPECT_NEAR(expected_improvement({10.5, 2}, 10), 0.572689, 5e-7);
  // At x = 2 of the two-point example; the best is -1.
  EXPECT_NEAR(expected_improvement({-0.792858, std::sqrt(0.704116)}, -1), 0.241336, 5e-7);
  EXPECT_NEAR(chance_below({100, 15}, 120), 0.908789, 5e-7);
}

TEST(Acquisition, WithoutDeviationItIsTheGain) {
  EXPECT_EQ(expected_improvement({9, 0}, 10), 1);
  EXPECT_EQ(expected_improvement({11, 0}, 10), 0);
  EXPECT_EQ(chance_below({9, 0}, 10), 1);
  EXPECT_EQ(chance_below({11, 0}, 10), 0);
}

TEST(Acquisition, EqualsItsIntegral) {
  Rng rng = Rng(5).stream("ei");
  for (int round = 0; round < 50; ++round) {
    const double mean = 4 * rng.uniform() - 2;
    const double sd = 0.1 + rng.uniform();
    double integral = 0;
    constexpr double kWidth = 1e-3;
    for (double z = -9; z < 9; z += kWidth) {
      integral += std::max(-(mean + sd * (z + kWidth / 2)), 0.0) * normal_density(z + kWidth / 2) * kWidth;
    }
    EXPECT_NEAR(expected_improvement({mean, sd}, 0), integral, 1e-6);
  }
}

TEST(Acquisition, NeverNegativeFarAway) {
  for (double mean = 0; mean < 100; mean += 0.5) EXPECT_GE(expected_improvement({mean, 1}, 0), 0);
}

}  // namespace
}  // namespace sextant::explore
