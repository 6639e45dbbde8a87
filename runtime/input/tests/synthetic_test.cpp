// Made-up samples: the same for the same seed, of mean 0 and deviation 1, and learnable.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "error_of.h"
#include "sextant/input/sample_set.h"

namespace sextant::input {
namespace {

using Values = std::vector<float>;

Values read(const SampleSet& samples, std::int64_t index) {
  Values values(static_cast<std::size_t>(samples.shape().values()));
  EXPECT_EQ(samples.read(index, values), index % samples.classes());
  return values;
}

TEST(Synthetic, DependsOnSeedSplitAndNumberAlone) {
  const SampleSetRequest request{.shape = {3, 9, 7}, .seed = 4};
  const auto one = open_sample_set(request);
  const auto again = open_sample_set(request);
  EXPECT_EQ(read(*one, 17), read(*again, 17));
  EXPECT_NE(read(*one, 17), read(*one, 27));  // of the same class
  SampleSetRequest other = request;
  other.seed = 5;
  EXPECT_NE(read(*one, 17), read(*open_sample_set(other), 17));
  other = request;
  other.split = Split::test;
  EXPECT_NE(read(*one, 17), read(*open_sample_set(other), 17));
}

TEST(Synthetic, HasTheSizeThatIsAskedFor) {
  EXPECT_EQ(open_sample_set({.name = "synthetic"})->size(), 10000);
  EXPECT_EQ(open_sample_set({.name = "synthetic:samples=123"})->size(), 123);
  EXPECT_EQ(open_sample_set({.name = "synthetic:samples=123", .split = Split::test})->size(), 13);
  EXPECT_TRUE(has_test_split("synthetic:samples=1"));
}

TEST(Synthetic, ValuesHaveMeanZeroAndDeviationOne) {
  const auto samples = open_sample_set({.shape = {3, 16, 16}, .classes = 1000});
  double sum = 0;
  double squares = 0;
  for (std::int64_t i = 0; i < 1000; ++i) {
    for (const float value : read(*samples, i)) {
      sum += value;
      squares += value * value;
    }
  }
  const double count = 1000.0 * 3 * 16 * 16;
  // 48,000 cells of patterns with deviation 0.6 each: the mean's deviation is 0.6 / sqrt(48000) = 0.0027.
  EXPECT_NEAR(sum / count, 0, 0.01);
  EXPECT_NEAR(squares / count, 1, 0.02);
}

// The nearest class mean of the training samples finds the class of samples that were not trained with.
TEST(Synthetic, CanBeLearnt) {
  const auto train = open_sample_set({.shape = {1, 8, 8}});
  const auto unseen = open_sample_set({.split = Split::test, .shape = {1, 8, 8}});
  std::vector<std::vector<double>> means(10, std::vector<double>(64));
  for (std::int64_t i = 0; i < 500; ++i) {
    const Values values = read(*train, i);
    for (std::size_t j = 0; j < 64; ++j) means[static_cast<std::size_t>(i % 10)][j] += values[j] / 50.0;
  }
  int correct = 0;
  for (std::int64_t i = 0; i < 200; ++i) {
    const Values values = read(*unseen, i);
    std::size_t best = 0;
    double least = 1e30;
    for (std::size_t c = 0; c < 10; ++c) {
      double distance = 0;
      for (std::size_t j = 0; j < 64; ++j) distance += std::pow(values[j] - means[c][j], 2);
      if (distance < least) best = c;
      least = std::min(least, distance);
    }
    correct += static_cast<std::int64_t>(best) == i % 10 ? 1 : 0;
  }
  EXPECT_GT(correct, 190);
}

TEST(Synthetic, WhatCannotBeIsRefused) {
  const auto message = [](const SampleSetRequest& request) {
    return sextant::test::error_of([&] { open_sample_set(request, at_field("data")); });
  };
  EXPECT_THAT(message({.name = "synthetic:samples=0"}), testing::HasSubstr("samples"));
  EXPECT_THAT(message({.name = "synthetic:samples=2.5"}), testing::HasSubstr("not a whole number"));
  EXPECT_THAT(message({.name = "synthetic:sample=5"}), testing::HasSubstr("did you mean 'samples'?"));
  EXPECT_THAT(message({.shape = {0, 5, 5}}), testing::HasSubstr("0 x 5 x 5 values cannot be read"));
  EXPECT_THAT(message({.shape = {1, std::int64_t{1} << 40, 5}}), testing::HasSubstr("cannot be read"));
  EXPECT_THAT(message({.classes = 0}), testing::HasSubstr("classes"));
  EXPECT_THAT(message({.name = "imagenet"}),
              testing::StartsWith("`data`: error: there is no data set 'imagenet'"));
}

}  // namespace
}  // namespace sextant::input
