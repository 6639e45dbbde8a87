// U-Net against figure 1 of its paper.
#include <gtest/gtest.h>

#include "sextant/nets/cost.h"
#include "sextant/nets/network.h"

namespace sextant::nets {
namespace {

std::vector<Shape> maps_of(const Graph& graph, const std::string& type) {
  std::vector<Shape> maps;
  for (const Node& node : graph.nodes) {
    if (type_name(node.op) == type) maps.push_back(node.output);
  }
  return maps;
}

// The extents that the figure writes beside its boxes.
TEST(UNet, HasTheMapsOfTheFigure) {
  const Graph graph = build(zoo().get("u-net"), {});
  EXPECT_EQ(maps_of(graph, "max-pool"),
            (std::vector<Shape>{{1, 64, 284, 284}, {1, 128, 140, 140}, {1, 256, 68, 68}, {1, 512, 32, 32}}));
  EXPECT_EQ(
      maps_of(graph, "concat"),
      (std::vector<Shape>{{1, 1024, 56, 56}, {1, 512, 104, 104}, {1, 256, 200, 200}, {1, 128, 392, 392}}));
  EXPECT_EQ(graph.nodes.back().output, (Shape{1, 388 * 388, 2}));
}

// 3x3 convolutions, then 2x2 up-convolutions, then the last one; each with biases.
TEST(UNet, ParametersByHand) {
  std::int64_t want = 64 * 2 + 2;
  std::int64_t in = 1;
  for (const std::int64_t out : {64, 128, 256, 512, 1024}) {
    want += (9 * in + 1) * out + (9 * out + 1) * out;
    in = out;
  }
  for (const std::int64_t out : {512, 256, 128, 64}) {
    want += 4 * 2 * out * out + out + (9 * 2 * out + 1) * out + (9 * out + 1) * out;
  }
  EXPECT_EQ(cost(build(zoo().get("unet"), {})).total.parameters, want);
}

}  // namespace
}  // namespace sextant::nets
