// The builder: names, handles, inferred shapes, weights that are shared.
#include "sextant/nets/builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sextant/core/error.h"
#include "sextant/nets/parameters.h"

namespace sextant::nets {
namespace {

using testing::ElementsAre;

TEST(Builder, NamesNodesByScopeTypeAndNumber) {
  GraphBuilder g("tiny");
  Tensor x = g.image(2, 3, 8, 8);
  g.scope("layer1.0.");
  x = g.conv(x, 4, square(3), {.padding = pad_all(1)});
  x = g.add(Activation{}, {x}, "act");
  const Graph graph = g.finish(x);
  EXPECT_EQ(graph.name, "tiny");
  EXPECT_EQ(graph.nodes[0].name, "image");
  EXPECT_EQ(graph.nodes[1].name, "layer1.0.conv_1");
  EXPECT_EQ(graph.nodes[2].name, "layer1.0.act");
  EXPECT_THAT(graph.nodes[2].inputs, ElementsAre(1));
  EXPECT_THAT(graph.outputs, ElementsAre(2));
  EXPECT_EQ(graph.batch(), 2);
}

TEST(Builder, KnowsShapesWhileBuilding) {
  GraphBuilder g("tiny");
  const Tensor x = g.image(1, 3, 9, 9);
  const Tensor a = g.conv(x, 4, square(3), {.stride = square(2), .padding = pad_all(1)});
  const Tensor b = g.max_pool(x, square(3), {.stride = square(2), .padding = pad_all(1)});
  const Tensor both = g.concat({a, b});
  EXPECT_EQ(g.shape(both), (Shape{1, 7, 5, 5}));
  EXPECT_EQ(g.channels(both), 7);
  EXPECT_THROW(g.sum(a, b), InputError);  // 4 and 3 channels
}

TEST(Builder, IsEmptyAfterFinish) {
  GraphBuilder g("first");
  g.finish(g.image(1, 1, 2, 2));
  const Graph second = g.finish(g.image(5, 1, 2, 2));
  EXPECT_EQ(second.nodes.size(), 1U);
  EXPECT_EQ(second.batch(), 5);
}

TEST(Builder, TiedProjectionHasNoWeightsOfItsOwn) {
  GraphBuilder g("tied");
  const Tensor ids = g.tokens(2, 5);
  const Tensor table = g.add(Embedding{100, 16}, {ids});
  const Graph graph = g.finish(g.tied_linear(table, table));
  ASSERT_EQ(graph.nodes.size(), 3U);
  EXPECT_EQ(graph.nodes[2].output, (Shape{2, 5, 100}));
  EXPECT_EQ(graph.nodes[2].weight_of, 1);
  EXPECT_TRUE(weight_tensors(graph, graph.nodes[2]).empty());
  EXPECT_EQ(weight_tensors(graph, graph.nodes[1])[0].shape, (Shape{100, 16}));
}

TEST(Weights, FollowFromOperatorAndInput) {
  GraphBuilder g("weights");
  Tensor x = g.image(1, 6, 4, 4);
  x = g.conv(x, 4, {3, 1}, {.groups = 2});
  const Graph graph = g.finish(g.batch_norm(x));
  const auto conv = weight_tensors(graph, graph.nodes[1]);
  ASSERT_EQ(conv.size(), 2U);
  EXPECT_EQ(conv[0].shape, (Shape{4, 3, 3, 1}));  // a group sees half of the six channels
  EXPECT_EQ(conv[1].shape, (Shape{4}));
  const auto norm = weight_tensors(graph, graph.nodes[2]);
  ASSERT_EQ(norm.size(), 4U);
  EXPECT_TRUE(norm[0].trainable && norm[1].trainable);
  EXPECT_FALSE(norm[2].trainable || norm[3].trainable);
}

TEST(Graph, NamesUnknownOperatorsOnce) {
  GraphBuilder g("opaque");
  Tensor x = g.image(1, 1, 2, 2);
  for (const char* type : {"Swirl", "Twist", "Swirl"}) x = g.add(Opaque{type, {1, 1, 2, 2}}, {x});
  EXPECT_THAT(unknown_operators(g.finish(x)), ElementsAre("Swirl", "Twist"));
}

}  // namespace
}  // namespace sextant::nets
