#include "sextant/calibrate/layer_records.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sextant::calibrate {
namespace {

TEST(LayerRecords, AreTheTimedLayersWithTheirCounts) {
  jobs::Job job;
  job.net = "alexnet";
  const nets::Graph graph = build(nets::zoo().get("alexnet"), job.sizes);
  std::vector<measure::OperatorTiming> timings;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    timings.push_back({.node = static_cast<std::int64_t>(i),
                       .name = graph.nodes[i].name,
                       .type = type_name(graph.nodes[i].op),
                       .forward_s = 1e-3 * static_cast<double>(i),
                       .backward_s = 2e-3 * static_cast<double>(i)});
  }
  const std::vector<predict::LayerRecord> records = layer_records({graph, job, "local"}, timings);
  const auto count = [&](const char* type) {
    return std::ranges::count(records, type, &predict::LayerRecord::type);
  };
  EXPECT_EQ(count("conv"), 10);  // five, forward and backward
  EXPECT_EQ(count("fc"), 6);
  EXPECT_EQ(count("relu"), 14);
  EXPECT_EQ(count("pool"), 8);  // three of windows, one to a given map
  EXPECT_EQ(count("loss"), 0);
  // The second convolution is node 4 (image, convolution, relu, pool): 25 x 64 x 192 x 27 x 27.
  const auto second = std::ranges::find(records, 223948800.0, &predict::LayerRecord::count);
  ASSERT_NE(second, records.end());
  EXPECT_DOUBLE_EQ(second->time.value, 4e-3);
  EXPECT_EQ(second->gpu, "local");
}

TEST(LayerRecords, WhatDidNotRunIsLeftOut) {
  jobs::Job job;
  job.net = "lenet5";
  const nets::Graph graph = build(nets::zoo().get("lenet5"), job.sizes);
  EXPECT_TRUE(layer_records({graph, job, "local"}, {}).empty());
}

}  // namespace
}  // namespace sextant::calibrate
