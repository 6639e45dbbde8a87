#include <gtest/gtest.h>

#include "sextant/nets/builder.h"
#include "sextant/predict/predictor.h"

namespace sextant::predict {
namespace {

// V100 as Habitat measured it: 6716 GFLOP/s fp32, 739 GB/s.
catalog::Gpu habitat_v100() {
  catalog::Gpu gpu;
  gpu.id = "habitat-v100";
  gpu.fp32 = FlopRate{6716e9};
  gpu.memory_bandwidth = Bandwidth{739e9};
  gpu.memory = Bytes{16e9};
  return gpu;
}

Prediction roofline(const nets::Graph& graph, const jobs::Job& job, const catalog::Gpu& gpu) {
  const nets::GraphCost counted = cost(graph, job.precision);
  return predictors().get("roofline").make({})->predict({job, graph, counted, gpu});
}

jobs::Job inference(std::int64_t batch) {
  jobs::Job job;
  job.mode = jobs::Mode::infer;
  job.sizes.batch = batch;
  return job;
}

TEST(Roofline, ComputeBoundConvolution) {
  nets::GraphBuilder g("resnet-conv1");
  const nets::Tensor x = g.image(32, 3, 224, 224);
  const nets::Graph graph = g.finish(g.conv(
      x, 64, nets::square(7), {.stride = nets::square(2), .padding = nets::pad_all(3), .bias = false}));
  // 2 * 32 * 112 * 112 * 64 * 3 * 7 * 7 = 7.5529 GFLOP over 6716 GFLOP/s = 1.1246 ms;
  // 122.07 MB over 739 GB/s = 0.1652 ms is hidden behind it.
  EXPECT_NEAR(roofline(graph, inference(32), habitat_v100()).iteration.value, 1.1246e-3, 1e-7);
}

TEST(Roofline, MemoryBoundActivation) {
  nets::GraphBuilder g("relu");
  const nets::Tensor x = g.image(32, 64, 112, 112);
  const nets::Graph graph = g.finish(g.relu(x));
  // Read and write 32 * 64 * 112 * 112 floats: 205.5 MB over 739 GB/s = 0.2781 ms.
  EXPECT_NEAR(roofline(graph, inference(32), habitat_v100()).iteration.value, 0.2781e-3, 1e-7);
}

TEST(Roofline, FullyConnectedLayer) {
  nets::GraphBuilder g("fc6");
  const nets::Tensor x = g.flatten(g.image(32, 256, 6, 6));
  const nets::Graph graph = g.finish(g.linear(x, 4096, false));
  // 2 * 32 * 9216 * 4096 = 2.4159 GFLOP over 6716 GFLOP/s = 0.3597 ms.
  EXPECT_NEAR(roofline(graph, inference(32), habitat_v100()).iteration.value, 0.3597e-3, 1e-7);
}

TEST(Roofline, OptimizerAddsItsTraffic) {
  const nets::Graph graph = build(nets::zoo().get("resnet50"), {.batch = 8});
  jobs::Job job;
  job.sizes.batch = 8;
  job.optimizer = jobs::Optimizer::none;
  const Seconds none = roofline(graph, job, habitat_v100()).iteration;
  job.optimizer = jobs::Optimizer::adam;
  const Seconds adam = roofline(graph, job, habitat_v100()).iteration;
  // Seven tensors of 25,557,032 floats: weight twice, gradient once, two states read and written.
  EXPECT_NEAR((adam - none).value, 7 * 25557032 * 4.0 / 739e9, 1e-9);
}

TEST(Roofline, IsALowerBoundAndSaysSo) {
  const nets::Graph graph = build(nets::zoo().get("resnet18"), {.batch = 4});
  const Prediction p = roofline(graph, inference(4), habitat_v100());
  EXPECT_EQ(p.interval.low, p.iteration);
  EXPECT_FALSE(p.interval.high.has_value());
}

TEST(Roofline, NamesUnknownOperators) {
  nets::GraphBuilder g("odd");
  const nets::Tensor x = g.image(1, 3, 8, 8);
  const nets::Graph graph = g.finish(g.add(nets::Opaque{"GridSample", {1, 3, 8, 8}}, {x}));
  const Prediction p = roofline(graph, inference(1), habitat_v100());
  ASSERT_EQ(p.warnings.size(), 1U);
  EXPECT_NE(p.warnings[0].find("GridSample"), std::string::npos);
  EXPECT_GT(p.iteration, Seconds{});
}

}  // namespace
}  // namespace sextant::predict
