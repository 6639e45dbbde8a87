#include "sextant/predict/operator_calls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "sextant/nets/builder.h"

namespace sextant::predict {
namespace {

std::vector<OperatorCall> calls_of(const nets::Graph& graph, jobs::Mode mode = jobs::Mode::train) {
  return operator_calls(graph, cost(graph), mode);
}

TEST(OperatorCalls, WorkIsThatOfTheGraph) {
  const nets::Graph graph = build(nets::zoo().get("alexnet"), {.batch = 2});
  const nets::GraphCost counted = cost(graph);
  double forward = 0;
  double backward = 0;
  for (const OperatorCall& call : calls_of(graph)) {
    (call.direction == Direction::forward ? forward : backward) += call.flop;
  }
  EXPECT_DOUBLE_EQ(forward, counted.total.forward.value);
  EXPECT_DOUBLE_EQ(backward, counted.total.backward.value);
}

TEST(OperatorCalls, InferenceHasNoBackward) {
  for (const OperatorCall& call : calls_of(build(nets::zoo().get("resnet18"), {}), jobs::Mode::infer)) {
    EXPECT_EQ(call.direction, Direction::forward);
  }
}

TEST(OperatorCalls, EveryKindHasOneNumberOfCoordinates) {
  std::map<std::string, std::size_t> sizes;
  for (const nets::Network& network : nets::zoo().all()) {
    for (const OperatorCall& call : calls_of(build(network, {}))) {
      const auto [it, added] = sizes.emplace(call.kind, call.coordinates.size());
      EXPECT_EQ(it->second, call.coordinates.size()) << network.id << ' ' << call.kind;
    }
  }
  EXPECT_TRUE(sizes.contains("conv") && sizes.contains("depthwise") && sizes.contains("grouped-conv"));
}

TEST(OperatorCalls, OnlyTheFirstLayerMakesNoGradientOfItsInput) {
  nets::GraphBuilder g("two");
  const nets::Tensor a = g.conv(g.image(1, 16, 8, 8), 16, nets::square(3), {.padding = nets::pad_all(1)});
  const nets::Graph graph = g.finish(g.conv(a, 16, nets::square(3), {.padding = nets::pad_all(1)}));
  const std::vector<OperatorCall> calls = calls_of(graph);
  ASSERT_EQ(calls.size(), 4U);
  EXPECT_EQ(calls[0].kind, "conv");
  EXPECT_NE(calls[0].coordinates, calls[2].coordinates);  // the mark of the input's gradient
  EXPECT_LT(calls[1].flop, calls[3].flop);
}

// A view is one thing, a shuffle that has to copy another.
TEST(OperatorCalls, ReshapeAfterTransposeCopies) {
  const std::vector<OperatorCall> calls = calls_of(build(nets::zoo().get("shufflenet-v2-x1-0"), {}));
  const auto count = [&](const char* kind) {
    return std::ranges::count_if(
        calls, [&](const OperatorCall& c) { return c.kind == kind && c.direction == Direction::forward; });
  };
  EXPECT_EQ(count("reshape"), 16);  // one shuffle for each of 4 + 8 + 4 blocks
  EXPECT_EQ(count("reshape-copy"), 16);
}

TEST(OperatorCalls, CopiesThatCountsTakeForViewsHaveTraffic) {
  nets::GraphBuilder g("half");
  const nets::Tensor a = g.conv(g.image(2, 8, 4, 4), 8, nets::square(1));
  const nets::Graph graph = g.finish(g.add(nets::Slice{1, 0, 4}, {a}));
  for (const OperatorCall& call : calls_of(graph)) {
    if (call.kind != "slice") continue;
    // Backward the gradient of all 2 x 8 x 4 x 4 values is written, and read by what follows: 8 bytes each.
    EXPECT_EQ(call.bytes, call.direction == Direction::forward ? 0 : 8 * 256);
  }
}

TEST(UpdateCall, MovesWhatTheOptimizerKeeps) {
  const nets::GraphCost counted = cost(build(nets::zoo().get("lenet5"), {}));
  const double values = 61706;
  EXPECT_DOUBLE_EQ(update_call(counted, jobs::Optimizer::sgd).bytes, 3 * 4 * values);
  EXPECT_DOUBLE_EQ(update_call(counted, jobs::Optimizer::momentum).bytes, 5 * 4 * values);
  EXPECT_DOUBLE_EQ(update_call(counted, jobs::Optimizer::none).bytes, 0);
}

// 4 x 8 x 8 weights of the state, read again at nine of ten positions.
TEST(OperatorCalls, RecurrentLayersReadTheirWeightsAtEveryPosition) {
  nets::GraphBuilder g("lstm");
  const nets::Tensor x = g.add(nets::Input{{2, 10, 6}}, {});
  const nets::Graph graph = g.finish(g.add(nets::Recurrent{nets::Cell::lstm, 8}, {x}));
  const nets::GraphCost counted = cost(graph);
  const auto calls = operator_calls(graph, counted, jobs::Mode::train);
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_EQ(calls[0].bytes, counted.ops[1].forward_bytes.value + 4.0 * 256 * 9);
  EXPECT_EQ(calls[1].bytes, counted.ops[1].backward_bytes.value + 3 * 4.0 * 256 * 9);
}

}  // namespace
}  // namespace sextant::predict
