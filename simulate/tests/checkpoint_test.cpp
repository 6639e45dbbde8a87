#include "sextant/simulate/checkpoint.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "sextant/core/rng.h"

namespace sextant {
namespace {

constexpr double kMinute = 60;
constexpr double kHourS = 3600;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

TEST(Checkpoint, YoungsIntervalAndItsWaste) {
  // sqrt(2 * 60 * 86400) = 3219.9; waste 60/3219.9 + 3219.9/(2 * 86400) = 2 * 0.018634.
  const double every = young_interval(60, 24 * kHourS);
  EXPECT_NEAR(every, 3220, 0.5);
  EXPECT_NEAR(checkpoint_waste({.checkpoint_s = 60, .mtbf_s = 24 * kHourS}, every), 0.0373, 5e-5);
}

TEST(Checkpoint, DalysFigures) {
  // Daly (2006) publishes 117, 57 and 9.1 minutes for C = 5 min.
  EXPECT_NEAR(daly_interval(5 * kMinute, 24 * kHourS) / kMinute, 116.7, 0.05);
  EXPECT_NEAR(daly_interval(5 * kMinute, 6 * kHourS) / kMinute, 56.7, 0.05);
  EXPECT_NEAR(daly_interval(5 * kMinute, 15 * kMinute) / kMinute, 9.14, 0.005);
}

TEST(Checkpoint, DalyBeyondTwiceTheMeanTimeIsTheMeanTime) {
  EXPECT_DOUBLE_EQ(daly_interval(200, 100), 100);
  EXPECT_DOUBLE_EQ(daly_interval(1e9, 100), 100);
  // Just below, the series still holds: 2 M (1 + 1/3 + 1/9) - 2 M = 8/9 M.
  EXPECT_NEAR(daly_interval(200 - 1e-9, 100), 800.0 / 9, 1e-6);
}

TEST(Checkpoint, ExpectedWallTime) {
  // Daly (2006): 500 h of work, R = 10 min, C = 5 min.
  FailureCosts costs{.checkpoint_s = 5 * kMinute, .restart_s = 10 * kMinute, .mtbf_s = 24 * kHourS};
  EXPECT_NEAR(expected_wall_time(costs, 500 * kHourS, 117 * kMinute) / kHourS, 547.9, 0.05);
  costs.mtbf_s = 6 * kHourS;
  EXPECT_NEAR(expected_wall_time(costs, 500 * kHourS, 57 * kMinute) / kHourS, 610.2, 0.05);
}

TEST(Checkpoint, NodesShareTheirMeanTime) {
  const double node = 5 * 365 * 24 * kHourS;
  const double system = mtbf_of_nodes(node, 512);
  EXPECT_NEAR(system / kHourS, 85.55, 0.005);
  // The same system, C = 2 min, R = 5 min: 143.3 min and 2.89 %.
  const double every = young_interval(2 * kMinute, system);
  EXPECT_NEAR(every / kMinute, 143.3, 0.05);
  const FailureCosts costs{.checkpoint_s = 2 * kMinute, .restart_s = 5 * kMinute, .mtbf_s = system};
  EXPECT_NEAR(checkpoint_waste(costs, every), 0.0289, 5e-5);
}

TEST(Checkpoint, AvailabilityAndSurvival) {
  EXPECT_DOUBLE_EQ(availability(99, 1), 0.99);
  EXPECT_DOUBLE_EQ(availability(kInfinite, 1), 1);
  EXPECT_DOUBLE_EQ(availability(1, kInfinite), 0);
  EXPECT_DOUBLE_EQ(survival(100, 100), 1 / std::numbers::e);
  EXPECT_DOUBLE_EQ(survival(kInfinite, 1e30), 1);
}

TEST(Checkpoint, NothingFails) {
  EXPECT_EQ(young_interval(60, kInfinite), kInfinite);
  EXPECT_EQ(daly_interval(60, kInfinite), kInfinite);
  // 100 s of work, a checkpoint of 1 s after every 10 s.
  EXPECT_DOUBLE_EQ(expected_wall_time({.checkpoint_s = 1, .mtbf_s = kInfinite}, 100, 10), 110);
}

TEST(Checkpoint, IntervalOfAPlan) {
  EXPECT_EQ(checkpoint_interval({}, 4, 1000), kInfinite);
  const CheckpointPlan fixed{.rule = CheckpointRule::fixed, .every_s = 600};
  EXPECT_EQ(checkpoint_interval(fixed, 4, kInfinite), 600);
  const CheckpointPlan young{.rule = CheckpointRule::young, .cost_s = 60};
  EXPECT_DOUBLE_EQ(checkpoint_interval(young, 4, 4 * 86400), young_interval(60, 86400));
  EXPECT_EQ(checkpoint_interval(young, 4, kInfinite), kInfinite);
  const CheckpointPlan daly{.rule = CheckpointRule::daly, .cost_s = 60};
  EXPECT_DOUBLE_EQ(checkpoint_interval(daly, 2, 86400), daly_interval(60, 43200));
  const CheckpointPlan free{.rule = CheckpointRule::daly};
  EXPECT_EQ(checkpoint_interval(free, 2, 86400), 0);
}

TEST(Checkpoint, WrongValuesAreRefused) {
  EXPECT_THROW(mtbf_of_nodes(100, 0), InputError);
  EXPECT_THROW(mtbf_of_nodes(0, 1), InputError);
  EXPECT_THROW(young_interval(-1, 100), InputError);
  EXPECT_THROW(daly_interval(1, std::numeric_limits<double>::quiet_NaN()), InputError);
  EXPECT_THROW(checkpoint_interval({.rule = CheckpointRule::fixed}, 1, 100), InputError);
  EXPECT_THROW(expected_wall_time({.mtbf_s = 1}, 1, 0), InputError);
}

// Laws over random costs: Daly's interval is near the best of the exact formula, and no interval beats a
// run without failures.
TEST(Checkpoint, DalyIsNearTheOptimumOfTheExactFormula) {
  Rng rng = Rng(7).stream("checkpoint");
  for (int i = 0; i < 500; ++i) {
    FailureCosts costs;
    costs.mtbf_s = std::pow(10.0, 2 + 5 * rng.uniform());
    costs.checkpoint_s = costs.mtbf_s * std::pow(10.0, -5 + 4 * rng.uniform());
    costs.restart_s = costs.mtbf_s * rng.uniform() / 10;
    const double chosen = expected_wall_time(costs, 1, daly_interval(costs.checkpoint_s, costs.mtbf_s));
    double best = kInfinite;
    for (double every = costs.mtbf_s * 1e-4; every < costs.mtbf_s * 10; every *= 1.02) {
      best = std::fmin(best, expected_wall_time(costs, 1, every));
    }
    EXPECT_LE(chosen, best * 1.001) << "C/M " << costs.checkpoint_s / costs.mtbf_s;
    EXPECT_GT(best, 1);
  }
}

}  // namespace
}  // namespace sextant
