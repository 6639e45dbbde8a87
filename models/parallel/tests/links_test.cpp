// Which links communication takes and what work hides, on networks of two layers: links inside nodes are
// free unless the case is about them, and a byte takes a second.
#include <gtest/gtest.h>

#include "synthetic.h"

namespace sextant::parallel {
namespace {

const collectives::Path kFree{Seconds{}, Bandwidth{1e30}};
const collectives::Path kByteASecond{Seconds{}, Bandwidth{1}};

LayerLoad layer_of(double forward, double backward, double weights) {
  LayerLoad layer;
  layer.name = "layer";
  layer.forward = Seconds{forward};
  layer.backward = Seconds{backward};
  layer.weights = weights;
  layer.filters = 64;
  return layer;
}

WorkloadTerms byte_terms() {
  WorkloadTerms terms;
  terms.element = Bytes{1};
  return terms;
}

// Nodes of four.
ParallelQuery asked(const Workload& load, std::int64_t devices, double batch,
                    const collectives::Fabric& fabric) {
  return {{{&load, {}}}, jobs::Placement::packed(devices, 4), fabric, batch};
}

// 8 samples of a map of 8 by 8 on 4 devices: 10 pooled values are summed (2 * 3/4), 640 are gathered (3/4).
TEST(Links, MapsAreLeftByPoolingOrGathering) {
  LayerLoad map = layer_of(1, 1, 0);
  map.height = map.width = 8;
  LayerLoad head = layer_of(1, 1, 0);
  head.input = 640;
  head.output = 10;
  const Workload dense({map, head}, byte_terms());
  EXPECT_DOUBLE_EQ(cost_of("spatial", asked(dense, 4, 8, {kByteASecond}))->communication.value,
                   .75 * 8 * 640);
  head.height = head.width = 1;
  const Workload pooled({map, head}, byte_terms());
  EXPECT_DOUBLE_EQ(cost_of("spatial", asked(pooled, 4, 8, {kByteASecond}))->communication.value,
                   1.5 * 8 * 10);
}

// Groups of 8 over two nodes of 4, two groups: each device sums an eighth of 64 with one other, 2 * 1/2 * 8
// bytes, while the four of its node share the card. The groups use that card too: nothing is hidden.
TEST(Links, GroupsOverSeveralNodesShareTheirCards) {
  const Workload load({layer_of(1, 100, 0), layer_of(1, 100, 64)}, byte_terms());
  const ParallelResult wide =
      cost_of("data-filter:group=8:bucket=1", asked(load, 16, 16, {kFree, kByteASecond}));
  ASSERT_TRUE(wide);
  EXPECT_NEAR(wide->communication.value, 8 * 4, 1e-9);
  EXPECT_EQ(wide->exposed, wide->communication);
  // Inside nodes the last layer's sum hides behind the backward pass of the first.
  const ParallelResult narrow =
      cost_of("data-filter:group=4:bucket=1", asked(load, 8, 16, {kFree, kByteASecond}));
  EXPECT_NEAR(narrow->communication.value, 2 * .5 * 16 * 4, 1e-9);
  EXPECT_NEAR(narrow->exposed.value, 0, 1e-9);
}

// Eight stages on two nodes: one of seven transfers crosses, there and back. With the replicas of four stages
// inside the nodes, two replicas cross together and share the card.
TEST(Links, StagesCrossNodesOnce) {
  LayerLoad layer = layer_of(1, 1, 0);
  layer.output = 3;
  const Workload load(std::vector<LayerLoad>(8, layer), byte_terms());
  const ParallelQuery query = asked(load, 8, 2, {kFree, kByteASecond});
  EXPECT_NEAR(cost_of("pipeline:micro=1", query)->exposed.value, 2 * 2 * 3, 1e-9);
  EXPECT_NEAR(cost_of("data-pipeline:stages=4:micro=1", query)->exposed.value, 0, 1e-9);
  EXPECT_NEAR(cost_of("data-pipeline:stages=4:micro=1:order=data", query)->exposed.value, 2 * 2 * 3, 1e-9);
  layer.crossing = 5;  // a shortcut around the layer
  const Workload residual(std::vector<LayerLoad>(8, layer), byte_terms());
  EXPECT_NEAR(cost_of("pipeline:micro=1", asked(residual, 8, 2, {kFree, kByteASecond}))->exposed.value,
              2 * 2 * 5, 1e-9);
}

// Ten layers in two stages: 5 + 5 is even, but 100 bytes cross there and none after six.
TEST(Links, CutsAvoidWhatIsDearToSend) {
  std::vector<LayerLoad> layers(10, layer_of(1, 1, 0));
  for (LayerLoad& layer : layers) layer.crossing = 100;
  layers[5].crossing = 1e-9;
  const Workload load(layers, byte_terms());
  const ParallelResult slow = cost_of("pipeline:micro=8", asked(load, 2, 8, {kByteASecond}));
  EXPECT_NEAR(slow->compute.value, 8 * 6 * 2, 1e-9);
  EXPECT_NEAR(slow->exposed.value, 0, 1e-6);
  const ParallelResult fast = cost_of("pipeline:micro=8", asked(load, 2, 8, {kFree}));
  EXPECT_NEAR(fast->compute.value, 8 * 5 * 2, 1e-9);
}

// Two replicas of two stages. The gradients of the second are ready when the backward pass of the first, 2 s,
// begins, and 1.5 bytes are summed within it; those of the first come last.
TEST(Links, LaterStagesSumWhileEarlierOnesWork) {
  const std::string text = "data-pipeline:stages=2:micro=1";
  const Workload last({layer_of(1, 2, 0), layer_of(1, 2, 1.5)}, byte_terms());
  EXPECT_NEAR(cost_of(text, asked(last, 4, 2, {kByteASecond}))->exposed.value, 0, 1e-12);
  const Workload first({layer_of(1, 2, 1.5), layer_of(1, 2, 0)}, byte_terms());
  EXPECT_NEAR(cost_of(text, asked(first, 4, 2, {kByteASecond}))->exposed.value, 1.5, 1e-12);
}

// Four stages in each of two nodes, all weights in the first: its gradients have the card for themselves.
TEST(Links, StagesOfANodeShareItsCardByBytes) {
  std::vector<LayerLoad> layers(4, layer_of(1, 1, 0));
  layers[0].weights = 6;
  const Workload load(layers, byte_terms());
  const ParallelQuery query = asked(load, 8, 2, {kFree, kByteASecond});
  EXPECT_NEAR(cost_of("data-pipeline:stages=4:micro=1", query)->exposed.value, 6, 1e-9);
}

// Pieces of one byte on two devices: a gather takes 0.5 s, as does a scatter. Forward: 0.5 + 3 + 3, the
// second gather hidden. Backward: 0.5 + 5 + 5 and the last scatter.
TEST(Links, ZeroGathersAhead) {
  const Workload load({layer_of(3, 5, 1), layer_of(3, 5, 1)}, byte_terms());
  const ParallelResult result = cost_of("zero-3:bucket=1", asked(load, 2, 2, {kByteASecond}));
  ASSERT_TRUE(result);
  EXPECT_DOUBLE_EQ(result->compute.value, 16);
  EXPECT_DOUBLE_EQ(result->communication.value, 6 * .5);
  EXPECT_DOUBLE_EQ(result->exposed.value, .5 + .5 + .5);
  // Without forward work both gathers show.
  const Workload idle({layer_of(0, 5, 1), layer_of(0, 5, 1)}, byte_terms());
  EXPECT_DOUBLE_EQ(cost_of("zero-3:bucket=1", asked(idle, 2, 2, {kByteASecond}))->exposed.value, 1 + .5 + .5);
  EXPECT_DOUBLE_EQ(cost_of("zero-3:bucket=1:overlap=0", asked(load, 2, 2, {kByteASecond}))->exposed.value, 3);
}

// One minibatch in flight passes both stages, with a transfer of 4 bytes there and back, before the next.
TEST(Links, OneMinibatchInFlightFillsOneStageAtATime) {
  LayerLoad layer = layer_of(1, 2, 0);
  layer.output = 4;
  const Workload load({layer, layer}, byte_terms());
  const ParallelResult one = cost_of("hetpipe:inflight=1", asked(load, 2, 1, {kByteASecond}));
  EXPECT_DOUBLE_EQ(one->step().value, 3 + 3 + 2 * 4);
  EXPECT_DOUBLE_EQ(one->bubble.value, 3);
  const ParallelResult two = cost_of("hetpipe:inflight=2", asked(load, 2, 2, {kByteASecond}));
  EXPECT_DOUBLE_EQ(two->step().value, 2 * (3 + 2 * 4));
}

// Two pipelines of a node each push and pull 10 bytes a wave, half of them to the other node: 10 s. A wave of
// 4 minibatches through four stages of 3 s hides it if the pipelines may lead by one.
TEST(Links, WavesHideTheirPush) {
  std::vector<LayerLoad> layers(4, layer_of(1, 2, 2.5));
  const Workload load(layers, byte_terms());
  const ParallelQuery query = asked(load, 8, 8, {kFree, kByteASecond});
  EXPECT_NEAR(cost_of("hetpipe:inflight=4", query)->exposed.value, 10, 1e-9);
  EXPECT_NEAR(cost_of("hetpipe:inflight=4:clock=1", query)->exposed.value, 0, 1e-9);
  EXPECT_NEAR(cost_of("hetpipe:inflight=4:sync=all-reduce", query)->exposed.value, 10, 1e-9);
  // With one GPU of each node in every pipeline, the weights of a stage stay in its node.
  EXPECT_NEAR(cost_of("hetpipe:grouping=equal:inflight=2", query)->exposed.value, 0, 1e-9);
}

}  // namespace
}  // namespace sextant::parallel
