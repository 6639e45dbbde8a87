#include "wave_scaling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "builtin.h"
#include "error_of.h"
#include "op_roofline.h"
#include "sextant/predict/predictor.h"

namespace sextant {
namespace {

using test::catalog;
using test::error_of;

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

TrainingJob job_of(const std::string& net, std::int64_t batch) {
  TrainingJob job;
  job.network = net;
  job.sizes.batch = batch;
  return job;
}

struct Ask {
  TrainingJob job;
  std::string gpu;
};

Prediction predict(const Setup& setup, const Ask& ask) {
  const Graph graph = build(zoo().get(ask.job.network), ask.job.sizes);
  const GraphCost counted = cost(graph, ask.job.precision);
  return predictors()
      .get("wave-scaling")
      .make(setup)
      ->predict({ask.job, graph, counted, catalog().gpus.get(ask.gpu)});
}

Setup measured_on_t4() {
  Setup setup;
  setup.catalog = &catalog();
  setup.from = "t4";
  setup.measured = {{.job = job_of("resnet50", 32), .gpu = "t4", .step = Seconds{0.4}}};
  return setup;
}

TEST(WaveScalingPredictor, OnTheOriginAMeasuredCaseIsItself) {
  const Prediction p = predict(measured_on_t4(), {job_of("resnet50", 32), "t4"});
  EXPECT_NEAR(p.iteration.value, 0.4, 1e-12);
  EXPECT_FALSE(p.extrapolating);
  EXPECT_NEAR(p.interval.low.value, 0.3, 1e-12);
  EXPECT_NEAR(p.interval.high->value, 0.5, 1e-12);
}

TEST(WaveScalingPredictor, OverheadIsCarriedOver) {
  const Prediction here = predict(measured_on_t4(), {job_of("resnet50", 32), "t4"});
  const Prediction there = predict(measured_on_t4(), {job_of("resnet50", 32), "a100"});
  EXPECT_GT(here.breakdown.overhead, Seconds{});
  EXPECT_EQ(here.breakdown.overhead, there.breakdown.overhead);
  EXPECT_LT(there.breakdown.compute, here.breakdown.compute);
}

TEST(WaveScalingPredictor, WhatWasNotMeasuredComesFromTheNearestCase) {
  auto setup = measured_on_t4();
  setup.measured.push_back({.job = job_of("resnet50", 4), .gpu = "t4", .step = Seconds{0.06}});
  setup.measured.push_back({.job = job_of("vgg16", 64), .gpu = "t4", .step = Seconds{9}});
  const Prediction p = predict(setup, {job_of("resnet50", 64), "t4"});
  EXPECT_TRUE(p.extrapolating);
  const auto roofline = [](std::int64_t batch) {
    const TrainingJob job = job_of("resnet50", batch);
    const Graph graph = build(zoo().get("resnet50"), job.sizes);
    const GraphCost counted = cost(graph);
    return step_roofline({job, graph, counted, catalog().gpus.get("t4")});
  };
  EXPECT_NEAR(p.iteration.value, 0.4 * (roofline(64) / roofline(32)), 1e-9);
}

TEST(WaveScalingPredictor, SaysWhatIsMissing) {
  auto setup = measured_on_t4();
  setup.from.clear();
  EXPECT_NE(error_of([&] {
              predict(setup, {job_of("resnet50", 32), "t4"});
            }).find("--from"),
            std::string::npos);
  setup.from = "v100";
  EXPECT_NE(error_of([&] {
              predict(setup, {job_of("resnet50", 32), "t4"});
            }).find("v100"),
            std::string::npos);
  setup.measured.clear();
  EXPECT_NE(error_of([&] {
              predict(setup, {job_of("resnet50", 32), "t4"});
            }).find("--measured"),
            std::string::npos);
}

}  // namespace
}  // namespace sextant
