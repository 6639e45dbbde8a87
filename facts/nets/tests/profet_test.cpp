// PROFET's fifteen networks against their layer tables: totals at every image size, then layer by layer.
// The tables and totals are data outside the repository; small cases are derived by hand here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "sextant/core/csv.h"
#include "sextant/core/json.h"
#include "sextant/nets/cost.h"
#include "sextant/nets/network.h"
#include "sextant/nets/parameters.h"
#include "shared_data.h"

namespace sextant::nets {
namespace {

using ::testing::ElementsAre;

const std::vector<std::string> kNames = {
    "AlexNet",  "CIFAR10_CNN", "InceptionResNetV2", "InceptionV3", "LeNet5", "MNIST_CNN", "MobileNetV2",
    "ResNet18", "ResNet34",    "ResNet50",          "ResNetSmall", "VGG11",  "VGG13",     "VGG16",
    "VGG19"};

// The class count that goes with an image size in the timing data.
std::int64_t classes_at(std::int64_t pixels) {
  return pixels <= 32 ? 10 : pixels <= 128 ? 100 : 1000;
}

Graph profet_graph(const std::string& name, std::int64_t pixels) {
  return build(find_network("profet/" + name), {.image = pixels, .classes = classes_at(pixels)});
}

// One layer in Keras's terms: batch dropped, global pooling and its flatten taken as one.
struct Layer {
  std::string type;
  std::vector<int> inputs;
  Shape shape;  // channels, height, width; or units
  OpCost cost;
  const Node* node = nullptr;
};

std::string keras_type(const Op& op) {
  static const std::map<std::string, std::string> renamed = {{"grouped-conv", "depthwise_conv"},
                                                             {"linear", "dense"},
                                                             {"batch-norm", "batchnorm"},
                                                             {"max-pool", "maxpool"},
                                                             {"avg-pool", "avgpool"},
                                                             {"adaptive-avg-pool", "global_avgpool"},
                                                             {"zero-pad", "zero_pad"}};
  const std::string ours = type_name(op);
  const auto it = renamed.find(ours);
  return it == renamed.end() ? ours : it->second;
}

std::vector<Layer> keras_layers(const Graph& graph) {
  const GraphCost costs = cost(graph);
  std::vector<Layer> layers;
  std::vector<int> position(graph.nodes.size());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    const Shape shape(node.output.begin() + 1, node.output.end());
    const bool ends_pooling =
        std::holds_alternative<Flatten>(node.op) && layers.back().type == "global_avgpool";
    if (ends_pooling) {
      layers.back().shape = shape;
    } else {
      layers.push_back({keras_type(node.op), {}, shape, costs.ops[i], &node});
      for (const NodeId id : node.inputs)
        layers.back().inputs.push_back(position[static_cast<std::size_t>(id)]);
    }
    position[i] = static_cast<int>(layers.size()) - 1;
  }
  return layers;
}

std::int64_t sum_macs(const std::vector<Layer>& layers, const std::string& type) {
  std::int64_t macs = 0;
  for (const Layer& layer : layers) macs += layer.type == type ? layer.cost.macs : 0;
  return macs;
}

std::int64_t sum_elements(const std::vector<Layer>& layers, bool only_with_macs) {
  std::int64_t elements = 0;
  for (const Layer& layer : layers) {
    const bool counts =
        only_with_macs ? layer.cost.macs > 0 : layer.type != "input" && layer.type != "flatten";
    if (counts) elements += element_count(layer.shape);
  }
  return elements;
}

// Height x width x channels of the last map that is not a pooled one.
std::string final_map(const std::vector<Layer>& layers) {
  const auto last = std::find_if(layers.rbegin(), layers.rend(),
                                 [](const Layer& l) { return l.shape.size() == 3 && l.type != "avgpool"; });
  return to_string({last->shape[1], last->shape[2], last->shape[0]});
}

TEST(ProfetNetworks, HaveTheNamesOfTheTimingData) {
  for (const auto& name : kNames) EXPECT_NE(zoo().find("profet/" + name), nullptr) << name;
  EXPECT_EQ(find_network("profet/MNIST_CNN").id, "profet/mnist-cnn");
  EXPECT_EQ(find_network("profet/ResNet50").id, "profet/resnet50");
}

// 3x32x32: 5x5 convolutions to 6x28x28 and, after pooling to 14, to 16x10x10; pooled to 16x5x5 = 400.
TEST(ProfetNetworks, LeNetByHand) {
  const GraphCost c = cost(build(find_network("profet/lenet5"), {.image = 32, .classes = 10}));
  const std::int64_t dense = 400 * 120 + 120 * 84 + 84 * 10;
  EXPECT_EQ(c.total.parameters, (3 * 25 * 6 + 6) + (6 * 25 * 16 + 16) + dense + 120 + 84 + 10);
  EXPECT_EQ(c.total.macs, 75 * 6 * 28 * 28 + 150 * 16 * 10 * 10 + dense);
}

// 34 pixels: the stem gives 17, an odd map, so the first halving pads 1 on each side: 19, then 9.
TEST(ProfetNetworks, MobileNetPadsOddMapsOnBothSides) {
  const Graph graph = profet_graph("MobileNetV2", 34);
  const auto first =
      std::ranges::find_if(graph.nodes, [](const Node& n) { return type_name(n.op) == "zero-pad"; });
  EXPECT_THAT(first->output, ElementsAre(1, 96, 19, 19));
  EXPECT_THAT((first + 1)->output, ElementsAre(1, 96, 9, 9));
}

TEST(ProfetNetworks, RefuseImagesThatAreTooSmall) {
  EXPECT_THROW(profet_graph("InceptionV3", 64), InputError);
  EXPECT_NO_THROW(profet_graph("InceptionV3", 75));
  EXPECT_THROW(profet_graph("LeNet5", 15), InputError);
  EXPECT_NO_THROW(profet_graph("LeNet5", 16));
}

TEST(ProfetTotals, AgreeWithTheTable) {
  SEXTANT_NEEDS_DATA(path, "nets/expected.csv");
  const CsvTable table = CsvTable::read_file(path);
  ASSERT_GT(table.rows(), 60U);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto want = [&](const char* column) { return table.integer(row, table.column(column)); };
    const std::string name = table.text(row, table.column("model"));
    SCOPED_TRACE(name + " at " + std::to_string(want("image_px")));
    const Graph graph =
        build(find_network("profet/" + name), {.image = want("image_px"), .classes = want("classes")});
    const OpCost total = cost(graph).total;
    const std::vector<Layer> layers = keras_layers(graph);
    EXPECT_EQ(total.parameters + total.statistics, want("params_total"));
    EXPECT_EQ(total.parameters, want("params_trainable"));
    EXPECT_EQ(total.statistics, want("params_bn_stats"));
    EXPECT_EQ(total.macs, want("macs_fwd"));
    EXPECT_EQ(sum_macs(layers, "conv"), want("macs_conv"));
    EXPECT_EQ(sum_macs(layers, "depthwise_conv"), want("macs_depthwise"));
    EXPECT_EQ(sum_macs(layers, "dense"), want("macs_dense"));
    EXPECT_EQ(sum_elements(layers, false), want("act_elems"));
    EXPECT_EQ(sum_elements(layers, true), want("act_elems_mac_layers"));
    EXPECT_EQ(static_cast<std::int64_t>(layers.size()), want("layers"));
    EXPECT_EQ(final_map(layers), table.text(row, table.column("final_map")));
  }
}

