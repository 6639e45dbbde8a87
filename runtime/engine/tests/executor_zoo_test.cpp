// Every network that people can name runs: shapes as inferred, a loss that is a number.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "sextant/core/error.h"
#include "sextant/engine/executor.h"
#include "sextant/nets/builder.h"
#include "sextant/nets/cost.h"
#include "sextant/nets/network.h"

namespace sextant::engine {
namespace {

// Drawing more than these takes longer than running them: of larger networks the smallest of each paper is
// run.
constexpr std::int64_t kCheapParameters = 70'000'000;
constexpr std::int64_t kMostParameters = 200'000'000;  // 0.8 GB, and as much for gradients

// Batch norm needs two values in the smallest map.
nets::Graph smallest(const nets::Network& network) {
  nets::Binding binding{.batch = 2};
  if (network.input == nets::InputKind::tokens) {
    binding.seq = std::min<std::int64_t>(8, network.defaults.seq);
  } else {
    binding.image = std::max<std::int64_t>(network.defaults.smallest_image, 1);
  }
  return build(network, binding);
}

TEST(ExecutorZoo, EveryNetworkRunsForward) {
  struct Candidate {
    const nets::Network* network;
    nets::Graph graph;
    std::int64_t parameters;
  };
  std::vector<Candidate> all;
  for (const nets::Network& network : nets::zoo().all()) {
    nets::Graph graph = smallest(network);
    const auto parameters = cost(graph).total.parameters;
    all.push_back({&network, std::move(graph), parameters});
  }
  std::ranges::sort(all, {}, &Candidate::parameters);
  std::set<std::string> papers;
  int run = 0;
  for (const Candidate& c : all) {
    SCOPED_TRACE(c.network->id);
    const bool first = papers.insert(c.network->reference).second;
    if (c.parameters > kMostParameters || (c.parameters > kCheapParameters && !first)) continue;
    ++run;
    const auto replica = make_replica(c.graph, {});
    EXPECT_EQ(static_cast<std::int64_t>(replica->parameters().size()), c.parameters);
    EXPECT_TRUE(std::isfinite(replica->forward({})));
  }
  EXPECT_GE(run, 55);  // most language models are larger
}

// Every weight takes part: none has a gradient of zeros.
TEST(ExecutorZoo, NetworksOfTodayTrain) {
  const std::map<std::string, nets::Binding> cases = {
      {"vit-b-32", {.batch = 2, .image = 64}},      {"efficientnet-b0", {.batch = 2, .image = 64}},
      {"convnext-tiny", {.batch = 2, .image = 64}}, {"swin-t", {.batch = 2, .image = 64}},
      {"t5-small", {.batch = 2, .seq = 8}},         {"unet", {.batch = 1, .image = 188}}};
  for (const auto& [name, binding] : cases) {
    SCOPED_TRACE(name);
    const auto replica = make_replica(build(nets::zoo().get(name), binding), {});
    EXPECT_TRUE(std::isfinite(replica->forward({})));
    replica->backward([](std::size_t) {});
    for (const measure::TensorPart& part : replica->tensors()) {
      const auto values = replica->gradients().subspan(static_cast<std::size_t>(part.offset),
                                                       static_cast<std::size_t>(part.count));
      EXPECT_TRUE(std::ranges::all_of(values, [](float x) { return std::isfinite(x); })) << part.name;
      EXPECT_TRUE(std::ranges::any_of(values, [](float x) { return x != 0; })) << part.name;
    }
  }
}

// Exports of transformers, decoders, recurrent and video networks train: every weight gets a gradient.
TEST(ExecutorZoo, ExportsTrain) {
  const auto folder = std::filesystem::path(SEXTANT_SOURCE_DIR) / "facts/nets/tests/onnx/exports";
  int run = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".onnx") continue;
    SCOPED_TRACE(entry.path().stem());
    const nets::Graph graph = build(nets::find_network(entry.path().string()), {.batch = 2});
    const auto replica = make_replica(graph, {});
    EXPECT_TRUE(std::isfinite(replica->forward({})));
    std::size_t handed = 0;
    replica->backward([&](std::size_t) { ++handed; });
    EXPECT_EQ(handed, replica->tensors().size());
    ++run;
  }
  EXPECT_GE(run, 9);
}

