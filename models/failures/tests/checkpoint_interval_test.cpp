#include "sextant/failures/checkpoint_interval.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "minute.h"
#include "sextant/core/error.h"
#include "sextant/core/infinity.h"
#include "sextant/core/rng.h"

namespace sextant::failures {
namespace {

constexpr Seconds kEver{kInfinity};

// What intervals are judged by: expected time to get one second of work done, and the fraction of time that
// is lost, to first order.
struct FailureCosts {
  Seconds checkpoint{};
  Seconds restart{};
  Seconds mtbf{};

  [[nodiscard]] double expected_wall_time(Seconds every) const {
    return 1 / closed_form_goodput({.checkpoint = checkpoint, .restart = restart}, every, mtbf);
  }
  [[nodiscard]] double waste(Seconds every) const {
    return checkpoint / every + (every / 2 + restart) / mtbf;
  }
};

TEST(Checkpoint, YoungsIntervalAndItsWaste) {
  // sqrt(2 * 60 * 86400) = 3219.9; waste 60/3219.9 + 3219.9/(2 * 86400) = 2 * 0.018634.
  const Seconds every = young_interval(kMinute, 24 * kHour);
  EXPECT_NEAR(every.value, 3220, 0.5);
  const FailureCosts costs{.checkpoint = kMinute, .mtbf = 24 * kHour};
  EXPECT_NEAR(costs.waste(every), 0.0373, 5e-5);
}

TEST(Checkpoint, DalysFigures) {
  // Daly (2006) publishes 117, 57 and 9.1 minutes for C = 5 min.
  EXPECT_NEAR(daly_interval(5 * kMinute, 24 * kHour) / kMinute, 116.7, 0.05);
  EXPECT_NEAR(daly_interval(5 * kMinute, 6 * kHour) / kMinute, 56.7, 0.05);
  EXPECT_NEAR(daly_interval(5 * kMinute, 15 * kMinute) / kMinute, 9.14, 0.005);
}

TEST(Checkpoint, DalyBeyondTwiceTheMeanTimeIsTheMeanTime) {
  EXPECT_DOUBLE_EQ(daly_interval(Seconds{200}, Seconds{100}).value, 100);
  EXPECT_DOUBLE_EQ(daly_interval(Seconds{1e9}, Seconds{100}).value, 100);
  // Just below, the series still holds: 2 M (1 + 1/3 + 1/9) - 2 M = 8/9 M.
  EXPECT_NEAR(daly_interval(Seconds{200 - 1e-9}, Seconds{100}).value, 800.0 / 9, 1e-6);
}

TEST(Checkpoint, DalysWallTime) {
  // Daly (2006): 500 h of work, R = 10 min, C = 5 min.
  FailureCosts costs{.checkpoint = 5 * kMinute, .restart = 10 * kMinute, .mtbf = 24 * kHour};
  EXPECT_NEAR(500 * costs.expected_wall_time(117 * kMinute), 547.9, 0.05);
  costs.mtbf = 6 * kHour;
  EXPECT_NEAR(500 * costs.expected_wall_time(57 * kMinute), 610.2, 0.05);
}

TEST(Checkpoint, NodesShareTheirMeanTime) {
  const Seconds system = mtbf_of_nodes(5 * 365 * 24 * kHour, 512);
  EXPECT_NEAR(system / kHour, 85.55, 0.005);
  // The same system, C = 2 min, R = 5 min: 143.3 min and 2.89 %.
  const Seconds every = young_interval(2 * kMinute, system);
  EXPECT_NEAR(every / kMinute, 143.3, 0.05);
  const FailureCosts costs{.checkpoint = 2 * kMinute, .restart = 5 * kMinute, .mtbf = system};
  EXPECT_NEAR(costs.waste(every), 0.0289, 5e-5);
}

TEST(Checkpoint, NothingFails) {
  EXPECT_EQ(young_interval(kMinute, kEver), kEver);
  EXPECT_EQ(daly_interval(kMinute, kEver), kEver);
}

TEST(Checkpoint, WrongValuesAreRefused) {
  const Seconds nan{std::numeric_limits<double>::quiet_NaN()};
  EXPECT_THROW(mtbf_of_nodes(Seconds{100}, 0), InputError);
  EXPECT_THROW(mtbf_of_nodes(Seconds{0}, 1), InputError);
  EXPECT_THROW(young_interval(Seconds{-1}, Seconds{100}), InputError);
  EXPECT_THROW(daly_interval(Seconds{1}, nan), InputError);
  EXPECT_THROW(closed_form_goodput({}, Seconds{0}, kMinute), InputError);
}

// Laws over random costs: Daly's interval is near the best of the exact formula, and no interval beats a
// run without failures.
TEST(Checkpoint, DalyIsNearTheOptimumOfTheExactFormula) {
  Rng rng = Rng(7).stream("checkpoint");
  for (int i = 0; i < 500; ++i) {
    FailureCosts costs;
    costs.mtbf = Seconds{std::pow(10.0, 2 + 5 * rng.uniform())};
    costs.checkpoint = costs.mtbf * std::pow(10.0, -5 + 4 * rng.uniform());
    costs.restart = costs.mtbf * rng.uniform() / 10;
    const double chosen = costs.expected_wall_time(daly_interval(costs.checkpoint, costs.mtbf));
    double best = kInfinity;
    for (Seconds every = costs.mtbf * 1e-4; every < costs.mtbf * 10; every = every * 1.02) {
      best = std::fmin(best, costs.expected_wall_time(every));
    }
    EXPECT_LE(chosen, best * 1.001) << "C/M " << costs.checkpoint / costs.mtbf;
    EXPECT_GT(best, 1);
  }
}

}  // namespace
}  // namespace sextant::failures