// --- layer by layer ---

std::int64_t window_count(std::int64_t in, std::int64_t window, std::int64_t stride, bool same) {
  return same ? (in + stride - 1) / stride : (in - window) / stride + 1;
}

Extent extent_of(const Json& pair) {
  return {pair.at(0).get<std::int64_t>(), pair.at(1).get<std::int64_t>()};
}

Shape windowed(const Json& layer, const Shape& in, std::int64_t channels) {
  const Extent kernel = extent_of(layer.at("k"));
  const Extent stride = extent_of(layer.at("s"));
  const bool same = layer.at("p") == "same";
  return {channels, window_count(in[1], kernel.height == 0 ? in[1] : kernel.height, stride.height, same),
          window_count(in[2], kernel.width == 0 ? in[2] : kernel.width, stride.width, same)};
}

// Output shape by the rules of the layer tables, independent of the library's inference.
Shape expected_shape(const Json& layer, const std::vector<Shape>& in, std::int64_t pixels,
                     std::int64_t classes) {
  const auto type = layer.at("t").get<std::string>();
  if (type == "input") return {layer.at("c").get<std::int64_t>(), pixels, pixels};
  if (type == "conv") return windowed(layer, in[0], layer.at("f").get<std::int64_t>());
  if (type == "depthwise_conv" || type == "maxpool" || type == "avgpool")
    return windowed(layer, in[0], in[0][0]);
  if (type == "global_avgpool") return {in[0][0]};
  if (type == "flatten") return {element_count(in[0])};
  if (type == "dense") return {layer.at("u") == 0 ? classes : layer.at("u").get<std::int64_t>()};
  Shape out = in[0];
  if (type == "zero_pad") {
    const auto z = layer.at("z").get<std::vector<std::int64_t>>();
    out[1] += z[0] + z[1];
    out[2] += z[2] + z[3];
  }
  if (type == "concat") {
    for (std::size_t i = 1; i < in.size(); ++i) out[0] += in[i][0];
  }
  return out;
}

