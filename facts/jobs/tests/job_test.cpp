#include "sextant/jobs/job.h"

#include <gtest/gtest.h>

namespace sextant::jobs {
namespace {

TEST(Job, CountsTheLastIncompleteBatchAsAStep) {
  Job job;
  job.sizes.batch = 32;
  // 1000 / 32 = 31.25 -> 32 steps an epoch.
  EXPECT_EQ(step_count(job, {.epochs = 1, .samples = 1000}), 32);
  EXPECT_EQ(step_count(job, {.epochs = 3, .samples = 1000}), 96);
}

TEST(Job, ReplicasShareAnEpoch) {
  Job job;
  job.sizes.batch = 32;
  job.layout.placement = {{4}};
  // 1000 / 128 = 7.8 -> 8 steps.
  EXPECT_EQ(step_count(job, {.epochs = 1, .samples = 1000}), 8);
}

TEST(Job, HalfAnEpochIsHalfTheSteps) {
  Job job;
  job.sizes.batch = 10;
  EXPECT_EQ(step_count(job, {.epochs = 0.5, .samples = 1000}), 50);
}

TEST(Job, NamesSurviveARoundTrip) {
  for (const auto optimizer : {Optimizer::none, Optimizer::sgd, Optimizer::momentum, Optimizer::adam}) {
    EXPECT_EQ(parse_optimizer(to_string(optimizer)), optimizer);
  }
  for (const auto mode : {Mode::train, Mode::infer}) EXPECT_EQ(parse_mode(to_string(mode)), mode);
}

TEST(Job, UnknownNamesPointAndSuggest) {
  try {
    parse_optimizer("adma", at_field("optimizer"));
    FAIL() << "expected an InputError";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "`optimizer`: error: unknown optimizer 'adma'\n  hint: did you mean 'adam'?");
  }
}

TEST(Layout, DevicesAreThoseOfAllNodes) {
  EXPECT_EQ(Layout{}.devices(), 1);
  EXPECT_EQ((Layout{.placement = {{4, 4, 2}}}.devices()), 10);
}

TEST(Job, OptimizersThatAreNotModelledNameOneThatIs) {
  try {
    (void)parse_optimizer("adamw");
    FAIL() << "expected an InputError";
  } catch (const InputError& error) {
    EXPECT_EQ(error.hint(), "adam has the same time and memory");
  }
}

}  // namespace
}  // namespace sextant::jobs
