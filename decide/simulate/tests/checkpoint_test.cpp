#include "sextant/simulate/checkpoint.h"

#include <gtest/gtest.h>

#include "sextant/core/error.h"
#include "sextant/core/infinity.h"
#include "sextant/failures/checkpoint_interval.h"

namespace sextant::simulate {
namespace {

using failures::daly_interval;
using failures::young_interval;

constexpr Seconds kMinute{60};
constexpr Seconds kEver{kInfinity};

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
  EXPECT_THROW(checkpoint_interval({.rule = CheckpointRule::fixed}, 1, Seconds{100}), InputError);
}

}  // namespace
}  // namespace sextant::simulate