struct Weights {
  std::int64_t trainable = 0;
  std::int64_t statistics = 0;
};

Weights expected_weights(const Json& layer, const Shape& in, const Shape& out) {
  const auto type = layer.at("t").get<std::string>();
  if (type == "batchnorm") return {in[0] * (1 + layer.at("g").get<std::int64_t>()), 2 * in[0]};
  if (type != "conv" && type != "depthwise_conv" && type != "dense") return {};
  const std::int64_t bias = layer.at("b") == 1 ? out[0] : 0;
  if (type == "dense") return {in[0] * out[0] + bias, 0};
  const Extent kernel = extent_of(layer.at("k"));
  return {kernel.height * kernel.width * (type == "conv" ? in[0] : 1) * out[0] + bias, 0};
}

std::optional<std::string> activation_of(const Op& op) {
  std::optional<Function> function;
  if (const auto* conv = std::get_if<Conv>(&op)) function = conv->activation;
  if (const auto* linear = std::get_if<Linear>(&op)) function = linear->activation;
  return function ? std::optional(to_string(*function)) : std::nullopt;
}

// Attributes that the shapes do not show.
void expect_attributes(const Json& want, const Op& op) {
  const auto wanted_activation =
      want.contains("a") ? std::optional(want.at("a").get<std::string>()) : std::nullopt;
  EXPECT_EQ(activation_of(op), wanted_activation);
  if (const auto* conv = std::get_if<Conv>(&op)) {
    EXPECT_EQ(conv->kernel, extent_of(want.at("k")));
    EXPECT_EQ(conv->stride, extent_of(want.at("s")));
    if (want.at("p") == "valid") {
      EXPECT_EQ(conv->padding, Padding{});
    }
  }
  if (const auto* pool = std::get_if<Pool>(&op)) {
    if (want.at("k").at(0) != 0) {
      EXPECT_EQ(pool->kernel, extent_of(want.at("k")));
    }
    EXPECT_EQ(pool->stride, extent_of(want.at("s")));
  }
  if (const auto* dropout = std::get_if<Dropout>(&op)) {
    EXPECT_EQ(dropout->rate, want.at("r").get<double>());
  }
  if (const auto* scale = std::get_if<Scale>(&op)) {
    EXPECT_EQ(scale->factor, want.at("m").get<double>());
  }
}

void compare_layers(const Json& net, std::int64_t pixels) {
  const auto name = net.at("name").get<std::string>();
  const Graph graph = profet_graph(name, pixels);
  const std::vector<Layer> ours = keras_layers(graph);
  const Json& theirs = net.at("layers");
  ASSERT_EQ(ours.size(), theirs.size()) << name;
  std::vector<Shape> shapes;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const Json& want = theirs[i];
    SCOPED_TRACE(name + " at " + std::to_string(pixels) + ", layer " + want.dump());
    ASSERT_EQ(ours[i].type, want.at("t").get<std::string>());
    ASSERT_EQ(ours[i].inputs, want.value("in", std::vector<int>{}));
    std::vector<Shape> inputs;
    for (const int id : ours[i].inputs) inputs.push_back(shapes[static_cast<std::size_t>(id)]);
    shapes.push_back(expected_shape(want, inputs, pixels, classes_at(pixels)));
    EXPECT_EQ(ours[i].shape, shapes.back());
    const Weights weights = inputs.empty() ? Weights{} : expected_weights(want, inputs[0], shapes.back());
    EXPECT_EQ(ours[i].cost.parameters, weights.trainable);
    EXPECT_EQ(ours[i].cost.statistics, weights.statistics);
    expect_attributes(want, ours[i].node->op);
  }
}

