#include "sextant/explore/sobol.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "error_of.h"
#include "sextant/core/rng.h"
#include "sextant/stats/matrix.h"

namespace sextant::explore {
namespace {

stats::Matrix points_of(const SobolSequence& sequence, std::size_t count) {
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < count; ++i) rows.push_back(sequence.point(i));
  return stats::Matrix::from_rows(rows);
}

stats::Matrix random_points(std::size_t count, std::size_t dimensions, Rng& rng) {
  stats::Matrix points(count, dimensions);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < dimensions; ++k) points(i, k) = rng.uniform();
  }
  return points;
}

// L2 star discrepancy of points of the unit cube, a row each (Warnock 1972): root mean square of the
// difference between the share of points in a box at the origin and its volume. O(rows^2 columns).
double l2_star_discrepancy(const stats::Matrix& points) {
  const auto n = static_cast<double>(points.rows());
  const std::size_t d = points.columns();
  double single = 0;
  double pairs = 0;
  for (std::size_t i = 0; i < points.rows(); ++i) {
    double product = 1;
    for (std::size_t k = 0; k < d; ++k) product *= 1 - points(i, k) * points(i, k);
    single += product;
    for (std::size_t j = 0; j < points.rows(); ++j) {
      double overlap = 1;
      for (std::size_t k = 0; k < d; ++k) overlap *= 1 - std::max(points(i, k), points(j, k));
      pairs += overlap;
    }
  }
  const double square = std::pow(3.0, -static_cast<double>(d)) -
                        std::pow(2.0, 1 - static_cast<double>(d)) / n * single + pairs / (n * n);
  return std::sqrt(std::max(square, 0.0));
}

// Expected square of it for as many independent uniform points: (2^-d - 3^-d) / n.
double random_l2_discrepancy(std::size_t points, std::size_t dimensions) {
  const auto d = static_cast<double>(dimensions);
  return (std::pow(2.0, -d) - std::pow(3.0, -d)) / static_cast<double>(points);
}

// The first points of the sequence of Joe and Kuo, as SciPy 1.10's qmc.Sobol(4, scramble=False) gives them.
TEST(Sobol, FirstPoints) {
  const SobolSequence sequence(4);
  const std::vector<std::vector<double>> expected = {{0, 0, 0, 0},
                                                     {.5, .5, .5, .5},
                                                     {.75, .25, .25, .25},
                                                     {.25, .75, .75, .75},
                                                     {.375, .375, .625, .875},
                                                     {.875, .875, .125, .375},
                                                     {.625, .125, .875, .625},
                                                     {.125, .625, .375, .125}};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(sequence.point(i), expected[i]) << i;
}

// Points 1000 and 777 of 40 dimensions, same source.
TEST(Sobol, FarPointsOfHighDimensions) {
  const SobolSequence sequence(40);
  const std::vector<double> far = sequence.point(1000);
  EXPECT_EQ(far[10], 0.0849609375);
  EXPECT_EQ(far[20], 0.5224609375);
  EXPECT_EQ(far[31], 0.1455078125);
  EXPECT_EQ(far[39], 0.4794921875);
  const std::vector<double> other = sequence.point(777);
  EXPECT_EQ(other[5], 0.3564453125);
  EXPECT_EQ(other[33], 0.0029296875);
  EXPECT_EQ(other[38], 0.3427734375);
}

// A law of every dimension: 2^m points fall into 2^m equal parts of each axis, scrambled or not.
TEST(Sobol, EachPartOfEachAxisHoldsOnePoint) {
  for (const bool scrambled : {false, true}) {
    const SobolSequence sequence =
        scrambled ? SobolSequence(kSobolDimensions, 11) : SobolSequence(kSobolDimensions);
    constexpr std::size_t kPoints = 256;
    const stats::Matrix points = points_of(sequence, kPoints);
    for (std::size_t k = 0; k < kSobolDimensions; ++k) {
      std::set<int> parts;
      for (const double x : points.column(k)) parts.insert(static_cast<int>(x * kPoints));
      EXPECT_EQ(parts.size(), kPoints) << k << (scrambled ? " scrambled" : "");
    }
  }
}

