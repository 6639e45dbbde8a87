// Pipelines, parameter servers and HetPipe on cases that can be followed by hand.
#include <gtest/gtest.h>

#include "convnets.h"
#include "hetpipe.h"
#include "pipeline.h"
#include "synthetic.h"

namespace sextant::parallel {
namespace {

Workload plain_layers(int count, double seconds) {
  LayerLoad layer;
  layer.name = "layer";
  layer.weights = 1e6;
  layer.output = layer.input = 1;
  layer.forward = Seconds{seconds};
  layer.backward = 2 * layer.forward;
  layer.kept = Bytes{1e6};
  return Workload(std::vector<LayerLoad>(static_cast<std::size_t>(count), layer));
}

// A link that takes no time, to leave the rest.
collectives::Fabric free_links() {
  return {{Seconds{}, Bandwidth{1e30}}, collectives::Path{Seconds{}, Bandwidth{1e30}}};
}

ParallelQuery free_query(const Workload& load, std::int64_t devices, double batch) {
  return {{{&load, {}}}, jobs::Placement::packed(devices, 4), free_links(), batch};
}

TEST(Pipeline, BubblesAreTheFormula) {
  const Workload load = plain_layers(16, 1e-3);
  for (const std::int64_t pieces : {1, 2}) {
    const ParallelResult result =
        cost_of("pipeline:micro=8:pieces=" + std::to_string(pieces), free_query(load, 4, 32));
    ASSERT_TRUE(result);
    EXPECT_NEAR(result->bubble / result->compute, bubble_overhead({4, 8, pieces}), 1e-9);
  }
}

// 4 layers a stage of 4 MB a sample, micro-batches of 4: GPipe holds 8 of them, 1F1B 4 on the first stage.
TEST(Pipeline, OneForwardOneBackwardHoldsLess) {
  const Workload load = plain_layers(16, 1e-3);
  const ParallelQuery query = free_query(load, 4, 32);
  const ParallelResult gpipe = cost_of("pipeline:micro=8:schedule=gpipe", query);
  const ParallelResult early = cost_of("pipeline:micro=8:schedule=1f1b", query);
  EXPECT_NEAR(gpipe->memory.activations.value, 8 * 4 * 4e6, 1);
  EXPECT_NEAR(early->memory.activations.value, 4 * 4 * 4e6, 1);
  EXPECT_NEAR(gpipe->step().value, early->step().value, 1e-12);
}

// Some have a sample more than the others where that does not divide the batch.
TEST(Pipeline, TakesUpToFourMicroBatchesAStage) {
  const Workload load = plain_layers(16, 1e-3);
  const auto micro = [&](double batch) {
    return cost_of("pipeline", free_query(load, 4, batch))->degrees.micro;
  };
  EXPECT_EQ(micro(64), 16);
  EXPECT_EQ(micro(36), 16);
  EXPECT_EQ(micro(7), 7);
  EXPECT_EQ(micro(17), 16);
}

TEST(Pipeline, SaysWhatItCannotDo) {
  const Workload load = plain_layers(6, 1e-3);
  const auto reason = [&](const char* text, std::int64_t devices, double batch) {
    const ParallelResult result = cost_of(text, free_query(load, devices, batch));
    return result ? "usable" : result.why().reason;
  };
  EXPECT_EQ(reason("pipeline", 8, 32), "pipeline: 8 pieces, but the network has 6 layers");
  EXPECT_EQ(reason("pipeline:pieces=2", 4, 32), "pipeline: 8 pieces, but the network has 6 layers");
  EXPECT_EQ(reason("pipeline:micro=40", 2, 32), "pipeline: 40 micro-batches of 32 samples; each needs one");
  EXPECT_EQ(reason("pipeline:micro=1:pieces=2", 2, 32),
            "pipeline: interleaving needs micro-batches in multiples of the 2 stages, not 1");
  EXPECT_EQ(reason("pipeline:pieces=2:schedule=gpipe", 2, 32),
            "pipeline: several pieces on a device need schedule=1f1b");
  EXPECT_EQ(reason("pipeline:stages=2", 4, 32),
            "pipeline: 2 stages on 4 devices; data-pipeline can replicate them");
}

// In a node stand the stages of a replica, or the replicas of a stage: with few samples the weights of VGG
// weigh more, with many its activations.
TEST(Pipeline, WhatIsHeavyStaysInsideANode) {
  const Workload load = vgg16();
  const ParallelQuery query = query_of(load, 16, 16);
  const ParallelResult pipeline = cost_of("data-pipeline:stages=4:order=pipeline", query);
  const ParallelResult data = cost_of("data-pipeline:stages=4:order=data", query);
  EXPECT_LT(data->exposed, pipeline->exposed);
  EXPECT_EQ(to_string(data->degrees), "data 4 x 4 stages, 4 micro-batches");
  const ParallelQuery many = query_of(load, 16, 256);
  EXPECT_GT(cost_of("data-pipeline:stages=4:order=data", many)->exposed,
            cost_of("data-pipeline:stages=4:order=pipeline", many)->exposed);
}

// 100 MB, 8 workers with a card of 1.25 GB/s each, 0.2 s of work: the published example.
class Servers : public testing::Test {
 protected:
  Servers() {
    LayerLoad layer;
    layer.weights = 25e6;
    layer.forward = Seconds{.2};
    load_ = std::make_unique<Workload>(std::vector<LayerLoad>{layer});
  }
  [[nodiscard]] double step(const std::string& text) const {
    ParallelQuery query = free_query(*load_, 8, 8);
    query.placement = jobs::Placement::packed(8, 1);
    query.fabric.across = collectives::Path{Seconds{}, Bandwidth{1.25e9}};
    const ParallelResult result = cost_of("parameter-server:" + text, query);
    EXPECT_TRUE(result) << result.why().reason;
    return result->step().value;
  }
  std::unique_ptr<Workload> load_;
};

TEST_F(Servers, InStep) {
  EXPECT_NEAR(step("colocated=0:servers=1"), 1.48, 1e-9);
  EXPECT_NEAR(step("colocated=0:servers=2"), .84, 1e-9);
  EXPECT_NEAR(step("colocated=0:servers=4"), .52, 1e-9);
  EXPECT_NEAR(step("colocated=0:servers=8"), .36, 1e-9);
  EXPECT_NEAR(step("colocated=1:servers=8"), .34, 1e-9);
  // The one tensor is sliced, and 16 slices deal evenly to 4 servers.
  EXPECT_NEAR(step("colocated=0:servers=4:shards=tensors"), .52, 1e-9);
}

TEST_F(Servers, ASlowServerGetsLess) {
  EXPECT_NEAR(step("colocated=0:servers=4:slow=0.32"), .2 + 2 * .5, 1e-9);
  EXPECT_NEAR(step("colocated=0:servers=4:slow=0.32:shards=proportional"), .2 + 2 * .19277, 1e-5);
}

// Tails of 10 % of 0.2 s: H_8 = 2.717857 of them in step, one each without waiting, H_8 - H_2 with two
// backups.
TEST_F(Servers, Stragglers) {
  EXPECT_NEAR(step("colocated=0:servers=8:tail=0.1"), .36 + 2.717857 * .02, 1e-7);
  EXPECT_NEAR(step("colocated=0:servers=8:tail=0.1:backup=2"), .36 + 1.217857 * .02, 1e-7);
  EXPECT_NEAR(step("colocated=0:servers=8:tail=0.1:staleness=async"), .38, 1e-9);
  // One server cannot keep up: 8 * 100 MB / 1.25 GB/s.
  EXPECT_NEAR(step("colocated=0:servers=1:staleness=async"), .64, 1e-9);
  EXPECT_NEAR(step("colocated=0:servers=8:tail=0.1:staleness=1"), .38 + 1.717857 * .02 / 2, 1e-7);
}

TEST(ParameterServer, AsynchronousWorkersDoNotWaitForSlowOnes) {
  const Workload fast = plain_layers(8, 1e-3);
  const Workload slow = plain_layers(8, 3e-3);
  const ParallelQuery query{{{&fast, {}}, {&slow, {}}}, {{4, 4}, {0, 1}}, free_links(), 64};
  const ParallelResult sync = cost_of("ps", query);
  const ParallelResult async = cost_of("ps:staleness=async:kappa=0.01", query);
  EXPECT_NEAR(sync->step().value, 8 * 8 * 9e-3, 1e-9);
  EXPECT_NEAR(async->step().value, 8 * 8 * 8 / (4 / 3e-3 + 4 / 9e-3), 1e-9);
  EXPECT_EQ(async->staleness, 7);
  EXPECT_NEAR(async->efficiency, 1 / 1.07, 1e-12);
  EXPECT_EQ(sync->memory.optimizer, Bytes{});
}

// Two nodes of fast and two of slow GPUs. Pipelines inside slow nodes hold everybody up; with one GPU of each
// node in every pipeline all are equal.
class Mixed : public testing::Test {
 protected:
  Workload fast_ = plain_layers(48, 1e-3);
  Workload slow_ = plain_layers(48, 2e-3);
  ParallelQuery query_{{{&fast_, {}}, {&slow_, {}}}, {{4, 4, 4, 4}, {0, 0, 1, 1}}, free_links(), 64};
};

TEST_F(Mixed, Groupings) {
  const auto sizes = [&](Grouping grouping) {
    std::vector<std::size_t> list;
    for (const VirtualWorker& worker : group_gpus(query_, grouping)) list.push_back(worker.size());
    return list;
  };
  EXPECT_EQ(sizes(Grouping::node_wise), (std::vector<std::size_t>{4, 4, 4, 4}));
  EXPECT_EQ(sizes(Grouping::equal), (std::vector<std::size_t>{4, 4, 4, 4}));
  const auto hybrid = group_gpus(query_, Grouping::hybrid);
  ASSERT_EQ(hybrid.size(), 4U);
  EXPECT_EQ(hybrid[0][0].kind, 0U);
  EXPECT_EQ(hybrid[0][3].kind, 1U);
  query_.placement.gpus = {4, 4, 2};
  EXPECT_TRUE(group_gpus(query_, Grouping::equal).empty());
  EXPECT_TRUE(group_gpus(query_, Grouping::hybrid).empty());
}

// A minibatch is 64 / (4 * 4) = 4 samples. Slow nodes: 12 layers of 6 ms a stage, 16 of 4 samples, 4 in
// flight: 1.152 s. Mixed: 16, 16, 8, 8 layers balance the stages at 16 * 3 ms: 0.768 s.
TEST_F(Mixed, EqualPipelinesBeatThoseOfOneKind) {
  const ParallelResult nodes = cost_of("hetpipe:grouping=node:inflight=4", query_);
  const ParallelResult equal = cost_of("hetpipe:grouping=equal:inflight=4", query_);
  ASSERT_TRUE(nodes && equal);
  EXPECT_NEAR(nodes->step().value, 4 * 4 * 12 * 6e-3, 1e-9);
  EXPECT_NEAR(equal->step().value, 4 * 4 * 16 * 3e-3, 1e-9);
  EXPECT_EQ(nodes->staleness, hetpipe_staleness(4, 0));
  EXPECT_LT(equal->step(), cost_of("data", query_)->step());
}

// 16 layers of 12 MB and of activations do not fit 400 MB on the fast GPUs; 12 layers do.
TEST_F(Mixed, StagesFitTheirMemory) {
  const std::string text = "hetpipe:grouping=equal:inflight=4";
  const Bytes needed = cost_of(text, query_)->memory.total();
  for (DeviceClass& device : query_.devices) device.memory = 0.9 * needed;
  const ParallelResult tight = cost_of(text, query_);
  EXPECT_LE(tight->fill, 1);
  EXPECT_LT(tight->memory.total(), needed);
  for (DeviceClass& device : query_.devices) device.memory = 0.01 * needed;
  EXPECT_GT(cost_of(text, query_)->fill, 1);
}

}  // namespace
}  // namespace sextant::parallel
