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
  for (const std::string& name : optimizer_names()) EXPECT_EQ(to_string(parse_optimizer(name)), name);
  EXPECT_EQ(optimizer_names().size(), 6U);
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

TEST(Job, OptimizersKeepTheirStateInTheseBytes) {
  const auto bytes = [](Optimizer optimizer, Precision precision = Precision::bf16) {
    return optimizer_state_size(optimizer, precision).value;
  };
  EXPECT_EQ(bytes(Optimizer::sgd), 0);
  EXPECT_EQ(bytes(Optimizer::momentum), 4);
  EXPECT_EQ(bytes(Optimizer::adam), 8);
  EXPECT_EQ(bytes(Optimizer::adamw), 8);
  EXPECT_EQ(bytes(Optimizer::adamw, Precision::bf16_pure), 4);
  EXPECT_DOUBLE_EQ(bytes(parse_optimizer("adamw-8bit")), 2 * (1 + 4.0 / 256));
}

// Weight twice and gradient once; each moment is read and written.
TEST(Job, UpdatesMoveTheseTensors) {
  EXPECT_DOUBLE_EQ(update_tensors(Optimizer::sgd), 3);
  EXPECT_DOUBLE_EQ(update_tensors(Optimizer::adamw), 7);
  EXPECT_DOUBLE_EQ(update_tensors(Optimizer::adam_8bit), 3 + 2 * 2 * (1 + 4.0 / 256) / 4);
}

}  // namespace
}  // namespace sextant::jobs
