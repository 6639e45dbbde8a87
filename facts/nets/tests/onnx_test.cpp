// Shipped ONNX files against the zoo and published totals. The files are made by onnx/export.py.
#include "sextant/nets/onnx.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>

#include "sextant/nets/cost.h"

namespace sextant::nets {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string model_path(const std::string& name) {
  return std::string(SEXTANT_SOURCE_DIR) + "/facts/nets/tests/onnx/" + name + ".onnx";
}

std::string bytes_of(const std::string& name) {
  std::ifstream in(model_path(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

// Kind and shape of what holds weights or a window, in order. A pool to a fixed map is exported as an
// ordinary pool, so both are "pool".
std::vector<std::string> layers(const Graph& graph) {
  std::vector<std::string> list;
  for (const auto& node : graph.nodes) {
    const bool pool = std::holds_alternative<Pool>(node.op) || std::holds_alternative<AdaptivePool>(node.op);
    if (const auto* conv = std::get_if<Conv>(&node.op)) {
      list.push_back("conv " + std::to_string(conv->kernel.height) + "/" +
                     std::to_string(conv->stride.height) + " g" + std::to_string(conv->groups) +
                     (conv->bias ? " bias " : " ") + to_string(node.output));
    } else if (std::holds_alternative<Linear>(node.op) || std::holds_alternative<BatchNorm>(node.op)) {
      list.push_back(type_name(node.op) + " " + to_string(node.output));
    } else if (pool) {
      list.push_back("pool " + to_string(node.output));
    }
  }
  std::ranges::sort(list);  // branches of a block may stand in either order
  return list;
}

struct Published {
  const char* name;
  std::int64_t parameters;
  std::int64_t macs;  // at 224 pixels
  bool any_image;     // the file pools to one size, so that other images fit
};

// torchvision's documented parameter counts; MACs by hand count (weights times positions).
class OnnxFile : public ::testing::TestWithParam<Published> {};

TEST_P(OnnxFile, HasPublishedTotals) {
  const Network network = read_onnx_network(model_path(GetParam().name));
  for (const std::int64_t batch : {1, 32}) {
    const Graph graph = build(network, {.batch = batch});
    const OpCost total = cost(graph).total;
    EXPECT_EQ(total.parameters, GetParam().parameters);
    EXPECT_EQ(total.macs, batch * GetParam().macs);
    EXPECT_EQ(graph.nodes.at(static_cast<std::size_t>(graph.outputs.at(0))).output, (Shape{batch, 1000}));
    EXPECT_THAT(unknown_operators(graph), IsEmpty());
  }
}

TEST_P(OnnxFile, EqualsTheZoo) {
  const Network network = read_onnx_network(model_path(GetParam().name));
  const Network& known = zoo().get(GetParam().name);
  EXPECT_EQ(layers(build(network, {.batch = 1})), layers(build(known, {.batch = 1})));
  EXPECT_EQ(layers(build(network, {.batch = 32})), layers(build(known, {.batch = 32})));
}

TEST_P(OnnxFile, TakesAnotherImageSizeOrSaysWhyNot) {
  const Network network = read_onnx_network(model_path(GetParam().name));
  const Binding larger{.batch = 2, .image = 256};
  if (GetParam().any_image) {
    EXPECT_EQ(layers(build(network, larger)), layers(build(zoo().get(GetParam().name), larger)));
  } else {
    EXPECT_THAT(refusal([&] { build(network, larger); }), HasSubstr("Gemm): its weights take"));
  }
}

INSTANTIATE_TEST_SUITE_P(Torchvision, OnnxFile,
                         ::testing::Values(Published{"alexnet", 61100840, 714188480, false},
                                           Published{"vgg16", 138357544, 15470264320, false},
                                           Published{"resnet18", 11689512, 1814073344, true},
                                           Published{"resnet50", 25557032, 4089184256, true},
                                           Published{"mobilenet_v2", 3504872, 300774272, true},
                                           Published{"shufflenet_v2_x1_0", 2278604, 144907992, true}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Onnx, StatesItsSizes) {
  const Network network = read_onnx_network(model_path("resnet18"));
  EXPECT_TRUE(network.id.ends_with("resnet18.onnx")) << network.id;
  EXPECT_EQ(network.input, InputKind::image);
  EXPECT_EQ(network.defaults.image, 224);
  EXPECT_EQ(network.defaults.classes, 1000);
  EXPECT_THAT(network.summary, HasSubstr("pytorch"));
  EXPECT_THAT(refusal([&] { build(network, {.batch = 1, .classes = 10}); }), HasSubstr("fixes 1000 classes"));
}

// Features 64, 4 heads of 16, length L. Parameters: embeddings (1000 + 128) 64; two projections
// 64 192 + 192; two norms 2 64; MLP 64 256 + 256 and 256 64 + 64; classes 64 10 + 10.
// MACs: 2 (64 192 L + 2 64 L^2) + 2 64 256 L + 64 10.
TEST(Onnx, ReadsTokens) {
  const Network network = read_onnx_network(model_path("tiny_encoder"));
  EXPECT_EQ(network.input, InputKind::tokens);
  EXPECT_EQ(network.defaults.classes, 10);
  for (const std::int64_t length : {16, 100}) {
    const Graph graph = build(network, {.batch = 3, .seq = length});
    const OpCost total = cost(graph).total;
    EXPECT_EQ(total.parameters,
              1128 * 64 + 2 * (64 * 192 + 192) + 2 * 128 + 64 * 256 + 256 + 256 * 64 + 64 + 650);
    EXPECT_EQ(total.macs,
              3 * (2 * (64 * 192 * length + 2 * 64 * length * length) + 2 * 64 * 256 * length + 640));
    EXPECT_THAT(unknown_operators(graph), IsEmpty());
    EXPECT_EQ(graph.batch(), 3);
  }
  EXPECT_THAT(refusal([&] { build(network, {.batch = 1, .seq = 129}); }),
              HasSubstr("looks up entry 128 of a table of 128"));
}

// Weights among the inputs and in a file that is not there; bounds and sizes as attributes.
TEST(Onnx, ReadsOldFormat) {
  const Network network = read_onnx_network(model_path("old_format"));
  const Graph graph = build(network, {.batch = 4});
  std::vector<std::string> kinds;
  for (const auto& node : graph.nodes) kinds.push_back(type_name(node.op) + " " + to_string(node.output));
  EXPECT_THAT(kinds, ElementsAre("input 4x3x16x16", "conv 4x8x8x8", "relu6 4x8x8x8", "dropout 4x8x8x8",
                                 "reshape 4x512", "linear 4x10"));
  EXPECT_EQ(std::get<Conv>(graph.nodes[1].op).padding,
            (Padding{0, 1, 0, 1}));  // even map: the odd zero goes last
  EXPECT_EQ(cost(graph).total.parameters, 8 * 3 * 9 + 8 + 10 * 512);
}

TEST(Onnx, NamesUnknownOperators) {
  const Graph graph = build(read_onnx_network(model_path("unknown_operators")), {.batch = 2});
  EXPECT_THAT(unknown_operators(graph), ElementsAre("com.example.Swirl"));
  const OpCost total = cost(graph).total;
  EXPECT_EQ(total.parameters, 4 * 3 * 9 + 4 * 5 * 4);  // the weights of an unknown operator count
  for (const auto& node : graph.nodes) {
    if (node.name == "swirl") {
      EXPECT_EQ(node.output, (Shape{2, 4, 14, 14}));
    }
    if (node.name == "grow") {
      EXPECT_EQ(node.output, (Shape{2, 5, 28, 28}));  // ONNX's own rule: (14 - 1) 2 + 2
    }
  }
}

TEST(Onnx, RefusesWhatIsNoModel) {
  const auto parse = [](const std::string& bytes) {
    return refusal([&] { parse_onnx_network(bytes, "bad.onnx"); });
  };
  EXPECT_THAT(parse(""), HasSubstr("bad.onnx: error: the file is empty"));
  EXPECT_THAT(parse("layer,time\nconv,3\n"), HasSubstr("bad.onnx: error: "));
  EXPECT_THAT(parse(std::string(1000, '\0')), HasSubstr("bad.onnx: error: "));
  EXPECT_THAT(parse(std::string(1000, '\xff')), HasSubstr("this is not an ONNX model, or it is cut short"));
  EXPECT_THAT(refusal([] { read_onnx_network(model_path("none-such")); }), HasSubstr("cannot be read"));
  EXPECT_THAT(refusal([] { read_onnx_network(std::string(SEXTANT_SOURCE_DIR)); }), HasSubstr("is a folder"));
}

// Wherever the file ends, the answer is an error or, where only trailing extras are lost, a model.
TEST(Onnx, RefusesATruncatedFile) {
  const std::string whole = bytes_of("alexnet");
  ASSERT_GT(whole.size(), 1000U);
  EXPECT_THAT(refusal([&] { parse_onnx_network(whole, "a.onnx"); }), "accepted");
  for (std::size_t size = 0; size + 100 < whole.size(); size += 37) {
    EXPECT_THAT(refusal([&] { parse_onnx_network(whole.substr(0, size), "a.onnx"); }),
                HasSubstr("a.onnx: error: "))
        << "cut at " << size;
  }
}

}  // namespace
}  // namespace sextant::nets
