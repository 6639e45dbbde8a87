// A plain chain of layers without libtorch's graph is trained as libtorch trains it.
#include "dense_chain.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sextant/engine/executor.h"
#include "sextant/nets/builder.h"
#include "sextant/nets/network.h"

namespace sextant::engine {
namespace {

nets::Graph small_perceptron() {
  nets::GraphBuilder g("perceptron");
  nets::Tensor x = g.flatten(g.image(8, 1, 4, 4));
  x = g.relu(g.linear(x, 12));
  x = g.linear(x, 9, true, nets::Function::relu);
  return g.finish(g.linear(x, 5));
}

federated::Samples drawn_samples(std::int64_t count) {
  federated::Samples samples{.width = 16};
  Rng rng(4);
  for (std::int64_t i = 0; i < count; ++i) {
    for (int k = 0; k < 16; ++k) samples.values.push_back(static_cast<float>(rng.normal()));
    samples.labels.push_back(static_cast<std::int64_t>(rng.below(5)));
  }
  return samples;
}

struct BothModels {
  std::unique_ptr<federated::LocalModel> chain;
  std::unique_ptr<federated::LocalModel> replica;
};

BothModels both() {
  const nets::Graph graph = small_perceptron();
  auto first = make_replica(graph, {.seed = 3});
  return {.chain = dense_chain(graph, first),
          .replica = federated::replica_model(make_replica(graph, {.seed = 3}), 8)};
}

// Of the values, not of each: some gradients nearly cancel.
double distance(std::span<const float> a, std::span<const float> b) {
  double difference = 0;
  double size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += std::pow(static_cast<double>(a[i]) - b[i], 2);
    size += std::pow(static_cast<double>(b[i]), 2);
  }
  return std::sqrt(difference / size);
}

TEST(DenseChain, TrainsAsTheReplicaDoes) {
  const federated::Samples samples = drawn_samples(37);
  const std::vector<federated::LocalWork> kinds = {
      {.steps = 20, .batch = 8, .learning_rate = 0.1},
      {.steps = 20, .batch = 8, .learning_rate = 0.05, .momentum = 0.9},
      {.steps = 20, .batch = 8, .learning_rate = 0.1, .proximal = 0.5},
      {.steps = 20, .batch = 8, .learning_rate = 0.05, .momentum = 0.5, .proximal = 0.1}};
  for (const federated::LocalWork& work : kinds) {
    BothModels models = both();
    ASSERT_TRUE(models.chain);
    const std::vector<float> start(models.chain->parameters().begin(), models.chain->parameters().end());
    const double loss = models.chain->train(samples, work);
    EXPECT_NEAR(loss / models.replica->train(samples, work), 1, 1e-5);
    EXPECT_LT(distance(models.chain->parameters(), models.replica->parameters()), 1e-5);
    EXPECT_GT(distance(models.chain->parameters(), start), 1e-2);
    EXPECT_LT(distance(models.chain->scores(samples), models.replica->scores(samples)), 1e-4);
  }
}

TEST(DenseChain, IsOnlyForPlainChains) {
  const nets::Graph perceptron = small_perceptron();
  auto replica = make_replica(perceptron, {});
  EXPECT_TRUE(dense_chain(perceptron, replica));
  EXPECT_FALSE(replica);  // it was taken over
  const nets::Graph lenet = build(nets::find_network("lenet5"), {.batch = 2});
  replica = make_replica(lenet, {});
  EXPECT_FALSE(dense_chain(lenet, replica));
  EXPECT_TRUE(replica);
  nets::GraphBuilder g("without relu between");
  const nets::Tensor inner = g.linear(g.flatten(g.image(8, 1, 4, 4)), 12);
  const nets::Graph linear = g.finish(g.linear(inner, 5));
  replica = make_replica(linear, {});
  EXPECT_FALSE(dense_chain(linear, replica));
  EXPECT_TRUE(replica);
}

}  // namespace
}  // namespace sextant::engine
