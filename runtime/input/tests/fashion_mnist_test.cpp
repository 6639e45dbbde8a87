// Fashion-MNIST from files that the tests write, and from the package where it is installed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "error_of.h"
#include "scratch.h"
#include "sextant/input/sample_set.h"

namespace sextant::input {
namespace {

namespace fs = std::filesystem;

std::string name_of(const test::Scratch& folder) {
  return "fashion-mnist:" + folder.str();
}

std::string header(std::initializer_list<int> dims) {
  std::string bytes{'\0', '\0', '\x08', static_cast<char>(dims.size())};
  for (const int dim : dims)
    bytes += std::string{'\0', '\0', static_cast<char>(dim >> 8), static_cast<char>(dim)};
  return bytes;
}

// Two images of 2 x 2 to train with, half of the pixels 0 and half 255: mean 0.5, deviation 0.5.
void write_small(const test::Scratch& folder) {
  using std::string_literals::operator""s;
  folder.write("train-images-idx3-ubyte", header({2, 2, 2}) + "\xff\0\0\xff\0\0\xff\xff"s);
  folder.write("train-labels-idx1-ubyte", header({2}) + "\x03\x09");
  folder.write("t10k-images-idx3-ubyte", header({1, 2, 2}) + "\xff\xff\xff\xff");
  folder.write("t10k-labels-idx1-ubyte", header({1}) + "\x01");
}

TEST(FashionMnist, IsNormalisedByTheTrainingPixels) {
  const test::Scratch folder;
  write_small(folder);
  const auto train = open_sample_set({.name = name_of(folder), .shape = {1, 2, 2}});
  ASSERT_EQ(train->size(), 2);
  std::vector<float> values(4);
  EXPECT_EQ(train->read(0, values), 3);
  EXPECT_THAT(values, testing::ElementsAre(1, -1, -1, 1));
  EXPECT_EQ(train->read(1, values), 9);
  const auto test = open_sample_set({.name = name_of(folder), .split = Split::test, .shape = {1, 2, 2}});
  EXPECT_EQ(test->read(0, values), 1);
  EXPECT_THAT(values, testing::ElementsAre(1, 1, 1, 1));  // by its own pixels it would be 0
}

TEST(FashionMnist, IsPaddedWithBlackAndRepeatedOverChannels) {
  const test::Scratch folder;
  write_small(folder);
  const auto train = open_sample_set({.name = name_of(folder), .shape = {2, 4, 4}});
  std::vector<float> values(32);
  train->read(0, values);
  for (std::size_t plane : {0U, 16U}) {
    const std::vector<float> got(values.begin() + static_cast<std::ptrdiff_t>(plane),
                                 values.begin() + static_cast<std::ptrdiff_t>(plane) + 16);
    EXPECT_THAT(got, testing::ElementsAre(-1, -1, -1, -1, -1, 1, -1, -1, -1, -1, 1, -1, -1, -1, -1, -1));
  }
}

TEST(FashionMnist, WhatIsMissingOrDoesNotAgreeIsNamed) {
  const test::Scratch folder;
  const auto message = [&](std::int64_t classes) {
    return sextant::test::error_of([&] { open_sample_set({.name = name_of(folder), .classes = classes}); });
  };
  EXPECT_THAT(message(10), testing::HasSubstr("install the package dataset-fashion-mnist"));
  EXPECT_THAT(message(5), testing::HasSubstr("Fashion-MNIST has 10 classes, the network 5"));
  write_small(folder);
  folder.write("train-labels-idx1-ubyte", header({3}) + "\x03\x09\x01");
  EXPECT_THAT(message(10), testing::HasSubstr("2 images, but 3 labels"));
  folder.write("train-labels-idx1-ubyte", header({2}) + "\x03\x0a");
  EXPECT_THAT(message(10), testing::HasSubstr("a label is not below 10"));
  folder.write("train-labels-idx1-ubyte", header({2, 1}) + "\x03\x09");
  EXPECT_THAT(message(10),
              testing::HasSubstr("train-labels-idx1-ubyte: error: the file has 2 dimensions, not 1"));
}

// https://github.com/zalandoresearch/fashion-mnist: 60,000 and 10,000 images, ten classes of equal size; mean
// 0.2860 and deviation 0.3530 are those that its users normalise with.
TEST(FashionMnist, ThePackageHasWhatItsAuthorsSay) {
  if (!fs::exists("/usr/share/datasets/fashion-mnist")) GTEST_SKIP() << "needs package dataset-fashion-mnist";
  const auto train = open_sample_set({.name = "fashion-mnist"});
  const auto test = open_sample_set({.name = "fashion-mnist", .split = Split::test});
  EXPECT_EQ(train->size(), 60000);
  EXPECT_EQ(test->size(), 10000);
  EXPECT_NEAR(train->scale().mean, 0.2860, 5e-5);
  EXPECT_NEAR(train->scale().deviation, 0.3530, 5e-5);
  EXPECT_EQ(test->scale(), train->scale());
  std::vector<std::int64_t> counts(10);
  std::vector<float> values(784);
  double sum = 0;
  for (std::int64_t i = 0; i < test->size(); ++i) {
    ++counts[static_cast<std::size_t>(test->read(i, values))];
    for (const float value : values) sum += value;
  }
  EXPECT_THAT(counts, testing::Each(1000));
  EXPECT_NEAR(sum / 7840000, 0, 0.01);
}

}  // namespace
}  // namespace sextant::input
