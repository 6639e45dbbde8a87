// Operators of exports beyond image classification, on models written down here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "onnx_translate.h"
#include "sextant/core/error.h"
#include "sextant/nets/cost.h"

namespace sextant::nets {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using List = std::vector<std::int64_t>;
using Attributes = std::map<std::string, OnnxAttribute>;

OnnxConstant stored(const std::string& name, Shape dims) {
  return {.dims = std::move(dims), .weight = name};
}
OnnxConstant listed_ints(const List& values) {
  return {.dims = {static_cast<std::int64_t>(values.size())},
          .integer = true,
          .values = std::vector<double>(values.begin(), values.end())};
}
OnnxConstant one_number(double value) {
  return {.dims = {}, .values = std::vector<double>{value}};
}

OnnxModel reads_x(std::vector<OnnxNode> nodes, std::map<std::string, OnnxConstant> initializers = {}) {
  return {.file = "m.onnx",
          .inputs = {{.name = "x"}},
          .outputs = {{.name = "y"}},
          .initializers = std::move(initializers),
          .nodes = std::move(nodes)};
}

Graph graph_of(OnnxModel m, const Shape& x) {
  check_onnx_model(m);
  fuse_onnx_patterns(m);
  return OnnxTranslation(m, nullptr).run({x}, "m");
}

std::vector<std::string> lines(const Graph& graph) {
  std::vector<std::string> list;
  for (const auto& node : graph.nodes) list.push_back(type_name(node.op) + " " + to_string(node.output));
  return list;
}

// One operator of x and stored operands.
std::vector<std::string> one(const std::string& type, const Shape& x,
                             const std::vector<std::pair<std::string, OnnxConstant>>& operands,
                             Attributes attributes = {}) {
  OnnxNode node{
      .name = "n", .type = type, .inputs = {"x"}, .outputs = {"y"}, .attributes = std::move(attributes)};
  std::map<std::string, OnnxConstant> initializers;
  for (const auto& [name, constant] : operands) {
    node.inputs.push_back(name);
    initializers[name] = constant;
  }
  return lines(graph_of(reads_x({node}, initializers), x));
}

TEST(OnnxRules, ConvolutionsOfOneAndThreeDimensions) {
  EXPECT_THAT(
      one("Conv", {2, 3, 10}, {{"w", stored("w", {8, 3, 3})}}, {{"pads", List{1, 1}}, {"strides", List{2}}}),
      ElementsAre("input 2x3x10", "conv 2x8x5"));
  EXPECT_THAT(one("Conv", {2, 3, 4, 8, 8}, {{"w", stored("w", {8, 3, 3, 7, 7})}},
                  {{"pads", List{1, 3, 3, 1, 3, 3}}, {"strides", List{1, 2, 2}}}),
              ElementsAre("input 2x3x4x8x8", "conv 2x8x4x4x4"));
  EXPECT_THAT(
      one("MaxPool", {1, 3, 4, 4, 4}, {}, {{"kernel_shape", List{2, 2, 2}}, {"strides", List{2, 2, 2}}}),
      ElementsAre("input 1x3x4x4x4", "max-pool 1x3x2x2x2"));
  EXPECT_THAT(one("ConvTranspose", {2, 16, 7, 7}, {{"w", stored("w", {16, 8, 3, 3})}},
                  {{"strides", List{2, 2}}, {"pads", List{1, 1, 1, 1}}, {"output_padding", List{1, 1}}}),
              ElementsAre("input 2x16x7x7", "conv-transpose 2x8x14x14"));
}

TEST(OnnxRules, ResizeTakesFactorsOrSizes) {
  const OnnxConstant none{.dims = {0}, .values = std::vector<double>{}};
  const OnnxConstant factors{.dims = {4}, .values = std::vector<double>{1, 1, 2, 2}};
  EXPECT_THAT(one("Resize", {2, 3, 5, 5}, {{"roi", none}, {"scales", factors}}),
              ElementsAre("input 2x3x5x5", "resize 2x3x10x10"));
  EXPECT_THAT(
      one("Resize", {2, 3, 5, 5}, {{"roi", none}, {"scales", none}, {"sizes", listed_ints({2, 3, 8, 9})}},
          {{"mode", std::string("linear")}}),
      ElementsAre("input 2x3x5x5", "resize 2x3x8x9"));
  EXPECT_THAT(
      one("Resize", {2, 3, 5, 5}, {{"roi", none}, {"scales", factors}}, {{"mode", std::string("cubic")}}),
      ElementsAre("input 2x3x5x5", "Resize 2x3x10x10"))
      << "unknown, and named";
}

TEST(OnnxRules, SelectionAndRepetition) {
  EXPECT_THAT(one("Slice", {2, 9},
                  {{"b", listed_ints({1})},
                   {"e", listed_ints({8})},
                   {"a", listed_ints({1})},
                   {"s", listed_ints({3})}}),
              ElementsAre("input 2x9", "slice 2x3"));
  EXPECT_THAT(one("Slice", {2, 9},
                  {{"b", listed_ints({-1})},
                   {"e", listed_ints({-100})},
                   {"a", listed_ints({1})},
                   {"s", listed_ints({-1})}}),
              ElementsAre("input 2x9", "constant 9", "gather 2x9"))
      << "backwards";
  EXPECT_THAT(one("Gather", {2, 9, 4}, {{"i", listed_ints({3, 0, 5})}}, {{"axis", std::int64_t{1}}}),
              ElementsAre("input 2x9x4", "constant 3", "gather 2x3x4"));
  EXPECT_THAT(one("Expand", {2, 1, 4}, {{"s", listed_ints({1, 3, 1})}}),
              ElementsAre("input 2x1x4", "expand 2x3x4"));
  EXPECT_THAT(one("Tile", {2, 3}, {{"r", listed_ints({1, 2})}}),
              ElementsAre("input 2x3", "reshape 1x2x1x3", "expand 1x2x2x3", "reshape 2x6"));
  EXPECT_THAT(one("Pad", {2, 5, 4}, {{"p", listed_ints({0, 1, 0, 0, 2, 0})}}),
              ElementsAre("input 2x5x4", "constant 2x1x4", "concat 2x6x4", "constant 2x2x4", "concat 2x8x4"));
}

TEST(OnnxRules, Arithmetic) {
  EXPECT_THAT(one("Pow", {2, 3}, {{"c", one_number(2)}}), ElementsAre("input 2x3", "scale 2x3"));
  EXPECT_THAT(one("Sqrt", {2, 3}, {}), ElementsAre("input 2x3", "sqrt 2x3"));
  EXPECT_THAT(one("Clip", {2, 3}, {{"l", one_number(-1)}, {"h", one_number(1)}}),
              ElementsAre("input 2x3", "clip 2x3"));
  EXPECT_THAT(one("ReduceSum", {2, 3, 4}, {{"a", listed_ints({-1})}}, {{"keepdims", std::int64_t{0}}}),
              ElementsAre("input 2x3x4", "sum 2x3"));
  const OnnxModel quotient = reads_x({{.name = "n", .type = "Div", .inputs = {"one", "x"}, .outputs = {"y"}}},
                                     {{"one", one_number(1)}});
  EXPECT_THAT(lines(graph_of(quotient, {2, 3})), ElementsAre("input 2x3", "reciprocal 2x3"));
}

TEST(OnnxRules, EinsumIsAMatrixProduct) {
  const OnnxModel m = reads_x({{.name = "n",
                                .type = "Einsum",
                                .inputs = {"x", "w"},
                                .outputs = {"y"},
                                .attributes = {{"equation", std::string("bqhd,hde->bqe")}}}},
                              {{"w", stored("w", {4, 8, 16})}});
  const Graph graph = graph_of(m, {2, 5, 4, 8});
  EXPECT_THAT(unknown_operators(graph), IsEmpty());
  EXPECT_EQ(graph.nodes.back().output, (Shape{2, 5, 16}));
  EXPECT_EQ(cost(graph).total.macs, 2 * 5 * 4 * 8 * 16);
  EXPECT_EQ(cost(graph).total.parameters, 4 * 8 * 16);
}

TEST(OnnxRules, RecurrentLayersAndTheirLastStates) {
  const OnnxModel m = reads_x(
      {{.name = "n",
        .type = "GRU",
        .inputs = {"x", "w", "r", "b"},
        .outputs = {"", "y"},
        .attributes = {{"hidden_size", std::int64_t{6}}, {"direction", std::string("bidirectional")}}}},
      {{"w", stored("w", {2, 18, 4})}, {"r", stored("r", {2, 18, 6})}, {"b", stored("b", {2, 36})}});
  const Graph graph = graph_of(m, {10, 3, 4});
  EXPECT_THAT(lines(graph), ElementsAre("input 10x3x4", "gru 10x3x12", "slice 1x3x12", "slice 1x3x6",
                                        "slice 1x3x12", "slice 1x3x6", "concat 2x3x6"));
  EXPECT_EQ(cost(graph).total.parameters, 2 * 18 * (4 + 6 + 2));
}

TEST(OnnxRules, GroupNormAsPyTorchSpellsIt) {
  const OnnxConstant ones{.dims = {4}, .values = std::vector<double>{1, 1, 1, 1}};
  const OnnxModel m = reads_x(
      {{.name = "apart", .type = "Reshape", .inputs = {"x", "groups"}, .outputs = {"a"}},
       {.name = "norm", .type = "InstanceNormalization", .inputs = {"a", "one", "zero"}, .outputs = {"b"}},
       {.name = "back", .type = "Reshape", .inputs = {"b", "map"}, .outputs = {"c"}},
       {.name = "scale", .type = "Mul", .inputs = {"c", "w"}, .outputs = {"d"}},
       {.name = "shift", .type = "Add", .inputs = {"d", "v"}, .outputs = {"y"}}},
      {{"groups", listed_ints({0, 4, -1})},
       {"map", listed_ints({2, 8, 3, 3})},
       {"one", ones},
       {"zero", ones},
       {"w", stored("w", {8, 1, 1})},
       {"v", stored("v", {8, 1, 1})}});
  const Graph graph = graph_of(m, {2, 8, 3, 3});
  EXPECT_THAT(lines(graph), ElementsAre("input 2x8x3x3", "group-norm 2x8x3x3"));
  EXPECT_EQ(std::get<GroupNorm>(graph.nodes[1].op).groups, 4);
  EXPECT_EQ(cost(graph).total.parameters, 16);
}

TEST(OnnxRules, MasksAreFoldedWithTheirValues) {
  const OnnxModel m = reads_x({{.name = "full",
                                .type = "ConstantOfShape",
                                .inputs = {"size"},
                                .outputs = {"f"},
                                .attributes = {{"value", one_number(-9)}}},
                               {.name = "upper", .type = "Trilu", .inputs = {"f", "k"}, .outputs = {"m"}},
                               {.name = "masked", .type = "Add", .inputs = {"x", "m"}, .outputs = {"y"}}},
                              {{"size", listed_ints({2, 2})}, {"k", listed_ints({1})}});
  const Graph graph = graph_of(m, {5, 2, 2});
  EXPECT_THAT(lines(graph), ElementsAre("input 5x2x2", "constant 2x2", "add 5x2x2"));
  EXPECT_THAT(std::get<Constant>(graph.nodes[1].op).values, ElementsAre(0, -9, 0, 0));
}

TEST(OnnxRules, FoldedBatchNormsAreNoted) {
  const auto convolutions = [](const std::string& weight) {
    OnnxModel m = reads_x({{.name = "n", .type = "Conv", .inputs = {"x", weight, "b"}, .outputs = {"y"}}},
                          {{weight, stored(weight, {4, 3, 1, 1})}, {"b", stored("b", {4})}});
    note_folded_norms(m);
    return m.notes;
  };
  EXPECT_THAT(convolutions("onnx::Conv_123"),
              ElementsAre(HasSubstr("folded batch norm into 1 convolutions")));
  EXPECT_THAT(convolutions("features.0.weight"), IsEmpty()) << "VGG has biases and no norms";
}

TEST(OnnxRules, InputsThatFeedWeightsAreWeights) {
  const auto fixed = [](const std::string& name, const List& dims, bool integer = false) {
    OnnxValue value{.name = name, .integer = integer, .dims = std::vector<OnnxDim>{}};
    for (const auto extent : dims) value.dims->push_back({extent, ""});
    return value;
  };
  OnnxModel m = reads_x({{.name = "n", .type = "Gemm", .inputs = {"x", "fc.weight"}, .outputs = {"a"}},
                         {.name = "s", .type = "Mul", .inputs = {"a", "gain"}, .outputs = {"b"}},
                         {.name = "t", .type = "Add", .inputs = {"b", "ids"}, .outputs = {"y"}}});
  m.inputs = {fixed("x", {2, 8}), fixed("fc.weight", {8, 4}), fixed("gain", {4}), fixed("ids", {2, 4}, true)};
  take_weight_inputs(m);
  ASSERT_EQ(m.inputs.size(), 2U);
  EXPECT_EQ(m.inputs[1].name, "ids") << "integers are data";
  EXPECT_EQ(m.initializers.at("gain").weight, "gain");
  EXPECT_THAT(m.notes, ElementsAre(HasSubstr("2 inputs of the graph are counted as weights")));
  // Two tensors of data stay data.
  OnnxModel data = reads_x({{.name = "n", .type = "Add", .inputs = {"x", "z"}, .outputs = {"y"}}});
  data.inputs = {fixed("x", {2, 8}), fixed("z", {2, 8})};
  take_weight_inputs(data);
  EXPECT_EQ(data.inputs.size(), 2U);
}

}  // namespace
}  // namespace sextant::nets
