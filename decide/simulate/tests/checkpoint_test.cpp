#include "sextant/simulate/checkpoint.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sextant/core/infinity.h"
#include "sextant/core/rng.h"

namespace sextant::simulate {
namespace {

constexpr Seconds kMinute{60};
constexpr Seconds kEver{kInfinity};

// What intervals are judged by. Expected time to get one second of work done (Daly 2006, eq. 20), and the
// fraction of time that is lost, to first order.
struct FailureCosts {
  Seconds checkpoint{};
  Seconds restart{};
  Seconds mtbf{};

  [[nodiscard]] double expected_wall_time(Seconds every) const {
    return mtbf / every * std::exp(restart / mtbf) * std::expm1((every + checkpoint) / mtbf);
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

TEST(Checkpoint, IntervalOfAPlan) {
  const Seconds day = 24 * kHour;
  EXPECT_EQ(checkpoint_interval({}, 4, Seconds{1000}), kEver);
  const CheckpointPlan fixed{.rule = CheckpointRule::fixed, .every = Seconds{600}};
  EXPECT_EQ(checkpoint_interval(fixed, 4, kEver), Seconds{600});
  const CheckpointPlan young{.rule = CheckpointRule::young, .cost = kMinute};
  EXPECT_DOUBLE_EQ(checkpoint_interval(young, 4, 4 * day).value, young_interval(kMinute, day).value);
  EXPECT_EQ(checkpoint_interval(young, 4, kEver), kEver);
  const CheckpointPlan daly{.rule = CheckpointRule::daly, .cost = kMinute};
  EXPECT_DOUBLE_EQ(checkpoint_interval(daly, 2, day).value, daly_interval(kMinute, 12 * kHour).value);
  const CheckpointPlan free{.rule = CheckpointRule::daly};
  EXPECT_EQ(checkpoint_interval(free, 2, day), Seconds{0});
}

TEST(Checkpoint, WrongValuesAreRefused) {
  const Seconds nan{std::numeric_limits<double>::quiet_NaN()};
  EXPECT_THROW(mtbf_of_nodes(Seconds{100}, 0), InputError);
  EXPECT_THROW(mtbf_of_nodes(Seconds{0}, 1), InputError);
  EXPECT_THROW(young_interval(Seconds{-1}, Seconds{100}), InputError);
  EXPECT_THROW(daly_interval(Seconds{1}, nan), InputError);
  EXPECT_THROW(checkpoint_interval({.rule = CheckpointRule::fixed}, 1, Seconds{100}), InputError);
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
}  // namespace sextant::simulate