// Small configurations of every family of transformers: attention with windows, stretches and picked keys,
// latent attention, experts, states of fixed size.
TEST(ExecutorZoo, FamiliesOfTransformersTrain) {
  const auto folder = std::filesystem::path(SEXTANT_SOURCE_DIR) / "facts/nets/fuzz/corpus/decoder_config";
  int run = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    SCOPED_TRACE(entry.path().stem());
    const nets::Network network = nets::find_network(entry.path().string());
    nets::Binding binding{.batch = 2};
    if (network.input == nets::InputKind::tokens) binding.seq = 40;
    const auto replica = make_replica(build(network, binding), {});
    EXPECT_TRUE(std::isfinite(replica->forward({})));
    std::size_t handed = 0;
    replica->backward([&](std::size_t) { ++handed; });
    EXPECT_EQ(handed, replica->tensors().size());
    EXPECT_TRUE(
        std::ranges::all_of(replica->gradients(), [](float gradient) { return std::isfinite(gradient); }));
    ++run;
  }
  EXPECT_GE(run, 30);
}

TEST(ExecutorZoo, OnnxFilesRunOrSayWhichOperatorIsUnknown) {
  const auto folder = std::filesystem::path(SEXTANT_SOURCE_DIR) / "facts/nets/tests/onnx";
  int run = 0;
  for (const char* name : {"mobilenet_v2", "resnet18", "shufflenet_v2_x1_0", "tiny_encoder"}) {
    SCOPED_TRACE(name);
    const nets::Graph graph = build(nets::find_network((folder / name).string() + ".onnx"), {.batch = 2});
    const auto replica = make_replica(graph, {});
    EXPECT_TRUE(std::isfinite(replica->forward({})));
    replica->backward([](std::size_t) {});
    ++run;
  }
  EXPECT_EQ(run, 4);
  const nets::Graph unknown =
      build(nets::find_network((folder / "unknown_operators.onnx").string()), {.batch = 2});
  EXPECT_THROW(make_replica(unknown, {}), InputError);
}

TEST(OperatorProfile, CoversEveryOperatorOnce) {
  const nets::Graph graph = build(nets::zoo().get("resnet18"), {.batch = 2, .image = 64});
  const auto timings = profile_operators(graph, {.engine = {}, .warmup = 1, .repetitions = 3});
  ASSERT_EQ(timings.size(), graph.nodes.size() - 1);  // all but the input
  const nets::GraphCost costs = cost(graph);
  for (std::size_t i = 0; i < timings.size(); ++i) {
    SCOPED_TRACE(timings[i].name);
    EXPECT_EQ(timings[i].node, static_cast<std::int64_t>(i) + 1);
    EXPECT_GT(timings[i].forward_s, 0);
    EXPECT_GT(timings[i].backward_s, 0);
    EXPECT_EQ(timings[i].flop, costs.ops[i + 1].forward.value);
    EXPECT_EQ(timings[i].bytes, costs.ops[i + 1].forward_bytes.value);
  }
}

TEST(OperatorProfile, WhatNothingTrainableComesBeforeHasNoBackward) {
  nets::GraphBuilder g("padded");
  const nets::Tensor x = g.relu(g.add(nets::ZeroPad{nets::pad_all(1)}, {g.image(2, 3, 8, 8)}));
  const nets::Graph graph = g.finish(g.linear(g.flatten(g.conv(x, 4, nets::square(3))), 5));
  const auto timings = profile_operators(graph, {});
  ASSERT_EQ(timings.size(), 5U);
  EXPECT_EQ(timings[0].backward_s, 0);  // padding
  EXPECT_EQ(timings[1].backward_s, 0);  // relu
  EXPECT_GT(timings[2].backward_s, 0);  // conv: its weights
  const auto forward = profile_operators(graph, {.engine = {}, .backward = false});
  for (const measure::OperatorTiming& timing : forward) EXPECT_EQ(timing.backward_s, 0);
}

}  // namespace
}  // namespace sextant::engine
