#include "sextant/stats/warm_up.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "sextant/core/error.h"
#include "sextant/core/rng.h"
#include "sextant/stats/summary.h"

namespace sextant::stats {
namespace {

TEST(WarmUp, CutsAStepExactly) {
  // Ten values of 100, then forty of 1: the rest has no scatter only after the first two batches.
  std::vector<double> series(50, 1.0);
  for (std::size_t i = 0; i < 10; ++i) series[i] = 100;
  const WarmUp cut = mser_warm_up(series);
  EXPECT_EQ(cut.drop, 10U);
  EXPECT_TRUE(cut.settled);
  EXPECT_DOUBLE_EQ(cut.mean, 1);
}

TEST(WarmUp, ConstantSeriesKeepsEverything) {
  const WarmUp cut = mser_warm_up(std::vector<double>(100, 3.0));
  EXPECT_EQ(cut.drop, 0U);
  EXPECT_TRUE(cut.settled);
  EXPECT_DOUBLE_EQ(cut.mean, 3);
}

TEST(WarmUp, ATrendNeverSettles) {
  std::vector<double> series;
  for (int i = 0; i < 200; ++i) series.push_back(i);
  const WarmUp cut = mser_warm_up(series);
  EXPECT_EQ(cut.drop, 100U);
  EXPECT_FALSE(cut.settled);
}

TEST(WarmUp, ValuesBehindTheLastBatchAreLeftOut) {
  std::vector<double> series(22, 1.0);
  series[20] = 1e6;
  EXPECT_DOUBLE_EQ(mser_warm_up(series).mean, 1);
}

TEST(WarmUp, AgreesWithItsDefinition) {
  Rng rng = Rng(9).stream("warm-up");
  for (int round = 0; round < 100; ++round) {
    std::vector<double> series(8 + rng.below(60));
    for (std::size_t i = 0; i < series.size(); ++i) {
      series[i] = 5 * std::exp(-static_cast<double>(i) / 6) + rng.uniform();
    }
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t d = 0; d <= series.size() / 2; ++d) {
      double squares = 0;
      const std::span<const double> rest = std::span(series).subspan(d);
      for (const double y : rest) squares += std::pow(y - mean(rest), 2);
      const double score = squares / std::pow(static_cast<double>(rest.size()), 2);
      if (score < least) {
        least = score;
        best = d;
      }
    }
    EXPECT_EQ(mser_warm_up(series, 1).drop, best);
  }
}

TEST(WarmUp, WrongInputIsRefused) {
  EXPECT_THROW((void)mser_warm_up(std::vector<double>(19, 1.0)), InputError);
  EXPECT_THROW((void)mser_warm_up({}), InputError);
  EXPECT_THROW((void)mser_warm_up(std::vector<double>(20, 1.0), 0), InputError);
  std::vector<double> series(20, 1.0);
  series[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW((void)mser_warm_up(series), InputError);
}

}  // namespace
}  // namespace sextant::stats
