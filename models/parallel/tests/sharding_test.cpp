// Data, filter, channel, spatial and tensor parallelism and ZeRO on cases that can be followed by hand.
#include <gtest/gtest.h>

#include "convnets.h"
#include "synthetic.h"

namespace sextant::parallel {
namespace {

std::string reason(std::string_view text, const ParallelQuery& query) {
  const ParallelResult result = cost_of(text, query);
  return result ? "usable" : result.why().reason;
}

// Two layers of 10 MB of gradients, 1 s/sample backward each, 4 devices with 4 samples, links of 1 MB/s
// without latency: a sum takes 15 s. Both backward passes end at 4 and 8.
TEST(DataParallel, SumsGradientsWhileItWorks) {
  LayerLoad layer;
  layer.weights = 2.5e6;
  layer.forward = layer.backward = Seconds{1};
  layer.update = Seconds{.5};
  const Workload load({layer, layer});
  const ParallelQuery query{{{&load, {}}}, jobs::Placement::packed(4, 4), {{Seconds{}, Bandwidth{1e6}}}, 16};
  const ParallelResult overlapped = cost_of("data:bucket=1e7", query);
  ASSERT_TRUE(overlapped);
  EXPECT_DOUBLE_EQ(overlapped->compute.value, 8 + 8 + 1);
  EXPECT_DOUBLE_EQ(overlapped->communication.value, 30);
  EXPECT_DOUBLE_EQ(overlapped->exposed.value, 4 + 15 + 15 - 8);
  EXPECT_DOUBLE_EQ(cost_of("data:bucket=2e7", query)->exposed.value, 30);  // one bucket, ready at the end
  EXPECT_DOUBLE_EQ(cost_of("data:overlap=0", query)->exposed.value, 30);
  EXPECT_DOUBLE_EQ(cost_of("data:bucket=1e7:slowdown=1.5", query)->compute.value, 8 + 12 + 1);
}

TEST(DataParallel, NamesBatchesThatCanBeDivided) {
  const Workload load = equal_layers(4);
  EXPECT_EQ(reason("data", query_of(load, 8, 100)),
            "data: a batch of 100 cannot be divided by 8; 96 and 104 can");
  EXPECT_EQ(reason("data", query_of(load, 8, 5)), "data: a batch of 5 cannot be divided by 8; 8 can");
  EXPECT_EQ(reason("data-filter:group=3", query_of(load, 8, 64)),
            "data-filter: groups of 3 cannot be made of 8 devices");
}

TEST(DataParallel, WaitsForTheSlowestKindOfDevice) {
  const Workload fast = resnet50();
  std::vector<LayerLoad> layers = fast.layers();
  for (LayerLoad& layer : layers) {
    layer.forward = 3 * layer.forward;
    layer.backward = 3 * layer.backward;
  }
  const Workload slow(layers, fast.terms());
  ParallelQuery query{{{&fast, Bytes{16e9}}, {&slow, Bytes{8e9}}}, {{4, 4}, {0, 1}}, plain_fabric(), 64};
  const ParallelResult mixed = cost_of("data", query);
  EXPECT_EQ(mixed->step(), cost_of("data", query_of(slow, 8, 64))->step());
  EXPECT_DOUBLE_EQ(mixed->fill, mixed->memory.total().value / 8e9);
  query.placement.classes = {0, 0};
  EXPECT_EQ(cost_of("data", query)->step(), cost_of("data", query_of(fast, 8, 64))->step());
}

TEST(Hybrids, GroupsOfOneAreDataParallelAndOneGroupIsNot) {
  const Workload load = equal_layers(24);
  const ParallelQuery query = query_of(load, 16, 128);
  const ParallelResult data = cost_of("data", query);
  for (const char* text : {"data-filter:group=1", "data-spatial:group=1", "tensor:tensor=1",
                           "data-pipeline:stages=1:micro=1", "data-pipeline:stages=1:micro=1:order=data"}) {
    const ParallelResult hybrid = cost_of(text, query);
    ASSERT_TRUE(hybrid) << hybrid.why().reason;
    EXPECT_NEAR(hybrid->step().value, data->step().value, 1e-12) << text;
    EXPECT_NEAR(hybrid->memory.total().value, data->memory.total().value, 1) << text;
  }
  EXPECT_EQ(cost_of("data-filter:group=16", query)->step(), cost_of("filter", query)->step());
  EXPECT_EQ(cost_of("data-spatial:group=16", query)->step(), cost_of("spatial", query)->step());
  EXPECT_EQ(cost_of("data-pipeline:stages=16", query)->step(), cost_of("pipeline", query)->step());
}

TEST(Filter, NeedsAFilterForEveryDevice) {
  const Workload load = vgg16();
  EXPECT_EQ(reason("filter", query_of(load, 96, 96)),
            "filter: 96 devices, but layer 'conv1_1' has 64 filters");
  EXPECT_EQ(reason("channel", query_of(load, 96, 96)),
            "channel: 96 devices, but layer 'conv1_2' has 64 channels");
  LayerLoad plain;
  const Workload none({plain, plain});
  EXPECT_EQ(reason("filter", query_of(none, 2, 2)), "filter: no layer has filters to divide");
}

// 5 filters on 4 devices: one of them has two, and takes 2/5 of the time.
TEST(Filter, TheBusiestDeviceCounts) {
  LayerLoad layer;
  layer.filters = 5;
  layer.forward = Seconds{1};
  const Workload load({layer});
  EXPECT_DOUBLE_EQ(cost_of("filter", query_of(load, 4, 10))->compute.value, 10 * .4);
}

// Maps of 7 rows on 4 devices: two rows on the fullest. Dense layers are computed by all.
TEST(Spatial, DividesMapsButNotDenseLayers) {
  const Workload load = resnet50();
  const ParallelQuery query = query_of(load, 4, 8);
  const ParallelResult result = cost_of("spatial", query);
  ASSERT_TRUE(result);
  Seconds expected = load.total().update + load.total().forward_start + load.total().backward_start;
  for (const LayerLoad& layer : load.layers()) {
    const auto rows = static_cast<double>(layer.height);
    const double part = rows > 1 ? std::ceil(rows / 4) / rows : 1;
    expected += 8 * part * (layer.forward + layer.backward);
  }
  EXPECT_NEAR(result->compute.value, expected.value, 1e-12);
  EXPECT_EQ(reason("spatial", query_of(load, 64, 64)),
            "spatial: 64 devices, but layer 'block512_0b' has a map of 7 by 7");
  const Workload transformer = random_transformer(Rng(1));
  EXPECT_EQ(reason("spatial", query_of(transformer, 4, 8)), "spatial: no layer has a map to divide");
}

// Without latency, each transformer layer sums its output four times: 4 * 2 (t - 1) / t * b s h e /
// bandwidth.
TEST(Tensor, FourSumsATransformerLayer) {
  const Workload load = random_transformer(Rng(4));
  ParallelQuery query = query_of(load, 4, 8);
  query.fabric.inside.latency = {};
  const double blocks = static_cast<double>(load.layers().size()) / 5;
  const double once = 2 * 3.0 / 4 * 8 * 128 * 1024 * 2 / 50e9;
  const ParallelResult result = cost_of("tensor", query);
  ASSERT_TRUE(result);
  EXPECT_NEAR(result->communication.value, blocks * 4 * once, 1e-12);
  const ParallelResult sequence = cost_of("tensor:sequence=1", query);
  EXPECT_NEAR(sequence->communication.value, result->communication.value, 1e-12);
  EXPECT_LT(sequence->memory.activations, result->memory.activations);
  EXPECT_LT(sequence->compute, result->compute);
  EXPECT_EQ(to_string(cost_of("tensor", query_of(load, 16, 64))->degrees), "data 4 x tensor 4");
}

TEST(Tensor, NeedsHeadsThatCanBeDivided) {
  const Workload load = random_transformer(Rng(4));
  EXPECT_EQ(reason("tensor:tensor=12", query_of(load, 12, 24)),
            "tensor: 64 heads of layer 'attention0' cannot be divided by 12");
  const Workload images = vgg16();
  EXPECT_EQ(reason("tensor", query_of(images, 4, 8)), "tensor: no layer has attention heads to divide");
}

// Stages 1 and 2 send twice the parameters, stage 3 three times; each divides more.
TEST(Zero, TradesMemoryForTraffic) {
  const Workload load = vgg16();
  ParallelQuery query = query_of(load, 4, 64);
  query.fabric.inside.latency = {};
  const ParallelResult data = cost_of("data", query);
  const ParallelResult one = cost_of("zero-1", query);
  const ParallelResult two = cost_of("zero-2", query);
  const ParallelResult three = cost_of("zero-3", query);
  EXPECT_NEAR(one->communication / data->communication, 1, 1e-9);
  EXPECT_NEAR(three->communication / data->communication, 1.5, 1e-9);
  EXPECT_NEAR((data->compute - one->compute).value, .75 * load.total().update.value, 1e-12);
  EXPECT_LT(one->memory.optimizer, data->memory.optimizer);
  EXPECT_EQ(one->memory.gradients, data->memory.gradients);
  EXPECT_DOUBLE_EQ(two->memory.gradients / data->memory.gradients, .25);
  EXPECT_EQ(two->memory.weights, data->memory.weights);
  // A quarter of all, and three quarters of the largest layer, fc6 with 25088 * 4096.
  EXPECT_NEAR(three->memory.weights.value, data->memory.weights.value / 4 + .75 * 25088 * 4096 * 4, 1);
}

}  // namespace
}  // namespace sextant::parallel
