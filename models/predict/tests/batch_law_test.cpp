// A larger batch never takes a shorter step, whatever was timed.
#include "batch_law.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "builtin.h"
#include "sextant/predict/stack.h"

namespace sextant::predict {
namespace {

TEST(BatchLaw, GoesOverFromOneTimedBatchToTheNext) {
  const std::vector<BatchKnot> knots = {{0, 0.1}, {1, 0.9}, {2, 2.2}};
  EXPECT_DOUBLE_EQ(lawful_log_total(knots, 0), 0.1);
  EXPECT_DOUBLE_EQ(lawful_log_total(knots, 1), 0.9);
  EXPECT_DOUBLE_EQ(lawful_log_total(knots, 0.5), 0.5);
  EXPECT_DOUBLE_EQ(lawful_log_total(knots, -1), -0.9) << "below the first its effect stays";
  EXPECT_DOUBLE_EQ(lawful_log_total(knots, 3), 3.2) << "and above the last";
}

TEST(BatchLaw, WhatWasTimedShorterTakesAsLong) {
  const std::vector<BatchKnot> knots = {{0, 0.5}, {1, 0.3}, {2, 2}};
  double before = -10;
  for (double x = -1; x < 3; x += 0.01) {
    const double now = lawful_log_total(knots, x);
    EXPECT_GE(now, before) << x;
    before = now;
  }
  EXPECT_DOUBLE_EQ(lawful_log_total(knots, 1), 0.5);
}

// Half way between 16 and 64, by factors, is 32.
TEST(BatchLaw, TheSteadyEffectKnowsTheBatchAlone) {
  const std::vector<BatchKnot> knots = {{0, 0.1, 16}, {1, 1.3, 64}};
  EXPECT_DOUBLE_EQ(steady_log_effect(knots, 4), 0.1);
  EXPECT_DOUBLE_EQ(steady_log_effect(knots, 16), 0.1);
  EXPECT_DOUBLE_EQ(steady_log_effect(knots, 32), 0.2);
  EXPECT_NEAR(steady_log_effect(knots, 500), 0.3, 1e-12);
}

// Each network that a stack knows, on known and unknown devices, around every timed batch.
TEST(BatchLaw, HoldsForEveryKnownNetwork) {
  const auto predictor = predictors().get("kernel").make({.catalog = &test::catalog()});
  for (const nets::Network& network : nets::zoo().all()) {
    if (!network.id.starts_with("profet/") && network.id != "resnet50" && network.id != "vgg16") continue;
    for (const char* gpu : {"k80", "t4", "v100", "a100"}) {
      for (const std::int64_t image : {32, 128}) {
        if (image < network.defaults.smallest_image) continue;
        double before = 0;
        for (const std::int64_t batch :
             {1, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 300}) {
          jobs::Job job{.net = network.id,
                        .sizes = {.batch = batch, .image = image},
                        .stack = "tensorflow",
                        .layout = {}};
          const nets::Graph graph = build(network, job.sizes);
          const double now =
              predictor->predict({job, graph, cost(graph, job.precision), test::gpu(gpu)}).iteration.value;
          EXPECT_GE(now, before) << network.id << " on " << gpu << " at " << batch << " of " << image;
          before = now;
        }
      }
    }
  }
}

}  // namespace
}  // namespace sextant::predict
