#include "wave_scaling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "builtin.h"
#include "error_of.h"
#include "plain_stack.h"
#include "sextant/predict/predictor.h"

namespace sextant::predict {
namespace {

using sextant::test::error_of;
using test::catalog;
using test::plain_stack;

// As Habitat measured them: multiprocessors, GB/s, MHz, GFLOP/s.
constexpr WaveDevice kRtx2070{36, 383, 1410, 4318};
constexpr WaveDevice kV100{80, 739, 1312, 6716};
constexpr double kRidge = 6716.0 / 739.0;  // 9.088 of the V100

TEST(WaveScaling, PublishedFormulasByHand) {
  struct Row {
    double intensity, gamma, full, many;
  };
  // 2000 blocks, 4 to a multiprocessor: ceil(2000 / 144) = 14 waves become ceil(2000 / 320) = 7.
  for (const Row& row :
       {Row{2, .8900, .5715, .5143}, Row{kRidge, .5, .5563, .5006}, Row{30, .1515, .5430, .4887}}) {
    const double gamma = memory_share(row.intensity, kRidge);
    EXPECT_NEAR(gamma, row.gamma, 5e-5);
    EXPECT_NEAR(full_wave_ratio(kRtx2070, kV100, gamma, {2000, 4}), row.full, 5e-5);
    EXPECT_NEAR(many_wave_ratio(kRtx2070, kV100, gamma), row.many, 5e-5);
  }
}

TEST(WaveScaling, WithoutArithmeticOnlyMemoryCounts) {
  EXPECT_EQ(memory_share(0, kRidge), 1);
  EXPECT_DOUBLE_EQ(many_wave_ratio(kRtx2070, kV100, 1), 383.0 / 739);
}

TEST(WaveScaling, WithoutTrafficOnlyWavesAndClockCount) {
  EXPECT_EQ(memory_share(std::numeric_limits<double>::infinity(), kRidge), 0);
  EXPECT_DOUBLE_EQ(many_wave_ratio(kRtx2070, kV100, 0), 36.0 / 80 * 1410 / 1312);
}

TEST(WaveScaling, TheSameDeviceChangesNothing) {
  EXPECT_DOUBLE_EQ(many_wave_ratio(kV100, kV100, 0.3), 1);
  EXPECT_DOUBLE_EQ(full_wave_ratio(kV100, kV100, 0.3, {1000, 2}), 1);
}

TEST(WaveScaling, UnknownClocksAreReplacedByThePeakAtBothEnds) {
  WaveDevice origin = kRtx2070;
  WaveDevice destination = kV100;
  destination.clock = 0;
  align(origin, destination);
  EXPECT_DOUBLE_EQ(many_wave_ratio(origin, destination, 0), 4318.0 / 6716);
}

jobs::Job job_of(const std::string& net, std::int64_t batch) {
  jobs::Job job;
  job.net = net;
  job.sizes.batch = batch;
  return job;
}

struct WaveAsk {
  jobs::Job job;
  std::string gpu;
};

Prediction predict_wave(const Setup& setup, const WaveAsk& ask) {
  const nets::Graph graph = build(nets::zoo().get(ask.job.net), ask.job.sizes);
  const nets::GraphCost counted = cost(graph, ask.job.precision);
  return predictors()
      .get("wave-scaling")
      .make(setup)
      ->predict({ask.job, graph, counted, catalog().gpus.get(ask.gpu)});
}

Setup measured_on_t4() {
  Setup setup;
  setup.catalog = &catalog();
  setup.from = "t4";
  setup.model = to_json(plain_stack()).dump();
  setup.measured = {{.job = job_of("resnet50", 32), .gpu = "t4", .step = Seconds{0.4}}};
  return setup;
}

StepTime modelled(std::int64_t batch, const std::string& name) {
  const jobs::Job job = job_of("resnet50", batch);
  const auto rows =
      observe(std::vector<Measurement>{{job, catalog().gpus.get(name).id, Seconds{1}}}, catalog(), {});
  return step_time(*rows.front().kernels, rows.front().device, start_coefficients());
}

TEST(WaveScalingPredictor, OnTheOriginAMeasuredCaseIsItself) {
  const Prediction p = predict_wave(measured_on_t4(), {job_of("resnet50", 32), "t4"});
  EXPECT_NEAR(p.iteration.value, 0.4, 1e-12);
  EXPECT_FALSE(p.extrapolating);
  EXPECT_NEAR(p.interval.low.value, 0.4 * std::exp(-0.5), 1e-12);
  EXPECT_NEAR(p.interval.high->value, 0.4 * std::exp(0.5), 1e-12);
  EXPECT_EQ(p.model, "wave-scaling/plain-1.0");
}

TEST(WaveScalingPredictor, OverheadIsCarriedOver) {
  const Prediction here = predict_wave(measured_on_t4(), {job_of("resnet50", 32), "t4"});
  const Prediction there = predict_wave(measured_on_t4(), {job_of("resnet50", 32), "a100"});
  EXPECT_GT(here.breakdown.overhead, Seconds{});
  EXPECT_EQ(here.breakdown.overhead, there.breakdown.overhead);
  EXPECT_LT(there.breakdown.compute, here.breakdown.compute);
}

TEST(WaveScalingPredictor, WhatWasNotMeasuredComesFromTheNearestCase) {
  auto setup = measured_on_t4();
  setup.measured.push_back({.job = job_of("resnet50", 4), .gpu = "t4", .step = Seconds{0.06}});
  setup.measured.push_back({.job = job_of("vgg16", 64), .gpu = "t4", .step = Seconds{9}});
  const Prediction p = predict_wave(setup, {job_of("resnet50", 64), "t4"});
  EXPECT_TRUE(p.extrapolating);
  EXPECT_NEAR(p.iteration.value, 0.4 * modelled(64, "t4").total / modelled(32, "t4").total, 1e-9);
}

// Twice as long measured, twice as long there.
TEST(WaveScalingPredictor, IsProportionalToWhatWasMeasured) {
  auto setup = measured_on_t4();
  const Prediction once = predict_wave(setup, {job_of("resnet50", 32), "v100"});
  setup.measured.front().step = Seconds{0.8};
  const Prediction twice = predict_wave(setup, {job_of("resnet50", 32), "v100"});
  EXPECT_NEAR(twice.iteration.value, 2 * once.iteration.value, 1e-12);
  EXPECT_NEAR(twice.breakdown.overhead.value, 2 * once.breakdown.overhead.value, 1e-12);
}

// The ratio of the model's own times, but for the kernels that are scaled by waves.
TEST(WaveScalingPredictor, StaysNearTheModelsRatio) {
  const Prediction p = predict_wave(measured_on_t4(), {job_of("resnet50", 32), "v100"});
  const double ratio = modelled(32, "v100").total / modelled(32, "t4").total;
  EXPECT_NEAR(p.iteration.value / 0.4, ratio, 0.2 * ratio);
  double matrix = 0;
  for (std::size_t i = 0; i < kMatrixKinds; ++i) matrix += modelled(32, "v100").by_kind[i];
  EXPECT_GT(p.breakdown.compute.value, matrix * 0.4 / modelled(32, "t4").total);
}

// A step that the host cannot issue faster takes as long on any device.
TEST(WaveScalingPredictor, AFasterDeviceDoesNotHelpTheHost) {
  auto setup = measured_on_t4();
  Stack stack = plain_stack();
  stack.shared.coefficients[coefficient::host_step] = std::log(100.0);
  setup.model = to_json(stack).dump();
  const Prediction p = predict_wave(setup, {job_of("resnet50", 32), "h100"});
  EXPECT_NEAR(p.iteration.value, 0.4, 1e-4);
  EXPECT_GT(p.breakdown.overhead, p.breakdown.compute);
}

TEST(WaveScalingPredictor, SaysWhatIsMissing) {
  auto setup = measured_on_t4();
  setup.from.clear();
  EXPECT_NE(error_of([&] {
              predict_wave(setup, {job_of("resnet50", 32), "t4"});
            }).find("`from`"),
            std::string::npos);
  setup.from = "v100";
  EXPECT_NE(error_of([&] {
              predict_wave(setup, {job_of("resnet50", 32), "t4"});
            }).find("v100"),
            std::string::npos);
  setup.measured.clear();
  EXPECT_NE(error_of([&] {
              predict_wave(setup, {job_of("resnet50", 32), "t4"});
            }).find("`measured`"),
            std::string::npos);
}

}  // namespace
}  // namespace sextant::predict
