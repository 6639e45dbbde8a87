// Operator by operator, on models written down here.
#include "onnx_translate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "onnx_reshape.h"
#include "sextant/core/error.h"
#include "sextant/nets/cost.h"

namespace sextant::nets {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Ints = std::vector<std::int64_t>;

OnnxConstant weight(const std::string& name, Shape dims) {
  return {.dims = std::move(dims), .weight = name};
}
OnnxConstant ints(const Ints& values) {
  return {.dims = {static_cast<std::int64_t>(values.size())},
          .integer = true,
          .values = std::vector<double>(values.begin(), values.end())};
}
OnnxConstant number(double value) {
  return {.dims = {}, .values = std::vector<double>{value}};
}

// A model that reads "x" and gives "y".
OnnxModel model(std::vector<OnnxNode> nodes, std::map<std::string, OnnxConstant> initializers = {}) {
  return {.file = "m.onnx",
          .inputs = {{.name = "x"}},
          .outputs = {{.name = "y"}},
          .initializers = std::move(initializers),
          .nodes = std::move(nodes)};
}

Graph translate(OnnxModel m, const Shape& x) {
  check_onnx_model(m);
  fuse_onnx_patterns(m);
  return OnnxTranslation(m, nullptr).run({x}, "m");
}

std::vector<std::string> steps(const Graph& graph) {
  std::vector<std::string> list;
  for (const auto& node : graph.nodes) list.push_back(type_name(node.op) + " " + to_string(node.output));
  return list;
}

std::string refusal(const OnnxModel& m, const Shape& x) {
  try {
    translate(m, x);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

// The batch of the input, read in the graph: shape, gather, unsqueeze, concat with -1.
TEST(OnnxTranslate, ComputesShapes) {
  const OnnxModel m =
      model({{.name = "shape", .type = "Shape", .inputs = {"x"}, .outputs = {"s"}},
             {.name = "pick", .type = "Gather", .inputs = {"s", "zero"}, .outputs = {"b"}},
             {.name = "list", .type = "Unsqueeze", .inputs = {"b", "front"}, .outputs = {"bs"}},
             {.name = "join",
              .type = "Concat",
              .inputs = {"bs", "rest"},
              .outputs = {"t"},
              .attributes = {{"axis", std::int64_t{0}}}},
             {.name = "view", .type = "Reshape", .inputs = {"x", "t"}, .outputs = {"y"}}},
            {{"zero", {.dims = {}, .integer = true, .values = std::vector<double>{0}}},
             {"front", ints({0})},
             {"rest", ints({-1})}});
  EXPECT_THAT(steps(translate(m, {5, 2, 3, 4})), ElementsAre("input 5x2x3x4", "reshape 5x24"));
}

TEST(OnnxTranslate, SplitsAndSlices) {
  const OnnxModel m =
      model({{.name = "split",
              .type = "Split",
              .inputs = {"x"},
              .outputs = {"a", "b", "c"},
              .attributes = {{"axis", std::int64_t{1}}}},
             {.name = "cut", .type = "Slice", .inputs = {"c", "from", "to", "axes"}, .outputs = {"d"}},
             {.name = "join",
              .type = "Concat",
              .inputs = {"a", "d"},
              .outputs = {"y"},
              .attributes = {{"axis", std::int64_t{-1}}}}},
            {{"from", ints({-2})}, {"to", ints({std::int64_t{1} << 62})}, {"axes", ints({2})}});
  EXPECT_THAT(steps(translate(m, {4, 6, 8})),
              ElementsAre("input 4x6x8", "slice 4x2x8", "slice 4x2x8", "slice 4x2x2", "concat 4x2x10"));
}

TEST(OnnxTranslate, LinearLayers) {
  const auto dense = [](const char* type, Shape matrix, std::map<std::string, OnnxAttribute> attributes) {
    return model({{.name = "fc",
                   .type = type,
                   .inputs = {"x", "w"},
                   .outputs = {"y"},
                   .attributes = std::move(attributes)}},
                 {{"w", weight("w", std::move(matrix))}});
  };
  EXPECT_THAT(steps(translate(dense("MatMul", {7, 5}, {}), {2, 3, 7})),
              ElementsAre("input 2x3x7", "linear 2x3x5"));
  EXPECT_THAT(steps(translate(dense("Gemm", {5, 7}, {{"transB", std::int64_t{1}}}), {2, 7})),
              ElementsAre("input 2x7", "linear 2x5"));
  EXPECT_THAT(refusal(dense("Gemm", {5, 7}, {}), {2, 7}),
              HasSubstr("m.onnx: error: node 'fc' (Gemm): its weights take 5"));
}

TEST(OnnxTranslate, BiasAfterProductIsPartOfTheLayer) {
  const OnnxModel m = model({{.name = "product", .type = "MatMul", .inputs = {"x", "w"}, .outputs = {"p"}},
                             {.name = "bias", .type = "Add", .inputs = {"b", "p"}, .outputs = {"y"}}},
                            {{"w", weight("w", {7, 5})}, {"b", weight("b", {5})}});
  const Graph graph = translate(m, {2, 3, 7});
  EXPECT_THAT(steps(graph), ElementsAre("input 2x3x7", "linear 2x3x5"));
  EXPECT_EQ(cost(graph).total.parameters, 7 * 5 + 5);
}

// A table that looks up tokens and, turned, gives the logits: one set of weights.
TEST(OnnxTranslate, SharedWeightsCountOnce) {
  OnnxModel m = model({{.name = "look", .type = "Gather", .inputs = {"table", "x"}, .outputs = {"e"}},
                       {.name = "turn",
                        .type = "Transpose",
                        .inputs = {"table"},
                        .outputs = {"t"},
                        .attributes = {{"perm", Ints{1, 0}}}},
                       {.name = "logits", .type = "MatMul", .inputs = {"e", "t"}, .outputs = {"y"}}},
                      {{"table", weight("table", {100, 8})}});
  m.inputs[0].integer = true;
  const Graph graph = translate(m, {2, 6});
  EXPECT_THAT(steps(graph), ElementsAre("input 2x6", "embedding 2x6x8", "linear 2x6x100"));
  EXPECT_EQ(cost(graph).total.parameters, 100 * 8);
}

TEST(OnnxTranslate, ReadsGeluAsOneOperator) {
  const auto spelled = [](double half) {
    return model({{.name = "div", .type = "Div", .inputs = {"x", "root"}, .outputs = {"a"}},
                  {.name = "erf", .type = "Erf", .inputs = {"a"}, .outputs = {"b"}},
                  {.name = "add", .type = "Add", .inputs = {"b", "one"}, .outputs = {"c"}},
                  {.name = "mul", .type = "Mul", .inputs = {"x", "c"}, .outputs = {"d"}},
                  {.name = "half", .type = "Mul", .inputs = {"d", "half"}, .outputs = {"y"}}},
                 {{"root", number(1.41421356)}, {"one", number(1)}, {"half", number(half)}});
  };
  EXPECT_THAT(steps(translate(spelled(0.5), {2, 4})), ElementsAre("input 2x4", "gelu 2x4"));
  // Anything else stays as written.
  EXPECT_THAT(steps(translate(spelled(0.7), {2, 4})),
              ElementsAre("input 2x4", "scale 2x4", "erf 2x4", "scale 2x4", "multiply 2x4", "scale 2x4"));
}

TEST(OnnxTranslate, LearnedOperandsAreParametersAndNumbersAreNot) {
  const OnnxModel m =
      model({{.name = "scale", .type = "Mul", .inputs = {"x", "two"}, .outputs = {"a"}},
             {.name = "place", .type = "Add", .inputs = {"a", "positions"}, .outputs = {"y"}}},
            {{"two", number(2)}, {"positions", weight("positions", {1, 3, 4})}});
  const Graph graph = translate(m, {5, 3, 4});
  EXPECT_THAT(steps(graph), ElementsAre("input 5x3x4", "scale 5x3x4", "parameter 1x3x4", "add 5x3x4"));
  EXPECT_EQ(std::get<Scale>(graph.nodes[1].op).factor, 2);
}

TEST(OnnxTranslate, SamePaddingOnEitherSide) {
  const auto pool = [](const char* side) {
    return model(
        {{.name = "pool",
          .type = "MaxPool",
          .inputs = {"x"},
          .outputs = {"y"},
          .attributes = {
              {"kernel_shape", Ints{3, 3}}, {"strides", Ints{2, 2}}, {"auto_pad", std::string(side)}}}});
  };
  // 8 pixels, stride 2: 4 windows need (4 - 1) 2 + 3 - 8 = 1 zero.
  const Graph upper = translate(pool("SAME_UPPER"), {1, 2, 8, 8});
  const Graph lower = translate(pool("SAME_LOWER"), {1, 2, 8, 8});
  EXPECT_EQ(std::get<Pool>(upper.nodes[1].op).padding, (Padding{0, 1, 0, 1}));
  EXPECT_EQ(std::get<Pool>(lower.nodes[1].op).padding, (Padding{1, 0, 1, 0}));
  EXPECT_EQ(lower.nodes[1].output, (Shape{1, 2, 4, 4}));
}

TEST(OnnxTranslate, UnknownOperatorWithSeveralResults) {
  const OnnxModel m = model(
      {{.name = "fork", .type = "Fork", .domain = "org.example", .inputs = {"x"}, .outputs = {"a", "", "b"}},
       {.name = "sum", .type = "Add", .inputs = {"a", "b"}, .outputs = {"y"}}});
  EXPECT_THAT(steps(translate(m, {2, 3})),
              ElementsAre("input 2x3", "org.example.Fork 2x3", "org.example.Fork 2x3", "add 2x3"));
}

// Somebody reads a result that the rule for the operator does not make.
TEST(OnnxTranslate, ResultsBeyondTheRuleAreNamed) {
  const OnnxModel m = model({{.name = "relu", .type = "Relu", .inputs = {"x"}, .outputs = {"a", "b"}},
                             {.name = "sum", .type = "Add", .inputs = {"a", "b"}, .outputs = {"y"}}});
  EXPECT_THAT(steps(translate(m, {2, 3})), ElementsAre("input 2x3", "relu 2x3", "Relu 2x3", "add 2x3"));
}

// After a guessed shape a misfit is ours, not the file's: it must not become an error.
TEST(OnnxTranslate, GuessedShapesAreNeverFatal) {
  const OnnxModel m =
      model({{.name = "odd", .type = "Odd", .domain = "org.example", .inputs = {"x"}, .outputs = {"a"}},
             {.name = "conv", .type = "Conv", .inputs = {"a", "w"}, .outputs = {"y"}}},
            {{"w", weight("w", {4, 99, 1, 1})}});
  EXPECT_THAT(unknown_operators(translate(m, {1, 3, 8, 8})), ElementsAre("org.example.Odd", "Conv"));
}

TEST(OnnxTranslate, RefusesBrokenGraphs) {
  EXPECT_THAT(refusal(model({}), {1}), HasSubstr("has no nodes"));
  EXPECT_THAT(refusal(model({{.name = "n", .type = "Relu", .inputs = {"gone"}, .outputs = {"y"}}}), {1, 2}),
              HasSubstr("node 'n' (Relu) reads 'gone', which nothing computes"));
  EXPECT_THAT(refusal(model({{.name = "n", .type = "Add", .inputs = {"x", "z"}, .outputs = {"y"}},
                             {.name = "m", .type = "Relu", .inputs = {"y"}, .outputs = {"z"}}}),
                      {1, 2}),
              HasSubstr("cycle"));
  EXPECT_THAT(refusal(model({{.name = "n", .type = "Relu", .inputs = {"x"}, .outputs = {"a"}}}), {1, 2}),
              HasSubstr("no node computes the output 'y'"));
  EXPECT_THAT(refusal(model({{.name = "n", .type = "Relu", .inputs = {}, .outputs = {"y"}},
                             {.name = "m", .type = "Relu", .inputs = {"x"}, .outputs = {"y"}}}),
                      {1, 2}),
              HasSubstr("a second time"));
}

TEST(OnnxReshape, CarriesFixedTargetsOver) {
  // Exporter's [1, -1], and its written-out form.
  EXPECT_EQ(rebind_reshape({{1, 256, 6, 6}, {1, 9216}, {1, -1}, 1, 32}, {32, 256, 6, 6}), (Shape{32, 9216}));
  EXPECT_EQ(
      rebind_reshape({{1, 116, 28, 28}, {1, 2, 58, 28, 28}, {1, 2, 58, 28, 28}, 1, 8}, {8, 116, 28, 28}),
      (Shape{8, 2, 58, 28, 28}));
  // Attention with the batch in the middle: heads split off, merged again, rows taken together.
  EXPECT_EQ(rebind_reshape({{197, 1, 768}, {197, 12, 64}, {197, 12, 64}, 1, 4}, {197, 4, 768}),
            (Shape{197, 48, 64}));
  EXPECT_EQ(rebind_reshape({{197, 12, 64}, {197, 768}, {197, 768}, 1, 4}, {197, 48, 64}), (Shape{788, 768}));
  EXPECT_EQ(rebind_reshape({{197, 768}, {197, 1, 768}, {197, 1, 768}, 1, 4}, {788, 768}),
            (Shape{197, 4, 768}));
  // Patches of a larger image.
  EXPECT_EQ(rebind_reshape({{1, 768, 14, 14}, {1, 768, 196}, {1, 768, 196}, 1, 1}, {1, 768, 16, 16}),
            (Shape{1, 768, 256}));
  EXPECT_EQ(rebind_reshape({{1, 6}, {2, 3}, {2, 3}, 1, 1}, {1, 7}), std::nullopt);
}

}  // namespace
}  // namespace sextant::nets
