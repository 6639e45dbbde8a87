// Every rule on numbers that can be followed by hand.
#include <gmock/gmock.h>

#include <cmath>

#include "own_updates.h"

namespace sextant::robust {
namespace {

using testing::ElementsAre;
using testing::FloatNear;

void expect_seven(const std::string& rule, double x, double y, double tolerance = 1e-4) {
  const OwnUpdates updates = seven();
  const RoundResult result = aggregate(rule, updates.view());
  ASSERT_EQ(result.values.size(), 2U);
  EXPECT_NEAR(result.values[0], x, tolerance) << rule;
  EXPECT_NEAR(result.values[1], y, tolerance) << rule;
}

// Sums: x 1 + 1.1 + 0.9 + 1.05 + 0.95 + 1 + 10 = 16, y 1 + 0.9 + 1.1 + 1 + 0.95 + 1.1 - 10 = -3.95.
TEST(WorkedNumbers, Mean) {
  expect_seven("mean", 16.0 / 7, -3.95 / 7);
}

// A client with three samples counts three times: (3 * 1 + 5) / 4.
TEST(WorkedNumbers, MeanByWeight) {
  const OwnUpdates updates({{1}, {5}});
  Updates view = updates.view();
  view.rows[0].weight = 3;
  EXPECT_THAT(aggregate("mean", view).values, ElementsAre(FloatNear(2, 1e-6F)));
  EXPECT_THAT(aggregate("mean:weigh=0", view).values, ElementsAre(FloatNear(3, 1e-6F)));
}

// Squared distances of the first update from the others: .02 .02 .0025 .005 .01 202; its four nearest sum to
// .0375.
TEST(WorkedNumbers, KrumScores) {
  const OwnUpdates updates = seven();
  const RoundResult result = aggregate("krum:f=1", updates.view());
  const std::vector<double> expected = {0.0375, 0.1075, 0.0875, 0.04, 0.0675, 0.0575, 802.93};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(result.verdicts[i].score, expected[i], 1e-5 * std::max(1.0, expected[i])) << i;
    EXPECT_EQ(result.verdicts[i].flagged, i == 6) << i;
    EXPECT_EQ(result.verdicts[i].weight, i == 0 ? 1 : 0) << i;
  }
  expect_seven("krum:f=1", 1, 1);
}

// The four best of the scores above: updates 1, 4, 6, 5.
TEST(WorkedNumbers, MultiKrum) {
  expect_seven("multi-krum:f=1:m=4", (1 + 1.05 + 1 + 0.95) / 4, (1 + 1 + 1.1 + 0.95) / 4);
  expect_seven("multi-krum:f=1", 1, 1.0125);  // n - f - 2 is 4 too
}

TEST(WorkedNumbers, Median) {
  expect_seven("median", 1, 1);
}

// Of an even number the mean of the two in the middle.
TEST(WorkedNumbers, MedianOfFour) {
  const OwnUpdates updates({{1}, {2}, {4}, {100}});
  EXPECT_THAT(aggregate("median", updates.view()).values, ElementsAre(FloatNear(3, 1e-6F)));
}

// x without .9 and 10: 5.1 / 5; y without -10 and one 1.1: 4.95 / 5.
TEST(WorkedNumbers, TrimmedMean) {
  expect_seven("trimmed-mean:f=1", 1.02, 0.99);
}

// Selected in turn are 1, 4, 3, 2, 5. Closest three to the median 1 of x: 1, .95, 1.05; of y: 1, 1, .95.
TEST(WorkedNumbers, Bulyan) {
  expect_seven("bulyan:f=1", 1, (1 + 1 + 0.95) / 3);
  const OwnUpdates updates = seven();
  const RoundResult result = aggregate("bulyan:f=1", updates.view());
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(result.verdicts[i].flagged, i >= 5) << i;
}

TEST(WorkedNumbers, GeometricMedian) {
  expect_seven("geometric-median:iterations=1000", 1.00148, 0.99924, 1e-5);
}

// Lengths 5, 1 and 1, of which the median is 1: (.6, .8), (1, 0) and (0, 1).
TEST(WorkedNumbers, NormClipping) {
  const OwnUpdates updates({{3, 4}, {1, 0}, {0, 1}});
  EXPECT_THAT(aggregate("norm-clipping", updates.view()).values,
              ElementsAre(FloatNear(1.6F / 3, 1e-6F), FloatNear(1.8F / 3, 1e-6F)));
  EXPECT_THAT(aggregate("norm-clipping:length=2.5", updates.view()).values,
              ElementsAre(FloatNear(2.5F / 3, 1e-6F), FloatNear(3.0F / 3, 1e-6F)));
}

// From zero, shortened to 1: (.6, .8), (1, 0), (0, 1), so v = (1.6, 1.8) / 3. The next round starts from
// there: with the same three at v it does not move.
TEST(WorkedNumbers, CenteredClipping) {
  const OwnUpdates updates({{3, 4}, {1, 0}, {0, 1}});
  Aggregator aggregator(parse_rule("centered-clipping:radius=1:iterations=1"), {});
  const std::vector<float> first = aggregator.aggregate(updates.view(), 0).values;
  EXPECT_THAT(first, ElementsAre(FloatNear(1.6F / 3, 1e-6F), FloatNear(1.8F / 3, 1e-6F)));
  const OwnUpdates same({first, first, first});
  EXPECT_THAT(aggregator.aggregate(same.view(), 1).values,
              ElementsAre(FloatNear(first[0], 1e-6F), FloatNear(first[1], 1e-6F)));
}

// Two that point the same way have cosine 1 and get nothing; the third, at a right angle, is pardoned and
// gets all.
TEST(WorkedNumbers, FoolsGold) {
  const OwnUpdates updates({{1, 0}, {2, 0}, {0, 3}});
  const RoundResult result = aggregate("fools-gold", updates.view());
  EXPECT_THAT(result.values, ElementsAre(FloatNear(0, 1e-6F), FloatNear(3, 1e-6F)));
  EXPECT_TRUE(result.verdicts[0].flagged && result.verdicts[1].flagged);
  EXPECT_FALSE(result.verdicts[2].flagged);
}

// Cosines .6 (1, 2), 0 (1, 3), .8 (2, 3): the largest are .6, .8, .8. The first's with the second shrinks by
// .6 / .8 to .45, so 1 - .45 = .55; the others get 1 - .8 = .2, that is .2 / .55 of the most: ln(.3636 /
// .6364) + .5 = -.0596, none.
TEST(WorkedNumbers, FoolsGoldPardons) {
  const OwnUpdates updates({{1, 0}, {0.6F, 0.8F}, {0, 1}});
  const RoundResult result = aggregate("fools-gold", updates.view());
  EXPECT_NEAR(result.verdicts[0].weight, 1, 1e-6);
  EXPECT_NEAR(result.verdicts[1].weight, 0, 1e-6);
  EXPECT_NEAR(result.verdicts[2].weight, 0, 1e-6);
}

// All differ most along the line to (10, -10); the mean of the six others is (6, 6.05) / 6.
TEST(WorkedNumbers, Dnc) {
  expect_seven("dnc:f=1", 1, 6.05 / 6);
}

// The lengths of the six are near 1.4, that of the seventh is above three times the median. Their signs are
// all (+, +). Shortened to the median length: sqrt(2), that of the first.
TEST(WorkedNumbers, SignGuard) {
  const std::vector<std::vector<double>> kept = {{1, 1},    {1.1, 0.9},   {0.9, 1.1},
                                                 {1.05, 1}, {0.95, 0.95}, {1, 1.1}};
  double x = 0;
  double y = 0;
  // Lengths in order: .95 sqrt 2, sqrt 2, sqrt 2.02 twice, sqrt 2.1025, sqrt 2.21, and 10 sqrt 2: the fourth
  // is sqrt 2.02.
  const double middle = std::sqrt(2.02);
  for (const auto& row : kept) {
    const double factor = std::min(1.0, middle / std::hypot(row[0], row[1]));
    x += factor * row[0] / 6;
    y += factor * row[1] / 6;
  }
  expect_seven("sign-guard:coordinates=1", x, y, 1e-6);
}

// Bucketing by the number of updates is the mean, whatever the rule.
TEST(WorkedNumbers, OneBucketIsTheMean) {
  expect_seven("median:bucket=7", 16.0 / 7, -3.95 / 7);
}

}  // namespace
}  // namespace sextant::robust
