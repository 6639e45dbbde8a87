#include "sextant/measure/flat_optimizer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sextant/core/error.h"
#include "sextant/core/rng.h"

namespace sextant::measure {
namespace {

OptimizerSettings settings(jobs::Optimizer kind, std::int64_t threads = 1) {
  return {.kind = kind, .learning_rate = 0.1, .momentum = 0.9, .threads = threads};
}

std::vector<float> after_five_steps(jobs::Optimizer kind, float scale) {
  std::vector<float> parameters = {1.0F, -2.0F, 0.5F, 3.0F};
  FlatOptimizer optimizer(settings(kind), 4);
  for (int s = 0; s < 5; ++s) {
    const auto t = static_cast<float>(s);
    std::vector<float> gradients = {0.5F * (t + 1), -0.25F, 1e-4F * (t - 2), 2.0F - t};
    for (float& gradient : gradients) gradient /= scale;
    optimizer.step(parameters, gradients, scale);
  }
  EXPECT_EQ(optimizer.updates(), 5);
  return parameters;
}

// torch.optim of PyTorch 1.13, SGD(lr=0.1), SGD(lr=0.1, momentum=0.9), Adam(lr=0.1), the same gradients.
const std::vector<std::pair<jobs::Optimizer, std::vector<double>>>& pytorch() {
  static const std::vector<std::pair<jobs::Optimizer, std::vector<double>>> table = {
      {jobs::Optimizer::sgd, {0.25, -1.8750001192092896, 0.5, 3.0}},
      {jobs::Optimizer::momentum,
       {-0.5851549506187439, -1.6713974475860596, 0.5000773668289185, 2.2270798683166504}},
      {jobs::Optimizer::adam,
       {0.5149169564247131, -1.4999998807907104, 0.7805466055870056, 2.719435691833496}}};
  return table;
}

TEST(FlatOptimizer, HasPyTorchsNumbers) {
  for (const auto& [kind, expected] : pytorch()) {
    for (const float scale : {1.0F, 0.25F}) {
      const auto parameters = after_five_steps(kind, scale);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(parameters[i], expected[i], 4e-7 * std::max(1.0, std::abs(expected[i])))
            << to_string(kind) << " " << i;
      }
    }
  }
}

TEST(FlatOptimizer, ThreadsDoNotChangeABit) {
  constexpr std::size_t kCount = 1'100'003;
  Rng rng = Rng(1).stream("gradients");
  std::vector<float> gradients(kCount);
  for (float& gradient : gradients) gradient = static_cast<float>(rng.uniform() - 0.5);
  for (const jobs::Optimizer kind :
       {jobs::Optimizer::sgd, jobs::Optimizer::momentum, jobs::Optimizer::adam}) {
    std::vector<float> one(kCount, 1.0F);
    std::vector<float> three(kCount, 1.0F);
    FlatOptimizer alone(settings(kind), kCount);
    FlatOptimizer together(settings(kind, 3), kCount);
    for (int step = 0; step < 3; ++step) {
      alone.step(one, gradients);
      together.step(three, gradients);
    }
    EXPECT_EQ(one, three) << to_string(kind);
    EXPECT_NE(one[kCount - 1], 1.0F) << "the last value is updated too";
  }
}

TEST(FlatOptimizer, GoesOnFromItsState) {
  for (const jobs::Optimizer kind : {jobs::Optimizer::momentum, jobs::Optimizer::adam}) {
    std::vector<float> whole = {1, 2, 3};
    std::vector<float> halves = whole;
    const std::vector<float> gradients = {0.1F, -0.2F, 0.3F};
    FlatOptimizer first(settings(kind), 3);
    for (int i = 0; i < 6; ++i) first.step(whole, gradients);
    FlatOptimizer before(settings(kind), 3);
    for (int i = 0; i < 3; ++i) before.step(halves, gradients);
    FlatOptimizer after(settings(kind), 3);
    std::ranges::copy(before.state(), after.state().begin());
    after.set_updates(before.updates());
    for (int i = 0; i < 3; ++i) after.step(halves, gradients);
    EXPECT_EQ(whole, halves) << to_string(kind);
  }
}

TEST(FlatOptimizer, NoneLeavesParametersAlone) {
  std::vector<float> parameters = {1, 2};
  FlatOptimizer optimizer(settings(jobs::Optimizer::none), 2);
  optimizer.step(parameters, std::vector<float>{5, 5});
  EXPECT_EQ(parameters, (std::vector<float>{1, 2}));
}

TEST(FlatOptimizer, RefusesNonsense) {
  EXPECT_THROW(FlatOptimizer({.learning_rate = std::nan("")}, 1), InputError);
  EXPECT_THROW(FlatOptimizer({.momentum = INFINITY}, 1), InputError);
  FlatOptimizer optimizer(settings(jobs::Optimizer::adam), 2);
  std::vector<float> parameters(3);
  EXPECT_THROW(optimizer.step(parameters, std::vector<float>(3)), std::logic_error);
  EXPECT_THROW(optimizer.step(parameters, std::vector<float>(2)), std::logic_error);
}

}  // namespace
}  // namespace sextant::measure
