// What timings of smaller batches say of a larger one.
#include "sextant/predict/batch_line.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sextant::predict {
namespace {

Observation step(double batch, double seconds = 0, const std::string& net = "resnet50") {
  Observation o;
  o.instance = "t4";
  o.labels.net = net;
  o.labels.precision = "fp32";
  o.labels.mode = "train";
  o.labels.samples = batch;
  o.seconds = seconds;
  return o;
}

const double kModelled = std::log(0.9);  // of the batch that is asked for

TEST(BatchLines, SayNothingWithoutTwoTimings) {
  BatchLines lines;
  EXPECT_EQ(lines.adjust(step(64), kModelled), kModelled);
  lines.add(step(16, 0.2), std::log(0.2), 0);
  EXPECT_EQ(lines.adjust(step(64), kModelled), kModelled);
  lines.add(step(16, 0.25), std::log(0.2), 0);
  EXPECT_EQ(lines.adjust(step(64), kModelled), kModelled) << "the same batch twice is one point";
}

class TwoTimings : public testing::Test {
 protected:
  // 10 ms a sample on top of 40 ms; the model says a quarter more.
  void SetUp() override {
    lines_.add(step(16, 0.2), std::log(0.25), 0.5);
    lines_.add(step(32, 0.36), std::log(0.45), 0.25);
  }
  BatchLines lines_;
};

TEST_F(TwoTimings, SayNothingOfSmallerBatches) {
  for (const double batch : {1, 16, 24, 32}) {
    EXPECT_EQ(lines_.adjust(step(batch), kModelled), kModelled) << batch;
  }
}

TEST_F(TwoTimings, SayNothingOfAnotherJob) {
  EXPECT_EQ(lines_.adjust(step(64, 0, "vgg16"), kModelled), kModelled);
  for (auto change : std::initializer_list<void (*)(Observation&)>{
           [](Observation& o) { o.instance = "v100"; }, [](Observation& o) { o.labels.precision = "fp16"; },
           [](Observation& o) { o.labels.mode = "infer"; }, [](Observation& o) { o.labels.size = 1; }}) {
    Observation other = step(64);
    change(other);
    EXPECT_EQ(lines_.adjust(other, kModelled), kModelled);
  }
}

// The line reaches .36 + 32 x .01 = .68 s; the model's ratio .36 x .9 / .45 = .72 s. The host takes a quarter
// of the step, so the line counts .8 x .75 = .6.
TEST_F(TwoTimings, GiveATimeBetweenTheLineAndTheModelsRatio) {
  EXPECT_NEAR(std::exp(lines_.adjust(step(64), kModelled)), std::pow(0.68, 0.6) * std::pow(0.72, 0.4), 1e-12);
}

// A device that waits for its host takes more work for little: there the line says nothing.
TEST(BatchLines, AHostThatIsSlowerThanTheDeviceHasNoLine) {
  BatchLines lines;
  lines.add(step(16, 0.2), std::log(0.25), 0.9);
  lines.add(step(32, 0.36), std::log(0.45), 1.1);
  EXPECT_NEAR(std::exp(lines.adjust(step(64), kModelled)), 0.72, 1e-12);
}

TEST_F(TwoTimings, AgreeWhereLineAndModelDo) {
  EXPECT_NEAR(std::exp(lines_.adjust(step(64), std::log(0.85))), 0.68, 1e-12) << ".36 x .85 / .45";
}

TEST(BatchLines, FallingTimesDoNotFallForEver) {
  BatchLines lines;
  lines.add(step(16, 0.5), 0, 0);
  lines.add(step(32, 0.4), 0, 0);
  EXPECT_GT(std::exp(lines.adjust(step(1024), 0)), 0.4);
}

}  // namespace
}  // namespace sextant::predict
