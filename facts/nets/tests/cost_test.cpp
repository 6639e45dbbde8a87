// Counts against arithmetic done by hand. 1 MAC = 2 FLOP; fp32 unless said.
#include "sextant/nets/cost.h"

#include <gtest/gtest.h>

#include "sextant/nets/builder.h"
#include "sextant/nets/network.h"

namespace sextant::nets {
namespace {

constexpr double kFp32 = 4;

OpCost last(const Graph& graph, Precision precision = Precision::fp32) {
  return cost(graph, precision).ops.back();
}

TEST(ConvCost, ResNetStemAtBatch32) {
  GraphBuilder g("stem");
  const Tensor x = g.image(32, 3, 224, 224);
  const ConvOptions options = {.stride = square(2), .padding = pad_all(3), .bias = false};
  const OpCost c = last(g.finish(g.conv(x, 64, square(7), options)));
  EXPECT_EQ(c.macs, 32 * 118013952LL);  // 64 * 112 * 112 * 3 * 7 * 7 each
  EXPECT_EQ(c.parameters, 64 * 3 * 7 * 7);
  EXPECT_EQ(c.forward, Flops{7552892928.0});
  // Input 4,816,896, weights 9,408, output 25,690,112 elements: 122.07 MB.
  EXPECT_EQ(c.forward_bytes, Bytes{122065664});
  // The image needs no gradient: only dW.
  EXPECT_EQ(c.backward, c.forward);
  EXPECT_EQ(c.backward_bytes, c.forward_bytes);
}

TEST(ConvCost, LaterLayersPayTwiceInBackward) {
  GraphBuilder g("two");
  const Tensor x = g.conv(g.image(1, 3, 8, 8), 4, square(1), {.bias = false});
  const OpCost c = last(g.finish(g.conv(x, 5, square(3), {.bias = false})));
  EXPECT_EQ(c.macs, 5 * 6 * 6 * 4 * 9);
  EXPECT_EQ(c.backward, 2 * c.forward);
}

TEST(ConvCost, GroupsDivideTheWork) {
  GraphBuilder g("depthwise");
  const OpCost c =
      last(g.finish(g.conv(g.image(1, 8, 5, 5), 8, square(3), {.padding = pad_all(1), .groups = 8})));
  EXPECT_EQ(c.macs, 8 * 5 * 5 * 9);
  EXPECT_EQ(c.parameters, 8 * 9 + 8);
  EXPECT_EQ(c.forward, Flops{2.0 * 8 * 25 * 9 + 8 * 25});  // an addition per output for the bias
}

TEST(LinearCost, AlexNetFc6AtBatch32) {
  GraphBuilder g("fc6");
  const Tensor x = g.flatten(g.image(32, 256, 6, 6));
  const OpCost c = last(g.finish(g.linear(x, 4096, false)));
  EXPECT_EQ(c.forward, Flops{2.0 * 32 * 9216 * 4096});
  // 32*9216 + 9216*4096 + 32*4096 = 38,174,720 elements.
  EXPECT_EQ(c.forward_bytes, Bytes{4 * 38174720.0});
  EXPECT_NEAR(c.forward.value / c.forward_bytes.value, 15.82, 0.005);
}

TEST(MatMulCost, CountsBothGradients) {
  GraphBuilder g("attention");
  const Tensor ids = g.tokens(2, 6);
  const Tensor x = g.add(Embedding{10, 8}, {ids});
  const OpCost c = last(g.finish(g.add(MatMul{true}, {x, x})));
  EXPECT_EQ(c.macs, 2 * 6 * 6 * 8);
  EXPECT_EQ(c.forward, Flops{2.0 * 576});
  EXPECT_EQ(c.backward, Flops{4.0 * 576});
  EXPECT_EQ(c.forward_bytes, Bytes{4.0 * (96 + 96 + 72)});
}

TEST(ElementWiseCost, ReluReadsAndWritesOnce) {
  GraphBuilder g("relu");
  const Tensor x = g.conv(g.image(32, 64, 112, 112), 64, square(1));
  const OpCost c = last(g.finish(g.relu(x)));
  EXPECT_EQ(c.forward, Flops{25690112});
  EXPECT_EQ(c.forward_bytes, Bytes{205520896});            // 205.5 MB
  EXPECT_EQ(c.backward_bytes, Bytes{3 * 4 * 25690112.0});  // dY, Y, dX
}

TEST(ElementWiseCost, NothingFlowsBackToTheInput) {
  GraphBuilder g("no weights");
  const OpCost c = last(g.finish(g.relu(g.image(1, 1, 2, 2))));
  EXPECT_EQ(c.backward, Flops{0});
  EXPECT_EQ(c.saved, Bytes{0});
}

TEST(NormCost, BatchNormReadsTwice) {
  GraphBuilder g("bn");
  const OpCost c = last(g.finish(g.batch_norm(g.image(2, 3, 4, 4))));
  EXPECT_EQ(c.parameters, 6);
  EXPECT_EQ(c.statistics, 6);
  EXPECT_EQ(c.macs, 0);
  EXPECT_EQ(c.forward, Flops{8.0 * 96});
  EXPECT_EQ(c.forward_bytes, Bytes{3 * 4 * 96.0});
  EXPECT_EQ(c.backward, Flops{11.0 * 96});
}

TEST(NormCost, LayerNormStatisticsStayInFp32) {
  GraphBuilder g("ln");
  const Tensor x = g.add(Embedding{10, 16}, {g.tokens(2, 3)});
  const OpCost c = last(g.finish(g.layer_norm(x)), Precision::fp16);
  EXPECT_EQ(c.parameters, 32);
  EXPECT_EQ(c.forward, Flops{6.0 * 96});
  EXPECT_EQ(c.forward_bytes, Bytes{2 * 2 * 96 + 2 * 4 * 6.0});  // six rows, mean and deviation each
}

TEST(PoolCost, CountsTheWindow) {
  GraphBuilder g("pool");
  const Tensor x = g.conv(g.image(1, 1, 6, 6), 2, square(1));
  const Tensor y = g.max_pool(x, square(3), {.stride = square(3)});
  const OpCost c = cost(g.finish(y)).ops.back();
  EXPECT_EQ(c.forward, Flops{9.0 * 8});
  EXPECT_EQ(c.backward, Flops{8});  // one winner per window
  EXPECT_EQ(c.forward_bytes, Bytes{kFp32 * (72 + 8)});
  EXPECT_EQ(c.saved, Bytes{8.0 * 8});  // where each maximum came from
}

TEST(OpaqueCost, IsBoundedByItsTensors) {
  GraphBuilder g("opaque");
  const Tensor x = g.image(1, 2, 4, 4);
  const OpCost c = last(g.finish(g.add(Opaque{"Swirl", {1, 8}}, {x})));
  EXPECT_EQ(c.forward_bytes, Bytes{kFp32 * (32 + 8)});
  EXPECT_EQ(c.forward, Flops{0});
}

// image 2x3x4x4 (96) -> conv 2x5x4x4 (160) -> norm -> relu -> pool 2x5 -> flatten -> linear 2x10.
Graph tiny() {
  GraphBuilder g("tiny");
  Tensor x = g.conv(g.image(2, 3, 4, 4), 5, square(1), {.bias = false});
  x = g.relu(g.batch_norm(x));
  x = g.flatten(g.adaptive_pool(x, square(1)));
  return g.finish(g.linear(x, 10));
}

TEST(Saved, IsWhatSomebodysGradientReads) {
  const GraphCost c = cost(tiny());
  ASSERT_EQ(c.ops.size(), 7U);
  EXPECT_EQ(c.ops[0].saved, Bytes{kFp32 * 96});   // dW of the convolution
  EXPECT_EQ(c.ops[1].saved, Bytes{kFp32 * 160});  // batch norm reads its input again
  EXPECT_EQ(c.ops[2].saved, Bytes{0});            // relu's gradient follows from its result
  EXPECT_EQ(c.ops[3].saved, Bytes{kFp32 * 160});
  EXPECT_EQ(c.ops[4].saved, Bytes{kFp32 * 10});  // through the view: dW of the linear layer
  EXPECT_EQ(c.ops[5].saved, Bytes{0});
  EXPECT_EQ(c.ops[6].saved, Bytes{0});
  EXPECT_EQ(c.total.saved, Bytes{kFp32 * (96 + 160 + 160 + 10)});
}

TEST(Saved, DropoutKeepsAByteMaskInEveryPrecision) {
  GraphBuilder g("dropout");
  const Tensor x = g.linear(g.flatten(g.image(2, 1, 2, 2)), 8);
  const Graph graph = g.finish(g.dropout(x, 0.5));
  EXPECT_EQ(last(graph).saved, Bytes{16});
  EXPECT_EQ(last(graph, Precision::fp16).saved, Bytes{16});
  EXPECT_EQ(last(graph).forward_bytes, Bytes{2 * 4 * 16 + 16});
}

TEST(LivePeak, FreesATensorAfterItsLastReader) {
  // conv -> norm holds two maps of 160 at once; views own nothing.
  EXPECT_EQ(cost(tiny()).live_peak, Bytes{kFp32 * (160 + 160)});
}

TEST(LivePeak, ASkipKeepsItsSourceAlive) {
  GraphBuilder g("skip");
  const Tensor a = g.conv(g.image(1, 4, 2, 2), 4, square(1));
  const Tensor b = g.relu(g.relu(a));
  EXPECT_EQ(cost(g.finish(g.sum(a, b))).live_peak, Bytes{kFp32 * 3 * 16});
}

TEST(GraphCost, PrecisionScalesTensorsAndNothingElse) {
  const GraphCost full = cost(tiny());
  const GraphCost half = cost(tiny(), Precision::fp16);
  EXPECT_EQ(half.total.forward, full.total.forward);
  EXPECT_EQ(2 * half.total.forward_bytes, full.total.forward_bytes);
  EXPECT_EQ(2 * half.total.saved, full.total.saved);
  EXPECT_EQ(cost(tiny(), Precision::tf32).total.forward_bytes, full.total.forward_bytes);
}

TEST(GraphCost, TotalIsTheSum) {
  const GraphCost c = cost(tiny());
  EXPECT_EQ(c.total.parameters, 5 * 3 + 10 + 5 * 10 + 10);
  EXPECT_EQ(c.total.statistics, 10);
  EXPECT_EQ(c.total.macs, 160 * 3 + 20 * 5);
}

TEST(GraphCost, TiedWeightsCountOnceButAreReadTwice) {
  GraphBuilder g("tied");
  const Tensor table = g.add(Embedding{100, 16}, {g.tokens(2, 5)});
  const GraphCost c = cost(g.finish(g.tied_linear(table, table)));
  EXPECT_EQ(c.total.parameters, 1600);
  EXPECT_EQ(c.ops.back().macs, 10 * 16 * 100);
  EXPECT_EQ(c.ops.back().forward_bytes, Bytes{kFp32 * (160 + 1600 + 1000)});
  EXPECT_EQ(c.ops[0].output, Bytes{8.0 * 10});  // token ids
}

TEST(GraphCost, ResNet50ConvolutionsWrite11113984ElementsPerImage) {
  const Graph graph = build(zoo().get("resnet50"), {});
  std::int64_t elements = 0;
  for (const Node& node : graph.nodes) {
    if (std::holds_alternative<Conv>(node.op)) elements += element_count(node.output);
  }
  EXPECT_EQ(elements, 11113984);
}

TEST(Cost, ATiedConvolutionHasNoKernelsOfItsOwn) {
  GraphBuilder g("tied");
  const Tensor first = g.conv(g.image(1, 4, 8, 8), 4, square(3), {.padding = pad_all(1), .bias = false});
  const Tensor second = g.conv(first, 4, square(3), {.padding = pad_all(1), .bias = false});
  Graph graph = g.finish(second);
  EXPECT_EQ(cost(graph).total.parameters, 2 * 4 * 4 * 9);
  graph.nodes[static_cast<std::size_t>(second.id)].weight_of = first.id;
  EXPECT_EQ(cost(graph).total.parameters, 4 * 4 * 9);
  EXPECT_EQ(cost(graph).total.macs, 2 * 64 * 4 * 4 * 9);  // the work is done twice all the same
}

}  // namespace
}  // namespace sextant::nets
