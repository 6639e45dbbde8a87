// Small versions of networks that people train, as PyTorch's exporter writes them: scripts/export_networks.py
// with
// --small --shapes has made the files, and counted the parameters.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "sextant/nets/cost.h"
#include "sextant/nets/onnx.h"

namespace sextant::nets {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string exports_folder() {
  return std::string(SEXTANT_SOURCE_DIR) + "/facts/nets/tests/onnx/exports/";
}

std::map<std::string, std::int64_t> exported() {
  std::map<std::string, std::int64_t> parameters;
  std::ifstream file(exports_folder() + "parameters.txt");
  std::string name;
  for (std::int64_t count = 0; file >> name >> count;) parameters[name] = count;
  return parameters;
}

Graph read(const std::string& name, std::int64_t batch) {
  return build(read_onnx_network(exports_folder() + name + ".onnx"), {.batch = batch});
}

std::map<std::string, int> kinds(const Graph& graph) {
  std::map<std::string, int> counts;
  for (const Node& node : graph.nodes) ++counts[type_name(node.op)];
  return counts;
}

TEST(OnnxExports, NothingIsUnknownAndParametersAreTorchs) {
  const auto networks = exported();
  ASSERT_GE(networks.size(), 9U);
  for (const auto& [name, parameters] : networks) {
    SCOPED_TRACE(name);
    const Graph graph = read(name, 3);
    EXPECT_THAT(unknown_operators(graph), ElementsAre());
    EXPECT_EQ(cost(graph).total.parameters, parameters);
    EXPECT_EQ(graph.batch(), 3);
    EXPECT_THAT(warnings(graph), ElementsAre(HasSubstr("inputs of the graph are counted as weights")));
  }
}

// What is counted for one sample is counted for each: no batch of the exporter's is left in a graph.
TEST(OnnxExports, WorkGrowsWithTheBatch) {
  for (const auto& [name, parameters] : exported()) {
    SCOPED_TRACE(name);
    const GraphCost one = cost(read(name, 1));
    const GraphCost four = cost(read(name, 4));
    EXPECT_EQ(four.total.macs, 4 * one.total.macs);
    EXPECT_GT(one.total.macs, 0);
  }
}

TEST(OnnxExports, LayersAreReadAsTheLayersTheyAre) {
  const auto llama = kinds(read("llama", 2));
  EXPECT_EQ(llama.at("rms-norm"), 5);  // two in each of two blocks, and the last
  EXPECT_EQ(llama.at("silu"), 2);
  EXPECT_EQ(llama.at("softmax"), 2);
  EXPECT_EQ(llama.at("expand"), 4);  // keys and values, shared by the heads of a group
  EXPECT_FALSE(llama.contains("sqrt"));
  EXPECT_FALSE(llama.contains("cos")) << "angles do not depend on the batch: a constant";
  const auto vit = kinds(read("vit", 2));
  EXPECT_EQ(vit.at("layer-norm"), 5);
  EXPECT_EQ(vit.at("gelu"), 2);
  const auto swin = kinds(read("swin", 2));
  EXPECT_EQ(swin.at("gather"), 2) << "the bias table of each block";
  EXPECT_FALSE(swin.contains("erf"));
  const auto lstm = kinds(read("lstm", 2));
  EXPECT_EQ(lstm.at("lstm"), 2);
  EXPECT_FALSE(lstm.contains("parameter")) << "parts of its weights are no layers";
  EXPECT_EQ(kinds(read("unet", 2)).at("conv-transpose"), 2);
  EXPECT_EQ(kinds(read("unet", 2)).at("resize"), 1);
  EXPECT_EQ(kinds(read("r3d_18", 2)).at("conv"), 20);
}

TEST(OnnxExports, ACausalMaskIsAConstantWithItsValues) {
  for (const Node& node : read("llama", 1).nodes) {
    const auto* constant = std::get_if<Constant>(&node.op);
    if (constant == nullptr || constant->shape != Shape{12, 12}) continue;
    ASSERT_EQ(constant->values.size(), 144U);
    EXPECT_EQ(constant->values[12], 0) << "the second position sees the first";
    EXPECT_LT(constant->values[1], -1e30) << "the first does not see the second";
    return;
  }
  FAIL() << "no mask of 12 positions";
}

}  // namespace
}  // namespace sextant::nets
