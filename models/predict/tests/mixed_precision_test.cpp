// Mixed precision of today: which stack answers, what it says of published rates, and how sure it is where
// only those speak.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "builtin.h"
#include "sextant/nets/cost.h"
#include "sextant/nets/network.h"
#include "sextant/predict/stack.h"

namespace sextant::predict {
namespace {

struct PublishedRate {
  std::string net;
  std::string gpu;
  std::int64_t batch;
  double samples_per_s;
  jobs::Mode mode = jobs::Mode::train;
  std::int64_t seq = 0;  // of texts
};

Prediction predict_rate(const PublishedRate& rate, Precision precision) {
  jobs::Job job;
  job.net = rate.net;
  job.sizes = {.batch = rate.batch};
  if (rate.seq > 0) job.sizes.seq = rate.seq;
  job.mode = rate.mode;
  job.precision = precision;
  job.optimizer = rate.seq > 0 ? jobs::Optimizer::none : jobs::Optimizer::momentum;
  const nets::Graph graph = build(nets::zoo().get(rate.net), job.sizes);
  return predictors().get("kernel").make({})->predict(
      {job, graph, cost(graph, precision), test::gpu(rate.gpu)});
}

double rate_error(const PublishedRate& rate, const Prediction& p) {
  return static_cast<double>(rate.batch) / p.iteration.value / rate.samples_per_s - 1;
}

double half_width_of(const Prediction& p) {
  return std::log(*p.interval.high / p.iteration);
}

TEST(MixedPrecision, APlainNameMeansTheStackThatKnowsIt) {
  jobs::Job job;
  EXPECT_EQ(find_stack(job).id, "pytorch-2.1");
  for (const Precision half : {Precision::fp16, Precision::bf16}) {
    job.precision = half;
    job.stack = "pytorch";
    EXPECT_EQ(find_stack(job).id, "pytorch-2.x");
    job.stack = "pytorch-2.1";
    EXPECT_EQ(find_stack(job).id, "pytorch-2.1") << "who names one gets it";
  }
}

// NVIDIA's DeepLearningExamples, PyTorch, one GPU. The stack was fitted on these.
TEST(MixedPrecision, PublishedRatesAreWithinFifteenPercent) {
  const std::vector<PublishedRate> rates = {
      {"resnet50", "v100-sxm2-16gb", 256, 1200},
      {"resnet50", "a100-sxm4-80gb", 256, 2470},
      {"efficientnet-b0", "a100-sxm4-80gb", 256, 2489},
      {"bert-large-pretraining", "a100-sxm4-80gb", 256, 580, jobs::Mode::train, 128}};
  for (const auto& rate : rates) {
    for (const Precision half : {Precision::fp16, Precision::bf16}) {
      if (half == Precision::bf16 && rate.gpu.starts_with("v100")) continue;  // no matrix units for it
      EXPECT_LE(std::abs(rate_error(rate, predict_rate(rate, half))), 0.15) << rate.net << " on " << rate.gpu;
    }
  }
}

// The same source, rows that no fit has seen.
TEST(MixedPrecision, OtherPublishedRatesAreInsideTheInterval) {
  const std::vector<PublishedRate> rates = {
      {"efficientnet-b0", "a100-sxm4-80gb", 128, 9311, jobs::Mode::infer},
      {"efficientnet-b4", "a100-sxm4-80gb", 128, 1418, jobs::Mode::infer},
      {"resnet50", "v100-sxm2-16gb", 32, 2146, jobs::Mode::infer}};
  for (PublishedRate rate : rates) {
    const Prediction p = predict_rate(rate, Precision::fp16);
    const Seconds step{static_cast<double>(rate.batch) / rate.samples_per_s};
    EXPECT_GE(step, p.interval.low) << rate.net;
    EXPECT_LE(step, *p.interval.high) << rate.net;
  }
}

TEST(MixedPrecision, AFewFiguresOfADeviceLeaveItLessKnown) {
  const auto half = [](const std::string& gpu) {
    return half_width_of(predict_rate({"resnet50", gpu, 256, 1}, Precision::fp16));
  };
  EXPECT_LT(half("rtx-3090"), half("v100-sxm2-16gb")) << "timed many times, and seven figures";
  EXPECT_LT(half("v100-sxm2-16gb"), half("a100-sxm4-40gb")) << "never timed";
}

TEST(MixedPrecision, NoStepWaitsForItsInput) {
  jobs::Job job;
  job.net = "resnet18";
  job.sizes = {.batch = 4};
  const nets::Graph graph = build(nets::zoo().get(job.net), job.sizes);
  EXPECT_GT(lower_for(graph, job, {}).input_bytes, 0);
  EXPECT_EQ(lower_for(graph, job, {.prefetches_input = true}).input_bytes, 0);
}

}  // namespace
}  // namespace sextant::predict
