// What strategies rely on: order and thread of `ready`, same bits for the same seed, errors that point.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "executor_cases.h"
#include "sextant/core/error.h"
#include "sextant/core/rng.h"
#include "sextant/nets/network.h"
#include "weight_layout.h"

namespace sextant::engine {
namespace {

using testing::Each;
using testing::HasSubstr;

void nothing(std::size_t) {}

nets::Graph lenet(std::int64_t batch = 4) {
  return build(nets::zoo().get("lenet5"), {.batch = batch});
}

std::vector<float> copy(std::span<const float> values) {
  return {values.begin(), values.end()};
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Executor, TensorsLieOneBehindTheOtherLastLayerFirst) {
  const auto replica = make_replica(lenet(), {});
  std::int64_t end = 0;
  for (const measure::TensorPart& tensor : replica->tensors()) {
    EXPECT_EQ(tensor.offset, end) << tensor.name;
    end += tensor.count;
  }
  EXPECT_EQ(static_cast<std::size_t>(end), replica->parameters().size());
  EXPECT_EQ(replica->gradients().size(), replica->parameters().size());
  EXPECT_EQ(replica->tensors().front().name, "linear_12.bias");
  EXPECT_EQ(replica->tensors().back().name, "conv_1.weight");
}

TEST(Executor, EveryGradientIsReportedOnceLastLayersFirst) {
  for (const char* name : {"lenet5", "resnet18", "transformer"}) {
    const nets::Graph graph = network_graph(name);
    const auto replica = make_replica(graph, {});
    const WeightLayout layout = weight_layout(graph);
    std::vector<nets::NodeId> nodes;
    std::vector<int> calls(replica->tensors().size(), 0);
    const input::Batch batch = batch_for(graph);
    replica->forward(batch);
    replica->backward([&](std::size_t i) {
      ++calls.at(i);
      nodes.push_back(layout.parameters.at(i).node);
    });
    EXPECT_THAT(calls, Each(1)) << name;
    EXPECT_TRUE(std::ranges::is_sorted(nodes, std::greater<>{})) << name;
  }
}

TEST(Executor, ReadyIsCalledOnTheThreadThatAsksAndTheGradientIsFinal) {
  const nets::Graph graph = lenet();
  const auto replica = make_replica(graph, {});
  const input::Batch batch = batch_for(graph);
  std::thread([&] {
    const auto self = std::this_thread::get_id();
    std::vector<float> seen(replica->gradients().size(), -1);
    replica->forward(batch);
    replica->backward([&](std::size_t i) {
      EXPECT_EQ(std::this_thread::get_id(), self);
      const measure::TensorPart& part = replica->tensors().at(i);
      std::copy_n(replica->gradients().begin() + part.offset, part.count, seen.begin() + part.offset);
    });
    EXPECT_EQ(seen, copy(replica->gradients()));
  }).join();
}

TEST(Executor, BackwardOverwritesGradients) {
  const nets::Graph graph = lenet();
  const auto replica = make_replica(graph, {});
  const input::Batch batch = batch_for(graph);
  replica->forward(batch);
  replica->backward(nothing);
  const auto first = copy(replica->gradients());
  std::ranges::fill(replica->gradients(), 7.0F);
  replica->forward(batch);
  replica->backward(nothing);
  EXPECT_EQ(copy(replica->gradients()), first);
  EXPECT_THROW(replica->backward(nothing), std::logic_error);
}

TEST(Executor, TensorsThatTheLossDoesNotSeeGetZerosAndAreReportedLast) {
  nets::GraphBuilder g("unused");
  const nets::Tensor x = g.image(2, 1, 4, 4);
  g.conv(x, 3, nets::square(3));
  const nets::Graph graph = g.finish(g.linear(g.flatten(x), 5));
  const auto replica = make_replica(graph, {});
  std::ranges::fill(replica->gradients(), 7.0F);
  std::vector<std::string> order;
  const input::Batch batch = batch_for(graph);
  replica->forward(batch);
  replica->backward([&](std::size_t i) { order.push_back(replica->tensors().at(i).name); });
  ASSERT_EQ(order.size(), 4U);
  EXPECT_THAT(order[2], HasSubstr("conv"));
  EXPECT_THAT(order[3], HasSubstr("conv"));
  for (const measure::TensorPart& part : replica->tensors()) {
    if (part.name.find("conv") == std::string::npos) continue;
    EXPECT_THAT(copy(replica->gradients().subspan(static_cast<std::size_t>(part.offset),
                                                  static_cast<std::size_t>(part.count))),
                Each(0.0F));
  }
}

TEST(Executor, ErrorsOfReadyReachTheCaller) {
  const nets::Graph graph = lenet();
  const auto replica = make_replica(graph, {});
  const input::Batch batch = batch_for(graph);
  replica->forward(batch);
  EXPECT_THROW(replica->backward([](std::size_t) { throw SystemError("rank 1 is gone"); }), SystemError);
  replica->forward(batch);
  std::size_t calls = 0;
  replica->backward([&](std::size_t) { ++calls; });
  EXPECT_EQ(calls, replica->tensors().size());
}

// d loss / d w by central differences of the loss, whose own error is about 1e-7 / step.
TEST(Executor, GradientsAreTheSlopesOfTheLoss) {
  nets::GraphBuilder g("small");
  nets::Tensor x = g.activation(g.conv(g.image(3, 2, 6, 6), 4, nets::square(3)), nets::Function::silu);
  x = g.sum(g.batch_norm(x), g.conv(x, 4, nets::square(1), {.activation = nets::Function::tanh}));
  x = g.adaptive_pool(x, nets::square(2));
  const nets::Graph graph = g.finish(g.linear(g.flatten(x), 5));
  const auto replica = make_replica(graph, {.threads = 1, .seed = 3});
  const input::Batch batch = batch_for(graph);
  replica->forward(batch);
  replica->backward(nothing);
  const auto gradients = copy(replica->gradients());
  constexpr float kStep = 5e-3F;
  Rng rng(11);
  for (int trial = 0; trial < 40; ++trial) {
    const auto i = static_cast<std::size_t>(rng.below(gradients.size()));
    float& weight = replica->parameters()[i];
    const float kept = weight;
    weight = kept + kStep;
    const double above = replica->forward(batch);
    weight = kept - kStep;
    const double below = replica->forward(batch);
    weight = kept;
    EXPECT_NEAR((above - below) / (2 * kStep), gradients[i], 2e-4 + 1e-2 * std::abs(gradients[i])) << i;
  }
}

struct Trained {
  std::vector<double> losses;
  std::vector<float> parameters;
  std::vector<float> statistics;
  bool operator==(const Trained&) const = default;
};

Trained train(const nets::Graph& graph, const EngineOptions& options) {
  const auto replica = make_replica(graph, options);
  Trained trained;
  for (int step = 0; step < 3; ++step) {
    trained.losses.push_back(replica->forward({}));
    replica->backward(nothing);
    for (std::size_t i = 0; i < replica->parameters().size(); ++i) {
      replica->parameters()[i] -= 0.01F * replica->gradients()[i];
    }
  }
  trained.parameters = copy(replica->parameters());
  trained.statistics = copy(replica->statistics());
  return trained;
}

TEST(Executor, SameSeedGivesTheSameBits) {
  // With dropout, moving statistics and two threads.
  nets::GraphBuilder g("small");
  nets::Tensor x = g.relu(g.batch_norm(g.conv(g.image(4, 3, 16, 16), 8, nets::square(3))));
  x = g.dropout(g.flatten(g.max_pool(x, nets::square(2), {.stride = nets::square(2)})), 0.3);
  const nets::Graph graph = g.finish(g.linear(x, 10));
  const Trained first = train(graph, {.threads = 2, .seed = 5});
  EXPECT_EQ(train(graph, {.threads = 2, .seed = 5}), first);
  EXPECT_NE(train(graph, {.threads = 2, .seed = 6}).losses, first.losses);
  EXPECT_THAT(first.statistics, Each(testing::Truly([](float v) { return std::isfinite(v); })));
}

TEST(Executor, InitialValuesHavePyTorchsDistributions) {
  nets::GraphBuilder g("initial");
  nets::Tensor x = g.conv(g.image(2, 8, 9, 9), 64, nets::square(3), {.groups = 2});
  x = g.batch_norm(x);
  const nets::Tensor rows = g.add(nets::Embedding{500, 40}, {g.tokens(2, 3)});
  const nets::Graph graph = g.finish({g.linear(g.flatten(x), 100), rows});
  const auto replica = make_replica(graph, {});
  for (const PlacedTensor& tensor : weight_layout(graph).parameters) {
    const auto values = replica->parameters().subspan(static_cast<std::size_t>(tensor.offset),
                                                      static_cast<std::size_t>(tensor.count));
    double squares = 0;
    for (const float value : values) squares += static_cast<double>(value) * value;
    const double mean_square = squares / static_cast<double>(values.size());
    const auto largest = std::ranges::max(values, {}, [](float v) { return std::abs(v); });
    SCOPED_TRACE(tensor.name);
    if (tensor.name.starts_with("grouped-conv") || tensor.name.starts_with("linear")) {
      // Uniform within 1 / sqrt(fan in): 4 channels of 3 x 3, or all 64 x 7 x 7 values.
      const double fan = tensor.name.starts_with("grouped-conv") ? 4 * 9 : 64 * 49;
      EXPECT_LE(std::abs(largest), 1 / std::sqrt(fan));
      // x² of a uniform x varies by 0.3: five deviations are 0.19 for 64 biases, 0.03 for 2304 weights.
      EXPECT_NEAR(mean_square * fan, 1.0 / 3, values.size() > 1000 ? 0.03 : 0.2);
    } else if (tensor.name.starts_with("embedding")) {
      EXPECT_NEAR(mean_square, 1, 0.05);
    } else {
      EXPECT_THAT(copy(values), Each(tensor.role == "bias" ? 0.0F : 1.0F));
    }
  }
}

TEST(Executor, LossOfProbabilitiesIsThatOfTheirLogits) {
  const auto graph_with = [](bool softmax) {
    nets::GraphBuilder g("end");
    nets::Tensor x = g.linear(g.flatten(g.image(3, 1, 4, 4)), 6);
    if (softmax) x = g.activation(x, nets::Function::softmax);
    return g.finish(x);
  };
  const auto logits = make_replica(graph_with(false), {});
  const auto shares = make_replica(graph_with(true), {});
  const input::Batch batch = batch_for(graph_with(false));
  EXPECT_NEAR(shares->forward(batch), logits->forward(batch), 1e-6);
  shares->backward(nothing);
  logits->backward(nothing);
  for (std::size_t i = 0; i < logits->gradients().size(); ++i) {
    EXPECT_NEAR(shares->gradients()[i], logits->gradients()[i], 1e-6);
  }
}

TEST(Executor, DropoutDropsItsShareInTrainingOnly) {
  nets::GraphBuilder g("dropout");
  const nets::Tensor ones = g.add(nets::Parameter{{1, 1, 100, 100}}, {});
  const nets::Graph graph = g.finish(g.dropout(ones, 0.25));
  const auto replica = make_replica(graph, {});
  std::ranges::fill(replica->parameters(), 1.0F);
  // Kept values are 1 / 0.75; the mean of squares is then 1 / 0.75 on average, deviation 0.0077.
  const double first = replica->forward({});
  EXPECT_NEAR(first, 1 / 0.75, 0.04);
  EXPECT_NE(replica->forward({}), first);
}

// Workers that dropped the same values would train on less than they seem to.
TEST(Executor, WorkersHaveTheSameWeightsAndMasksOfTheirOwn) {
  nets::GraphBuilder g("dropout");
  const nets::Tensor drawn = g.linear(g.flatten(g.image(4, 1, 8, 8)), 100);
  const nets::Graph graph = g.finish(g.dropout(drawn, 0.5));
  const auto first = make_replica(graph, {.seed = 3, .worker = 0});
  const auto again = make_replica(graph, {.seed = 3, .worker = 0});
  const auto second = make_replica(graph, {.seed = 3, .worker = 1});
  EXPECT_EQ(copy(first->parameters()), copy(second->parameters()));
  const double loss = first->forward({});
  EXPECT_EQ(again->forward({}), loss);
  EXPECT_NE(second->forward({}), loss);
}

TEST(Executor, EvaluationCountsHitsAndLeavesStatisticsAlone) {
  const nets::Graph graph = network_graph("resnet18");
  const auto replica = make_replica(graph, {});
  input::Batch batch = batch_for(graph);
  replica->forward(batch);
  const auto statistics = copy(replica->statistics());
  // Every answer is class 17: nothing but the last bias counts.
  const auto& bias = replica->tensors().front();
  std::ranges::fill(replica->parameters().subspan(0, 1000 + 512 * 1000), 0.0F);
  replica->parameters()[static_cast<std::size_t>(bias.offset) + 17] = 1;
  batch.labels = {17, 18};
  const measure::TestScore score = replica->evaluate(batch);
  EXPECT_EQ(score.samples, 2);
  EXPECT_EQ(score.correct, 1);
  EXPECT_EQ(copy(replica->statistics()), statistics);
}

TEST(Executor, WhatCannotBeRunIsAnInputErrorThatNamesIt) {
  nets::GraphBuilder g("strange");
  const nets::Tensor x = g.add(nets::Opaque{"TopK", {2, 5}}, {g.image(2, 1, 4, 4)});
  const nets::Graph unknown = g.finish(x);
  EXPECT_THAT(error_of([&] { make_replica(unknown, {}); }), HasSubstr("TopK"));
  EXPECT_THAT(error_of([&] { profile_operators(unknown, {}); }), HasSubstr("TopK"));

  const nets::Graph single = build(nets::zoo().get("resnet18"), {.batch = 1, .image = 32});
  EXPECT_THAT(error_of([&] { make_replica(single, {}); }), HasSubstr("at least 2"));
  EXPECT_THAT(error_of([&] { make_replica(lenet(), {.threads = 0}); }), HasSubstr("0 threads"));
  ProfileOptions never;
  never.repetitions = 0;
  EXPECT_THAT(error_of([&] { profile_operators(lenet(), never); }), HasSubstr("at least one"));
}

TEST(Executor, BatchesThatDoNotFitAreInputErrors) {
  const nets::Graph graph = lenet(2);
  const auto replica = make_replica(graph, {});
  input::Batch batch = batch_for(graph);
  batch.labels = {0, 10};
  EXPECT_THAT(error_of([&] { replica->forward(batch); }), HasSubstr("label 10"));
  batch.labels = {-1, 1};
  EXPECT_THAT(error_of([&] { replica->forward(batch); }), HasSubstr("label -1"));
  batch.labels = {1};
  EXPECT_THAT(error_of([&] { replica->forward(batch); }), HasSubstr("1 labels for a batch of 2"));
  batch.values.pop_back();
  EXPECT_THAT(error_of([&] { replica->forward(batch); }), HasSubstr("2x1x28x28"));

  const nets::Graph words = network_graph("transformer");
  const auto reader = make_replica(words, {});
  input::Batch tokens = batch_for(words);
  for (const float wrong : {50.0F, -1.0F, 0.5F, std::nanf("")}) {
    tokens.values[3] = wrong;
    EXPECT_THAT(error_of([&] { reader->forward(tokens); }), HasSubstr("token id")) << wrong;
  }
}

TEST(Executor, TokensAndLabelsAreDrawnWhereABatchHasNone) {
  const nets::Graph graph = network_graph("transformer");
  const auto a = make_replica(graph, {.threads = 1, .seed = 1});
  const auto b = make_replica(graph, {.threads = 1, .seed = 1});
  const double loss = a->forward({});
  EXPECT_EQ(a->forward({}), loss);
  EXPECT_EQ(b->forward({}), loss);
}

TEST(Executor, VersionsSayWhatRuns) {
  std::map<std::string, std::string> versions;
  for (const auto& [name, version] : engine_versions()) versions[name] = version;
  EXPECT_THAT(versions.at("torch"), testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+.*"));
  EXPECT_THAT(versions.at("gloo"), testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
  EXPECT_THAT(versions.at("onednn"), testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
  for (const char* name : {"blas", "mpi"}) EXPECT_FALSE(versions.at(name).empty());
}

}  // namespace
}  // namespace sextant::engine
