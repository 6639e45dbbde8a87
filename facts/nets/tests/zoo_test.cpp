// The contract of a network: what every entry of the zoo must fulfil, whoever adds it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>

#include "sextant/core/error.h"
#include "sextant/nets/cost.h"
#include "sextant/nets/network.h"

namespace sextant::nets {
namespace {

class Zoo : public testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] const Network& network() const { return zoo().get(GetParam()); }
  Graph graph(Binding binding = {}) const { return build(network(), binding); }
};
class ImageZoo : public Zoo {};
class DocumentedZoo : public Zoo {};

bool reads_images(const Network& network) {
  return network.input == InputKind::image;
}
bool is_documented(const Network& network) {
  return network.documented.has_value();
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

template <class Condition>
std::vector<std::string> ids(Condition wanted) {
  std::vector<std::string> some;
  for (const Network& network : zoo().all()) {
    if (wanted(network)) some.push_back(network.id);
  }
  return some;
}

// Kebab-case, perhaps below a family ("profet/resnet50"); a dot may stand in a size ("gpt3-6.7b").
bool is_id(std::string_view id) {
  char before = '-';
  for (const char c : id) {
    const bool word =
        std::islower(static_cast<unsigned char>(c)) != 0 || std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (!word && std::string_view("-/.").find(c) == std::string_view::npos) return false;
    if (!word && std::isalnum(static_cast<unsigned char>(before)) == 0) return false;
    before = c;
  }
  return std::isalnum(static_cast<unsigned char>(before)) != 0;
}

INSTANTIATE_TEST_SUITE_P(Contract, Zoo, testing::ValuesIn(ids([](const Network&) { return true; })),
                         test_name);
INSTANTIATE_TEST_SUITE_P(Contract, ImageZoo, testing::ValuesIn(ids(reads_images)), test_name);
INSTANTIATE_TEST_SUITE_P(Contract, DocumentedZoo, testing::ValuesIn(ids(is_documented)), test_name);

TEST_P(Zoo, SaysWhatItIs) {
  EXPECT_TRUE(is_id(network().id)) << network().id;
  EXPECT_FALSE(network().summary.empty());
  EXPECT_FALSE(network().reference.empty());
  EXPECT_EQ(network().summary.find('\n'), std::string::npos);
  for (const std::string& alias : network().aliases) EXPECT_EQ(zoo().find(alias), &network()) << alias;
}

TEST_P(DocumentedZoo, HasThesePublishedTotals) {
  const auto& documented = network().documented;
  EXPECT_FALSE(documented->source.empty());
  const OpCost total = cost(graph()).total;
  EXPECT_EQ(total.parameters, documented->parameters);
  if (documented->macs != 0) {
    EXPECT_EQ(total.macs, documented->macs);
  }
}

// Every node is read by somebody or is a result, and reads only what stands before it.
TEST_P(Zoo, HasNoLooseEnds) {
  const Graph g = graph();
  const auto n = static_cast<NodeId>(g.nodes.size());
  ASSERT_FALSE(g.outputs.empty());
  std::vector<bool> used(g.nodes.size(), false);
  for (const NodeId id : g.outputs) used.at(static_cast<std::size_t>(id)) = true;
  for (NodeId i = n - 1; i >= 0; --i) {
    const Node& node = g.nodes[static_cast<std::size_t>(i)];
    EXPECT_TRUE(used[static_cast<std::size_t>(i)]) << node.name;
    std::vector<NodeId> sources = node.inputs;
    if (node.weight_of) sources.push_back(*node.weight_of);
    for (const NodeId id : sources) {
      ASSERT_TRUE(id >= 0 && id < i) << node.name;
      used[static_cast<std::size_t>(id)] = true;
    }
  }
}

TEST_P(Zoo, HasShapesThatInferenceConfirms) {
  const Graph g = graph({.batch = 2});
  EXPECT_EQ(g.batch(), 2);
  EXPECT_TRUE(unknown_operators(g).empty());
  for (const Node& node : g.nodes)
    EXPECT_EQ(node.output, infer_shape(node.op, g.input_shapes(node))) << node.name;
}

TEST_P(Zoo, HasNodeNamesThatAreUnique) {
  std::vector<std::string> names;
  for (const Node& node : graph().nodes) names.push_back(node.name);
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  EXPECT_EQ(twice, names.end()) << *twice;
}

// The image, or each of its pixels: then the pixels stand between the two.
TEST_P(ImageZoo, Classifies) {
  const Graph g = graph({.batch = 3, .classes = 7});
  Shape output = g.nodes.at(static_cast<std::size_t>(g.outputs.back())).output;
  if (output.size() == 3 && output[1] > 1) output.erase(output.begin() + 1);
  EXPECT_EQ(output, (Shape{3, 7}));
}

TEST_P(Zoo, ScalesWithBatch) {
  const OpCost one = cost(graph({.batch = 1})).total;
  const OpCost five = cost(graph({.batch = 5})).total;
  EXPECT_EQ(five.macs, 5 * one.macs);
  EXPECT_EQ(five.parameters, one.parameters);
  EXPECT_EQ(five.statistics, one.statistics);
  EXPECT_NEAR(five.forward.value, 5 * one.forward.value, 1e-12 * five.forward.value);  // sums are beyond 2^53
  EXPECT_LT(five.forward_bytes, 5 * one.forward_bytes);  // weights are read once
}

TEST_P(Zoo, GrowsWithTheInput) {
  const Defaults& d = network().defaults;
  const Binding small = reads_images(network()) ? Binding{.image = d.image} : Binding{.seq = d.seq / 2};
  const Binding large = reads_images(network()) ? Binding{.image = d.image + 37} : Binding{.seq = d.seq};
  const OpCost less = cost(graph(small)).total;
  const OpCost more = cost(graph(large)).total;
  EXPECT_GT(more.macs, less.macs);
  EXPECT_GT(more.saved, less.saved);
}

TEST_P(ImageZoo, StatesItsSmallestImage) {
  const std::int64_t smallest = network().defaults.smallest_image;
  EXPECT_NO_THROW(graph({.image = smallest}));
  EXPECT_THROW(graph({.image = smallest - 1}), InputError);
}

TEST_P(Zoo, CostsAboutTwiceInBackward) {
  const GraphCost c = cost(graph({.batch = 8}));
  const double ratio = c.total.backward / c.total.forward;
  EXPECT_GT(ratio, 1);  // far below 2 where the first layer or the normalisation is a large part
  // Fused attention makes its scores again: five products for two, and they can be a fifth of the work.
  EXPECT_LT(ratio, network().decoder ? 2.2 : 2.1);
  EXPECT_GT(c.total.saved, Bytes{});
  EXPECT_LE(c.live_peak, c.total.output);
}

// Names as torchvision, Keras, timm, Hugging Face and papers write them.
TEST(ZooRegistry, KnowsWhatPeopleType) {
  const std::map<std::string, std::string> typed = {{"vit_b_16", "vit-b-16"},
                                                    {"ViT-B/16", "vit-b-16"},
                                                    {"vit_base_patch16_224", "vit-b-16"},
                                                    {"google/vit-large-patch16-224", "vit-l-16"},
                                                    {"efficientnet_b0", "efficientnet-b0"},
                                                    {"EfficientNetB7", "efficientnet-b7"},
                                                    {"convnext_large", "convnext-large"},
                                                    {"swin_t", "swin-t"},
                                                    {"swin_base_patch4_window7_224", "swin-b"},
                                                    {"U-Net", "unet"},
                                                    {"google-t5/t5-small", "t5-small"},
                                                    {"llama-2-7b", "llama-2-7b"},
                                                    {"Llama2-70B", "llama-2-70b"},
                                                    {"meta-llama/Llama-2-13b-hf", "llama-2-13b"},
                                                    {"meta-llama/Meta-Llama-3-8B", "llama-3-8b"},
                                                    {"TinyLlama", "tinyllama-1.1b"},
                                                    {"mistralai/Mistral-7B-v0.1", "mistral-7b"}};
  for (const auto& [name, id] : typed) EXPECT_EQ(zoo().get(name).id, id) << name;
}

TEST(ZooRegistry, FoldsTorchvisionSpelling) {
  EXPECT_EQ(zoo().get("wide_resnet50_2").id, "wide-resnet50-2");
  EXPECT_EQ(zoo().get("squeezenet1_0").id, "squeezenet1-0");
  EXPECT_EQ(zoo().get("ShuffleNet_V2_x1_0").id, "shufflenet-v2-x1-0");
}

std::string complaint(const std::string& name, const Binding& binding) {
  try {
    build(zoo().get(name, at_field("net")), binding);
    return "accepted";
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(ZooRegistry, RefusesWithAHint) {
  EXPECT_EQ(complaint("resnet5O", {}),
            "`net`: error: unknown network 'resnet5O'\n  hint: did you mean 'resnet50'?");
  EXPECT_EQ(complaint("vgg16", {.image = 31}),
            "`image`: error: 31 pixels are too few for network 'vgg16'\n  hint: at least 32");
  EXPECT_EQ(complaint("vgg16", {.seq = 128}), "`seq`: error: network 'vgg16' reads images, not tokens");
  EXPECT_EQ(complaint("vgg16", {.batch = 0}),
            "`batch`: error: 0 is out of range\n  hint: from 1 to 1073741824");
  EXPECT_EQ(complaint("vgg16", {.classes = -1}),
            "`classes`: error: -1 is out of range\n  hint: from 1 to 1073741824");
}

}  // namespace
}  // namespace sextant::nets
