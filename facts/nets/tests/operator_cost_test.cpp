// Counts of the operators beyond plain image networks, against arithmetic done by hand. fp32 unless said.
#include <gtest/gtest.h>

#include "sextant/nets/builder.h"
#include "sextant/nets/cost.h"
#include "sextant/nets/parameters.h"

namespace sextant::nets {
namespace {

constexpr double kFloatBytes = 4;

// Learned values, so that a gradient passes.
Tensor learned(GraphBuilder& g, const Shape& shape) {
  return g.add(Parameter{shape}, {});
}

OpCost cost_of_last(const Graph& graph, Precision precision = Precision::fp32) {
  return cost(graph, precision).ops.back();
}

OpCost cost_over(const Op& op, const Shape& x) {
  GraphBuilder g("one");
  return cost_of_last(g.finish(g.add(op, {learned(g, x)})));
}

TEST(ConvCost, OneDimension) {  // wav2vec's first layers: 512 filters of 10 samples, stride 5
  const OpCost c = cost_over(Conv{8, along(10), along(5), {}, along(1), 1, false, {}}, {2, 3, 100});
  EXPECT_EQ(c.parameters, 8 * 3 * 10);
  EXPECT_EQ(c.macs, 2 * 8 * 19 * 3 * 10);
  EXPECT_EQ(c.forward_bytes, Bytes{kFloatBytes * (600 + 240 + 304)});
}

TEST(ConvCost, ThreeDimensions) {  // r3d's stem, cut down
  const OpCost c =
      cost_over(Conv{16, {7, 7, 3}, {2, 2, 1}, {3, 3, 3, 3, 1, 1}, cube(1), 1, false, {}}, {1, 3, 4, 16, 16});
  EXPECT_EQ(c.parameters, 16 * 3 * 3 * 7 * 7);
  EXPECT_EQ(c.macs, 16LL * 4 * 8 * 8 * 3 * 3 * 7 * 7);
}

TEST(ConvTransposeCost, EveryInputElementMeetsItsFilters) {  // U-Net's up-convolution
  const OpCost c =
      cost_over(ConvTranspose{8, square(2), square(2), {}, {0, 0, 0}, square(1), 1, true}, {2, 16, 5, 5});
  EXPECT_EQ(c.parameters, 16 * 8 * 2 * 2 + 8);
  EXPECT_EQ(c.macs, 2 * 16 * 25 * 8 * 4);
  const double out = 2 * 8 * 100;
  EXPECT_EQ(c.forward, Flops{2 * 2.0 * 16 * 25 * 8 * 4 + out});
  EXPECT_EQ(c.forward_bytes, Bytes{kFloatBytes * (2 * 16 * 25 + 16 * 8 * 4 + 8 + out)});
  EXPECT_EQ(c.backward, 2 * c.forward - Flops{out});  // dW, dX; the bias once
}

TEST(RecurrentCost, LstmOverTenPositions) {
  // 4 sequences of 10 positions, 16 features to 32: four gates, each 16 + 32 products and two biases per
  // unit.
  const OpCost c = cost_over(Recurrent{Cell::lstm, 32}, {4, 10, 16});
  EXPECT_EQ(c.parameters, 4 * 32 * (16 + 32 + 2));
  EXPECT_EQ(c.macs, 4 * 10 * 4 * 32 * (16 + 32));
  const double out = 4 * 10 * 32;
  EXPECT_EQ(c.forward, Flops{2.0 * static_cast<double>(c.macs) + 24 * out + 8 * out});
  EXPECT_EQ(c.saved, Bytes{kFloatBytes * (out + 5 * out)});  // the result, four gates and the cell
  // Every product twice again: of the weights, and of what came in.
  EXPECT_EQ(c.backward, Flops{4.0 * static_cast<double>(c.macs) + 24 * out});
}

TEST(RecurrentCost, DirectionsAndCells) {
  const OpCost one = cost_over(Recurrent{Cell::gru, 8}, {2, 5, 6});
  const OpCost both = cost_over(Recurrent{Cell::gru, 8, true}, {2, 5, 6});
  EXPECT_EQ(one.parameters, 3 * 8 * (6 + 8 + 2));
  EXPECT_EQ(both.parameters, 2 * one.parameters);
  EXPECT_EQ(both.macs, 2 * one.macs);
  EXPECT_EQ(cost_over(Recurrent{Cell::rnn, 8, false, false}, {2, 5, 6}).parameters, 8 * (6 + 8));
}

TEST(RecurrentCost, AnInputWithoutGradientSavesOneProduct) {
  GraphBuilder g("first");
  const Tensor x = g.add(Input{{4, 10, 16}}, {});
  const OpCost c = cost_of_last(g.finish(g.add(Recurrent{Cell::lstm, 32}, {x})));
  const double units = 4 * 10 * 4 * 32;
  EXPECT_EQ(c.backward, Flops{2 * units * (16 + 32) + 2 * units * 32 + 24 * 1280});
}

TEST(NormCost, RmsNormKeepsWhatItScales) {
  const OpCost c = cost_over(LayerNorm{true, false, false}, {2, 3, 16});
  EXPECT_EQ(c.parameters, 16);
  EXPECT_EQ(c.forward, Flops{4.0 * 96});
  EXPECT_EQ(c.forward_bytes, Bytes{kFloatBytes * 2 * 96 + 4 * 6});
  EXPECT_EQ(c.saved, Bytes{kFloatBytes * 96 + 4 * 6});  // x / rms(x), and the root of each row
}

TEST(NormCost, GroupNormReadsTwiceAndKeepsTwoNumbersForEachGroup) {
  const OpCost c = cost_over(GroupNorm{4}, {2, 8, 5, 5});
  EXPECT_EQ(c.parameters, 16);
  EXPECT_EQ(c.statistics, 0);
  EXPECT_EQ(c.forward_bytes, Bytes{kFloatBytes * 3 * 400});
  EXPECT_EQ(c.saved, Bytes{2 * 4.0 * 2 * 4});
  EXPECT_EQ(cost_over(GroupNorm{8, false, false}, {2, 8, 5, 5}).parameters, 0);
}

TEST(ResizeCost, LinearWeighsItsNeighbours) {
  const OpCost nearest = cost_over(Resize{square(8)}, {1, 2, 4, 4});
  EXPECT_EQ(nearest.forward, Flops{0});
  EXPECT_EQ(nearest.forward_bytes, Bytes{kFloatBytes * (32 + 128)});
  EXPECT_EQ(nearest.backward, Flops{128});  // sums of what was copied
  EXPECT_EQ(nearest.saved, Bytes{0});
  const OpCost linear = cost_over(Resize{square(8), Interpolation::linear}, {1, 2, 4, 4});
  EXPECT_EQ(linear.forward, Flops{128.0 * 2 * 4});  // four neighbours in two dimensions
}

TEST(GatherCost, ZeroesAndAddsInBackward) {
  GraphBuilder g("bias table");
  const Tensor table = learned(g, {169, 3});
  const Tensor places = g.add(Constant{{49, 49}, true}, {});
  const OpCost c = cost_of_last(g.finish(g.add(Gather{0}, {table, places})));
  const double out = 49 * 49 * 3;
  EXPECT_EQ(c.forward_bytes, Bytes{kFloatBytes * 2 * out + 8 * 49 * 49});
  EXPECT_EQ(c.backward_bytes, Bytes{kFloatBytes * (169 * 3 + 3 * out) + 8 * 49 * 49});
  EXPECT_EQ(c.saved, Bytes{8.0 * 49 * 49});
}

TEST(ExpandCost, IsACopyAndASum) {
  const OpCost c = cost_over(Expand{{32, 1, 8}}, {1, 1, 8});
  EXPECT_EQ(c.forward_bytes, Bytes{kFloatBytes * (8 + 256)});
  EXPECT_EQ(c.backward, Flops{256});
}

TEST(WhereCost, ReadsThreeAndKeepsAMask) {
  GraphBuilder g("mask");
  const Tensor scores = learned(g, {2, 4, 6, 6});
  const Tensor mask = g.add(Constant{{6, 6}}, {});
  const Tensor low = g.add(Constant{{1}}, {});
  const OpCost c = cost_of_last(g.finish(g.add(Where{}, {mask, scores, low})));
  EXPECT_EQ(c.forward_bytes, Bytes{kFloatBytes * (36 + 288 + 1 + 288)});
  EXPECT_EQ(c.saved, Bytes{288});
}

TEST(ReduceCost, MaximaNeedTheirInputsMeansDoNot) {
  GraphBuilder g("max");
  const Tensor x = g.relu(learned(g, {2, 3, 4}));
  const GraphCost largest = cost(g.finish(g.add(Reduce{Reduction::max, {1}}, {x})));
  EXPECT_EQ(largest.ops[1].saved, Bytes{kFloatBytes * 24});
  EXPECT_EQ(largest.ops[2].forward, Flops{24});
  EXPECT_EQ(cost_over(Reduce{Reduction::mean, {1, 2}}, {2, 3, 4}).saved, Bytes{0});
}

TEST(ScaleCost, OnlyAPowerKeepsItsArgument) {
  const auto kept = [](Arithmetic kind) {
    GraphBuilder g("scale");
    const Tensor x = g.add(Scale{2}, {learned(g, {4, 8})});
    return cost(g.finish(g.add(Scale{2, kind}, {x}))).ops[1].saved;
  };
  EXPECT_EQ(kept(Arithmetic::multiply), Bytes{0});
  EXPECT_EQ(kept(Arithmetic::add), Bytes{0});
  EXPECT_EQ(kept(Arithmetic::power), Bytes{kFloatBytes * 32});
}

TEST(ConstantCost, TakesMemoryAndNoTraining) {
  GraphBuilder g("angles");
  const Tensor x = learned(g, {2, 4, 8});
  const Tensor angles = g.add(Constant{{4, 8}}, {});
  const GraphCost c = cost(g.finish(g.add(Binary{Arithmetic::multiply}, {x, angles})));
  EXPECT_EQ(c.total.parameters, 64);
  EXPECT_EQ(c.total.statistics, 0);
  EXPECT_EQ(c.ops[1].saved, Bytes{kFloatBytes * 32});  // the product's gradient reads it again
}

TEST(ComparisonCost, PassesNoGradient) {
  GraphBuilder g("compare");
  const Tensor x = g.relu(learned(g, {2, 8}));
  const Tensor above = g.add(Scale{0.5, Arithmetic::greater}, {x});
  const GraphCost c = cost(g.finish(g.add(Scale{2}, {above})));
  EXPECT_EQ(c.ops[2].backward_bytes, Bytes{0});
  EXPECT_EQ(c.ops[3].backward, Flops{0});
}

TEST(WeightTensors, StandInLibtorchsOrder) {
  GraphBuilder g("lstm");
  const Graph graph = g.finish(g.add(Recurrent{Cell::lstm, 3, true}, {learned(g, {2, 5, 4})}));
  std::vector<std::string> names;
  for (const WeightTensor& weight : weight_tensors(graph, graph.nodes.back())) names.push_back(weight.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"weight_ih", "weight_hh", "bias_ih", "bias_hh", "weight_ih_reverse",
                                      "weight_hh_reverse", "bias_ih_reverse", "bias_hh_reverse"}));
}

}  // namespace
}  // namespace sextant::nets