TEST(ProfetLayers, AgreeWithTheTables) {
  for (const auto& name : kNames) {
    SEXTANT_NEEDS_DATA(path, "nets/" + name + ".json");
    const Json net = read_json_file(path);
    compare_layers(net, net.at("px").front().get<std::int64_t>());
    compare_layers(net, net.at("px").back().get<std::int64_t>());
    EXPECT_EQ(find_network("profet/" + name).defaults.smallest_image, net.at("min_px").get<std::int64_t>())
        << name;
  }
}

// --- the second account of the same networks, made by another tracer ---

bool has_batch_norm(const std::vector<Layer>& layers) {
  return std::ranges::any_of(layers, [](const Layer& l) { return l.type == "batchnorm"; });
}

// Its parameters are the published networks': where PROFET's own differ in biases and batch norm, no match.
TEST(ProfetTotals, AgreeWithTheTracedTotals) {
  SEXTANT_NEEDS_DATA(path, "cnn-training-times/model_flops.csv");
  const CsvTable table = CsvTable::read_file(path);
  int rows = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.text(row, 0) != "profet") continue;
    const auto want = [&](const char* column) { return table.integer(row, table.column(column)); };
    const std::string name = table.text(row, table.column("model"));
    SCOPED_TRACE(name + " at " + std::to_string(want("image_size")));
    const Graph graph = profet_graph(name, want("image_size"));
    const OpCost total = cost(graph).total;
    const std::vector<Layer> layers = keras_layers(graph);
    EXPECT_EQ(total.macs, want("forward_macs_per_image"));
    EXPECT_EQ(sum_elements(layers, true), want("activation_elems_per_image"));
    EXPECT_EQ(std::ranges::count_if(layers, [](const Layer& l) { return l.cost.macs > 0; }),
              want("conv_fc_layers"));
    if (!has_batch_norm(layers) || name == "MobileNetV2") {
      EXPECT_EQ(total.parameters, want("params"));
    }
    ++rows;
  }
  EXPECT_GT(rows, 60);
}

// Channels in and out, window, stride, groups, extents out; a dense layer is a 1x1 convolution of one pixel.
using MacLayer = std::vector<std::int64_t>;

MacLayer mac_layer(const Graph& graph, const Node& node) {
  const Shape in = graph.input_shapes(node).at(0);
  if (std::holds_alternative<Linear>(node.op)) return {in[1], node.output[1], 1, 1, 1, 1, 1, 1};
  const auto& c = std::get<Conv>(node.op);
  return {in[1],           c.out_channels, c.kernel.height, c.kernel.width,
          c.stride.height, c.groups,       node.output[2],  node.output[3]};
}

TEST(ProfetLayers, AgreeWithTheTracedLayers) {
  SEXTANT_NEEDS_DATA(path, "cnn-training-times/model_layers.csv");
  const CsvTable table = CsvTable::read_file(path);
  std::map<std::pair<std::string, std::int64_t>, std::vector<MacLayer>> theirs;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.text(row, 0) != "profet") continue;
    MacLayer layer;
    for (const char* column : {"c_in", "c_out", "k_h", "k_w", "stride", "groups", "h_out", "w_out"}) {
      layer.push_back(table.integer(row, table.column(column)));
    }
    theirs[{table.text(row, 1), table.integer(row, 2)}].push_back(layer);
  }
  EXPECT_GE(theirs.size(), kNames.size());
  for (auto& [key, want] : theirs) {
    const Graph graph = profet_graph(key.first, key.second);
    std::vector<MacLayer> ours;
    for (const Node& node : graph.nodes) {
      const bool counts = std::holds_alternative<Conv>(node.op) || std::holds_alternative<Linear>(node.op);
      if (counts) ours.push_back(mac_layer(graph, node));
    }
    std::ranges::sort(ours);
    std::ranges::sort(want);
    EXPECT_EQ(ours, want) << key.first << " at " << key.second;
  }
}

}  // namespace
}  // namespace sextant::nets
