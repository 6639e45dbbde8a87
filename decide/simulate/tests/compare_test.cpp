#include "sextant/simulate/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "error_of.h"

namespace sextant::simulate {
namespace {

using sextant::test::error_of;
using ::testing::HasSubstr;

TEST(Compare, MeanOfReplications) {
  // s = sqrt(12 / 9), t_{9, .975} = 2.2622: 2.2622 * 1.1547 / sqrt(10) = 0.826.
  const MeanEstimate got =
      estimate_mean(std::array{10.0, 12.0, 11.0, 13.0, 9.0, 11.0, 12.0, 10.0, 11.0, 11.0});
  EXPECT_EQ(got.runs, 10U);
  EXPECT_DOUBLE_EQ(got.mean, 11);
  EXPECT_NEAR(got.half_width, 0.826, 5e-4);
  EXPECT_NEAR(got.interval.low, 11 - 0.826, 5e-4);
}

TEST(Compare, OneRunSaysNothingOfItsScatter) {
  const MeanEstimate got = estimate_mean(std::array{7.0});
  EXPECT_EQ(got.mean, 7);
  EXPECT_TRUE(std::isinf(got.half_width));
  EXPECT_THROW((void)estimate_mean({}), InputError);
  EXPECT_THROW((void)estimate_mean(std::array{std::nan("")}), InputError);
}

// Seeds differ far more than policies: only pairs can tell them apart.
std::vector<PolicyRuns> three_policies() {
  return {{"fifo", {100, 220, 340, 150, 510}},
          {"srtf", {90, 211, 329, 141, 500}},
          {"las", {101, 219, 341, 149, 511}}};
}

TEST(Compare, PairsFindWhatSeedsHide) {
  const auto list = compare_policies(three_policies(), {.baseline = "fifo"});
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].first, "srtf");
  EXPECT_EQ(list[0].second, "fifo");
  EXPECT_DOUBLE_EQ(list[0].difference, -9.8);  // (-10 - 9 - 11 - 9 - 10) / 5
  EXPECT_DOUBLE_EQ(list[0].ratio, 254.2 / 264);
  EXPECT_EQ(list[0].verdict, ComparisonVerdict::first_less);
  EXPECT_TRUE(list[0].interval.contains(-9.8));
  // +1 -1 +1 -1 +1: mean .2, t = .2 / (sqrt(1.2) / sqrt(5)) = .408.
  EXPECT_EQ(list[1].first, "las");
  EXPECT_EQ(list[1].verdict, ComparisonVerdict::undecided);
  EXPECT_DOUBLE_EQ(list[1].p_adjusted, list[1].p);  // the largest of the family
  EXPECT_DOUBLE_EQ(list[0].p_adjusted, 2 * list[0].p);
}

TEST(Compare, AllPairsInOrder) {
  const auto list = compare_policies(three_policies());
  ASSERT_EQ(list.size(), 3U);
  EXPECT_EQ(list[0].second, "srtf");
  EXPECT_EQ(list[0].verdict, ComparisonVerdict::second_less);
  EXPECT_EQ(list[1].second, "las");
  EXPECT_EQ(list[2].first, "srtf");
}

TEST(Compare, EqualPoliciesAreUndecided) {
  const std::vector<PolicyRuns> same = {{"a", {1, 2, 3}}, {"b", {1, 2, 3}}};
  const auto list = compare_policies(same);
  EXPECT_EQ(list[0].difference, 0);
  EXPECT_EQ(list[0].p, 1);
  EXPECT_EQ(list[0].verdict, ComparisonVerdict::undecided);
}

TEST(Compare, WrongInputNamesThePolicy) {
  EXPECT_THAT(error_of([] { (void)compare_policies(three_policies(), {.baseline = "fifa"}); }),
              HasSubstr("did you mean 'fifo'?"));
  std::vector<PolicyRuns> runs = three_policies();
  runs[1].by_seed[2] = std::nan("");
  EXPECT_THAT(error_of([&] { (void)compare_policies(runs); }), HasSubstr("policy 'srtf' has nan in run 3"));
  runs[1].by_seed.pop_back();
  EXPECT_THAT(error_of([&] { (void)compare_policies(runs); }), HasSubstr("policy 'srtf' has 4 runs"));
  EXPECT_THROW((void)compare_policies(std::span(runs).first(1)), InputError);
  const std::vector<PolicyRuns> once = {{"a", {1}}, {"b", {2}}};
  EXPECT_THROW((void)compare_policies(once), InputError);
}

TEST(Compare, BootstrapOfTailsIsTheSameForASeed) {
  std::vector<double> first;
  std::vector<double> second;
  Rng rng = Rng(4).stream("runs");
  for (int i = 0; i < 20; ++i) {
    const double seed_effect = rng.exponential(100);
    first.push_back(seed_effect + 10 + rng.uniform());
    second.push_back(seed_effect);
  }
  const DifferenceEstimate got = bootstrap_difference(first, second, Rng(1));
  EXPECT_GT(got.interval.low, 10);  // pairs remove what the seed does: 10 and a mean of 1/2
  EXPECT_LT(got.interval.high, 11);
  EXPECT_TRUE(got.interval.contains(got.value));
  EXPECT_EQ(bootstrap_difference(first, second, Rng(1)).interval, got.interval);
  EXPECT_THROW((void)bootstrap_difference(first, std::span(second).first(3), Rng(1)), InputError);
}

// Under the truth that policies are alike, no more than 5 % of families give a verdict: 2000 families of
// three pairs, five standard errors.
TEST(Compare, KeepsItsLevel) {
  Rng rng = Rng(8).stream("level");
  int alarms = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<PolicyRuns> runs = {{"a", {}}, {"b", {}}, {"c", {}}};
    for (int seed = 0; seed < 6; ++seed) {
      const double shared = 10 * rng.normal();
      for (PolicyRuns& policy : runs) policy.by_seed.push_back(shared + rng.normal());
    }
    bool alarm = false;
    for (const PolicyComparison& pair : compare_policies(runs))
      alarm |= pair.verdict != ComparisonVerdict::undecided;
    alarms += alarm ? 1 : 0;
  }
  EXPECT_LE(alarms / 2000.0, 0.05 + 5 * 0.00487);  // sqrt(.05 * .95 / 2000)
  EXPECT_GT(alarms, 0);
}

}  // namespace
}  // namespace sextant::simulate
