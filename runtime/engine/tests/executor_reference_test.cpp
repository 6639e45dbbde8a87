// The executor against PyTorch in double precision: what remains is single precision's rounding.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "executor_cases.h"
#include "sextant/measure/flat_optimizer.h"
#include "weight_layout.h"

namespace sextant::engine {
namespace {

// Unit roundoff of single precision is 6e-8; a loss is the end of a chain of at most some hundred operators
// whose errors add up like a random walk, so 1e-5 leaves room for a factor of ten.
constexpr double kLossTolerance = 1e-5;
// Gradients pass the chain twice, and batch norm over few values magnifies what it gets.
constexpr double kGradientTolerance = 2e-4;
constexpr double kCancelled = 1e-6;

struct Sums {
  double sum = 0, weighted = 0, squares = 0;
};

Sums sums_of(std::span<const float> values) {
  Sums sums;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sums.sum += values[i];
    sums.weighted += values[i] * std::cos(0.3 * static_cast<double>(i));
    sums.squares += static_cast<double>(values[i]) * values[i];
  }
  return sums;
}

void expect_gradients(measure::Replica& replica, const ExpectedCase& expected) {
  const auto& tensors = replica.tensors();
  ASSERT_EQ(tensors.size(), expected.gradients.size());
  // Gradients that are 0 because others cancel (a bias before a norm) keep the rounding of those others.
  double largest = 0;
  for (const ExpectedGradient& gradient : expected.gradients) largest = std::max(largest, gradient.norm);
  const double floor = kCancelled * largest;
  for (std::size_t k = 0; k < tensors.size(); ++k) {
    const ExpectedGradient& want = expected.gradients[tensors.size() - 1 - k];
    const auto count = static_cast<std::size_t>(tensors[k].count);
    const Sums got = sums_of(replica.gradients().subspan(static_cast<std::size_t>(tensors[k].offset), count));
    // A change of the gradient by d changes both sums by at most d sqrt(count) (Cauchy-Schwarz).
    const double slack = kGradientTolerance * want.norm + floor;
    const double spread = slack * std::sqrt(static_cast<double>(count));
    EXPECT_NEAR(got.sum, want.sum, spread) << tensors[k].name;
    EXPECT_NEAR(got.weighted, want.weighted, spread) << tensors[k].name;
    EXPECT_NEAR(std::sqrt(got.squares), want.norm, slack) << tensors[k].name;
  }
}

void expect_statistics(measure::Replica& replica, const nets::Graph& graph, const ExpectedCase& expected) {
  double means = 0;
  double variances = 0;
  for (const PlacedTensor& tensor : weight_layout(graph).statistics) {
    const auto values = replica.statistics().subspan(static_cast<std::size_t>(tensor.offset),
                                                     static_cast<std::size_t>(tensor.count));
    for (const float value : values) (tensor.role == "running_mean" ? means : variances) += value;
  }
  if (expected.statistics.empty()) return;
  EXPECT_NEAR(means, expected.statistics[0], 1e-4 * (1 + std::abs(expected.statistics[0])));
  EXPECT_NEAR(variances, expected.statistics[1], kLossTolerance * expected.statistics[1]);
}

void expect_case(const nets::Graph& graph, const ExpectedCase& expected) {
  SCOPED_TRACE(expected.name);
  const auto replica = make_replica(graph, {});
  set_weights(*replica, graph);
  const input::Batch batch = batch_for(graph);
  EXPECT_NEAR(replica->forward(batch), expected.loss, kLossTolerance * std::abs(expected.loss));
  replica->backward([](std::size_t) {});
  expect_gradients(*replica, expected);
  expect_statistics(*replica, graph, expected);
}

TEST(ExecutorReference, EveryOperatorAgreesWithPyTorch) {
  const auto expected = read_expected("operators.txt");
  EXPECT_EQ(expected.size(), operator_cases().size());
  for (const ExpectedCase& one : expected) {
    ASSERT_TRUE(operator_cases().contains(one.name)) << one.name;
    expect_case(operator_graph(one.name), one);
  }
}

TEST(ExecutorReference, NetworksAgreeWithPyTorch) {
  const auto expected = read_expected("networks.txt");
  EXPECT_EQ(expected.size(), 4U);
  for (const ExpectedCase& one : expected) expect_case(network_graph(one.name), one);
}

measure::OptimizerSettings settings_of(const std::string& name, double rate) {
  if (name == "adam") return {.kind = jobs::Optimizer::adam, .learning_rate = 0.1 * rate};
  return {.kind = name == "sgd" ? jobs::Optimizer::sgd : jobs::Optimizer::momentum, .learning_rate = rate};
}

TEST(ExecutorReference, LossAfterThreeStepsAgreesWithPyTorch) {
  constexpr int kSteps = 3;
  for (const ExpectedCase& expected : read_expected("networks.txt")) {
    const nets::Graph graph = network_graph(expected.name);
    EXPECT_EQ(expected.after.size(), 3U);
    for (const auto& [name, loss] : expected.after) {
      SCOPED_TRACE(expected.name + " " + name);
      const auto replica = make_replica(graph, {});
      set_weights(*replica, graph);
      const input::Batch batch = batch_for(graph);
      measure::FlatOptimizer optimizer(settings_of(name, expected.rate), replica->parameters().size());
      for (int step = 0; step < kSteps; ++step) {
        replica->forward(batch);
        replica->backward([](std::size_t) {});
        optimizer.step(replica->parameters(), replica->gradients());
      }
      // Three updates carry the errors of gradients into the loss.
      const double end = replica->forward(batch);
      EXPECT_NEAR(end, loss, 10 * kLossTolerance * loss);
      EXPECT_LT(end, expected.loss);
    }
  }
}

}  // namespace
}  // namespace sextant::engine