// Sobol's property A in the first two dimensions: one point in each of 16 x 16 squares, after any scramble.
TEST(Sobol, ScrambleKeepsTheNet) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const SobolSequence sequence(2, seed);
    std::set<std::pair<int, int>> squares;
    for (std::size_t i = 0; i < 256; ++i) {
      const std::vector<double> p = sequence.point(i);
      squares.emplace(static_cast<int>(p[0] * 16), static_cast<int>(p[1] * 16));
    }
    EXPECT_EQ(squares.size(), 256U) << seed;
  }
}

TEST(Sobol, ScrambledPointsAreUniformAndDeterministic) {
  double sum = 0;
  double squares = 0;
  constexpr int kSeeds = 2000;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const double x = SobolSequence(3, seed).point(5)[2];
    EXPECT_EQ(SobolSequence(3, seed).point(5)[2], x);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / kSeeds, 1.0 / 2, 5 * std::sqrt(1.0 / 12 / kSeeds));
  EXPECT_NEAR(squares / kSeeds, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / kSeeds));
}

TEST(Sobol, DimensionsBeyondTheTableAreRandom) {
  EXPECT_NE(sextant::test::error_of([] { SobolSequence(kSobolDimensions + 1); }).find("up to 64"),
            std::string::npos);
  const std::vector<double> p = SobolSequence(70, 3).point(9);
  ASSERT_EQ(p.size(), 70U);
  for (const double x : p) EXPECT_TRUE(x >= 0 && x < 1);
  EXPECT_NE(SobolSequence(70, 3).point(10)[69], p[69]);
}

// One point x in one dimension: the integral of (1[x <= t] - t)^2 is 1/3 - (1 - x^2) + (1 - x).
TEST(Discrepancy, OnePointByHand) {
  for (const double x : {0.0, 0.25, 0.5, 1.0}) {
    EXPECT_NEAR(l2_star_discrepancy(stats::Matrix::from_rows({{x}})),
                std::sqrt(1.0 / 3 - (1 - x * x) + (1 - x)), 1e-15)
        << x;
  }
  // Middles of n strata have the least: 1 / (n sqrt(12)).
  EXPECT_NEAR(l2_star_discrepancy(stats::Matrix::from_rows({{.125}, {.375}, {.625}, {.875}})),
              1 / (4 * std::sqrt(12.0)), 1e-15);
}

// SciPy 1.10: qmc.discrepancy(qmc.Sobol(d, scramble=False).random(n), method='L2-star').
TEST(Discrepancy, OfSobolAgreesWithScipy) {
  EXPECT_NEAR(l2_star_discrepancy(points_of(SobolSequence(2), 16)), 0.047766230959700805, 1e-12);
  EXPECT_NEAR(l2_star_discrepancy(points_of(SobolSequence(2), 64)), 0.012869849626468793, 1e-12);
  EXPECT_NEAR(l2_star_discrepancy(points_of(SobolSequence(5), 64)), 0.01561292087409816, 1e-12);
  EXPECT_NEAR(l2_star_discrepancy(points_of(SobolSequence(5), 256)), 0.004787772148829876, 1e-12);
}

TEST(Discrepancy, OfRandomPointsIsAsExpectedAndAboveSobol) {
  Rng rng = Rng(4).stream("discrepancy");
  for (const std::size_t d : {2U, 5U}) {
    constexpr std::size_t kPoints = 128;
    double mean_square = 0;
    constexpr int kSamples = 200;
    for (int i = 0; i < kSamples; ++i) {
      const double value = l2_star_discrepancy(random_points(kPoints, d, rng));
      mean_square += value * value / kSamples;
    }
    EXPECT_NEAR(mean_square / random_l2_discrepancy(kPoints, d), 1, 0.25) << d;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const double sobol = l2_star_discrepancy(points_of(SobolSequence(d, seed), kPoints));
      EXPECT_LT(sobol, 0.7 * std::sqrt(mean_square)) << d;
    }
  }
}

}  // namespace
}  // namespace sextant::explore
