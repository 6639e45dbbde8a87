#include "sextant/learn/validation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "error_of.h"

namespace sextant::learn {
namespace {

TEST(ValidationText, IsReadAndWritten) {
  for (const char* text : {"kfold:5", "leave-group-out:gpu", "extrapolate:batch:64", "extrapolate:x:0.5"}) {
    EXPECT_EQ(to_string(parse_validation(text)), text);
  }
  for (const char* text : {"kfold", "kfold:1", "kfold:x", "kfold:-3", "leave-group-out", "leave-group-out:",
                           "extrapolate:batch", "extrapolate:batch:big", "holdout", "", "kfold:5:6"}) {
    EXPECT_THAT(sextant::test::error_of([&] { parse_validation(text); }),
                testing::StartsWith("`validate`: error:"))
        << text;
  }
}

// Every row tests once, and never in the fold that it trains.
TEST(Splits, FoldsPartitionTheRows) {
  const auto splits = outer_splits(parse_validation("kfold:4"), {}, 10, 3);
  ASSERT_EQ(splits.size(), 4U);
  std::multiset<std::size_t> tested;
  for (const auto& split : splits) {
    EXPECT_EQ(split.train.size() + split.test.size(), 10U);
    for (const std::size_t row : split.test) {
      tested.insert(row);
      EXPECT_EQ(std::count(split.train.begin(), split.train.end(), row), 0);
    }
    EXPECT_GE(split.test.size(), 2U);
    EXPECT_LE(split.test.size(), 3U);
  }
  EXPECT_EQ(tested.size(), 10U);
  EXPECT_EQ(std::set(tested.begin(), tested.end()).size(), 10U);
}

TEST(Splits, TheSeedDrawsTheFolds) {
  const auto tests = [](std::uint64_t seed) {
    return outer_splits(parse_validation("kfold:3"), {}, 30, seed).front().test;
  };
  EXPECT_EQ(tests(1), tests(1));
  EXPECT_NE(tests(1), tests(2));
}

TEST(Splits, GroupsStayWhole) {
  const SplitKeys keys{.groups = {0, 1, 2, 0, 1, 2, 0}};
  const auto splits = outer_splits(parse_validation("leave-group-out:g"), keys, 7, 0);
  ASSERT_EQ(splits.size(), 3U);
  EXPECT_THAT(splits[0].test, testing::ElementsAre(0, 3, 6));
  EXPECT_THAT(splits[1].test, testing::ElementsAre(1, 4));
  for (const auto& inner : inner_splits(parse_validation("leave-group-out:g"), keys, splits[0].train, 0)) {
    std::set<std::size_t> groups;
    for (const std::size_t row : inner.test) groups.insert(keys.groups[row]);
    for (const std::size_t row : inner.train) EXPECT_FALSE(groups.contains(keys.groups[row]));
  }
}

TEST(Splits, ExtrapolationCutsAtTheValueAndAgainInside) {
  const Validation validation = parse_validation("extrapolate:batch:64");
  const SplitKeys keys{.values = {16, 128, 32, 64, 256, 16, 32, 64}};
  const auto splits = outer_splits(validation, keys, 8, 0);
  ASSERT_EQ(splits.size(), 1U);
  EXPECT_THAT(splits[0].test, testing::ElementsAre(1, 4));
  // 16, 32, 64 remain: trained on 16 and 32, tried on 64.
  const auto inner = inner_splits(validation, keys, splits[0].train, 0);
  ASSERT_EQ(inner.size(), 1U);
  EXPECT_THAT(inner[0].test, testing::ElementsAre(3, 7));
  // With one value left there is nothing to extrapolate to: random folds.
  const std::vector<std::size_t> same = {0, 5};
  EXPECT_EQ(inner_splits(validation, keys, same, 0).size(), 2U);
}

TEST(Splits, WhatCannotBeSplitIsRefused) {
  const auto error = [](const char* text, const SplitKeys& keys, std::size_t rows) {
    return sextant::test::error_of([&] { outer_splits(parse_validation(text), keys, rows, 0); });
  };
  EXPECT_THAT(error("kfold:5", {}, 4), testing::AllOf(testing::HasSubstr("5 folds cannot be made of 4 rows"),
                                                      testing::HasSubstr("kfold:4")));
  EXPECT_THAT(error("leave-group-out:g", {.groups = {0, 0}}, 2), testing::HasSubstr("one group only"));
  EXPECT_THAT(error("extrapolate:x:9", {.values = {1, 2}}, 2), testing::HasSubstr("no row tests"));
  EXPECT_THAT(error("extrapolate:x:0", {.values = {1, 2}}, 2), testing::HasSubstr("'x' runs from 1 to 2"));
}

}  // namespace
}  // namespace sextant::learn
