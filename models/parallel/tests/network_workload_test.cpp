// Real networks as workloads: nothing is lost on the way from the graph, and the parts add up to the step.
#include "sextant/parallel/network_workload.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sextant/catalog/catalog.h"

namespace sextant::parallel {
namespace {

const catalog::Catalog& shipped() {
  static const catalog::Catalog all = catalog::builtin_catalog();
  return all;
}

ProfiledStep profiled(const std::string& net, std::int64_t batch, const std::string& predictor = "kernel") {
  static const auto kernel = predict::predictors().get("kernel").make({.catalog = &shipped()});
  static const auto roofline = predict::predictors().get("roofline").make({.catalog = &shipped()});
  jobs::Job job;
  job.net = net;
  job.sizes.batch = batch;
  job.stack = "tensorflow";
  const nets::Network& network = nets::zoo().get(net);
  return profile_step({network, predictor == "kernel" ? *kernel : *roofline}, job,
                      shipped().gpus.get("v100"));
}

class EveryBatch : public testing::TestWithParam<std::tuple<const char*, std::int64_t>> {};

TEST_P(EveryBatch, AStepOfOneDeviceIsThePrediction) {
  const auto [net, batch] = GetParam();
  for (const char* predictor : {"kernel", "roofline"}) {
    const ProfiledStep p = profiled(net, batch, predictor);
    const double step = p.prediction.iteration.value;
    EXPECT_NEAR(p.load.step(static_cast<double>(batch)).value, step, 1e-9 * step) << predictor;
  }
}

INSTANTIATE_TEST_SUITE_P(Nets, EveryBatch,
                         testing::Combine(testing::Values("resnet50", "vgg16", "alexnet"),
                                          testing::Values<std::int64_t>(1, 2, 32)));

TEST(NetworkWorkload, KeepsWeightsAndMemory) {
  const ProfiledStep p = profiled("resnet50", 32);
  EXPECT_EQ(p.load.total().weights, 25'557'032);
  const predict::MemoryNeed& need = p.prediction.memory;
  EXPECT_NEAR((32 * p.load.total().kept).value, need.activations.value, 1);
  EXPECT_NEAR((p.load.total().weights * p.load.terms().parameter.total()).value,
              (need.weights + need.gradients + need.optimizer).value, 1);
}

TEST(NetworkWorkload, KnowsHowLayersCanBeSplit) {
  const ProfiledStep p = profiled("vgg16", 8);
  const LayerLoad& first = p.load.layers().at(1);  // behind the image
  EXPECT_EQ(first.channels, 3);
  EXPECT_EQ(first.filters, 64);
  EXPECT_EQ(first.height, 224);
  EXPECT_EQ(first.halo, 1);
  EXPECT_EQ(first.output, 64 * 224 * 224);
  const LayerLoad& last = p.load.layers().back();
  EXPECT_EQ(last.filters, 1000);
  EXPECT_EQ(last.height, 0);
}

// Behind a cut inside a bottleneck the shortcut crosses too: 256 channels of 56 x 56 beside the block's own.
TEST(NetworkWorkload, CountsShortcutsThatCrossACut) {
  const ProfiledStep p = profiled("resnet50", 8);
  const auto inside = std::ranges::count_if(p.load.layers(), [](const LayerLoad& layer) {
    return layer.height == 56 && layer.filters == 64 && layer.crossing == layer.output + 256.0 * 56 * 56;
  });
  EXPECT_EQ(inside, 4) << "two cuts in each of the blocks that follow the first";
}

// Query, key and value are split, their products too, and the projection behind them is summed; so are the
// two matrices of the other half, and the pair at the end: pooler and classifier.
TEST(NetworkWorkload, FindsTheMatricesOfTensorParallelism) {
  const ProfiledStep p = profiled("bert-large", 2);
  const auto count = [&](TensorRole role) {
    return std::ranges::count_if(
        p.load.layers(), [&](const LayerLoad& layer) { return layer.tensor == role && layer.filters > 0; });
  };
  EXPECT_EQ(count(TensorRole::reduced), 2 * 24 + 1);
  EXPECT_EQ(count(TensorRole::split), 4 * 24 + 1);
  const auto attention = std::ranges::find_if(p.load.layers(), [](const auto& l) { return l.heads > 0; });
  ASSERT_NE(attention, p.load.layers().end());
  EXPECT_EQ(attention->heads, 16);
  const ProfiledStep convolutions = profiled("resnet50", 2);
  for (const LayerLoad& layer : convolutions.load.layers()) {
    EXPECT_EQ(layer.tensor, TensorRole::replicated) << layer.name;
  }
}

}  // namespace
}  // namespace sextant::parallel
