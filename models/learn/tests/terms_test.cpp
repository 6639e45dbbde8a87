#include "terms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace sextant::learn {
namespace {

Sample positive_sample(std::size_t columns) {
  Sample sample;
  sample.x = stats::Matrix(3, columns);
  for (std::size_t c = 0; c < columns; ++c) {
    sample.columns.push_back({"x" + std::to_string(c), {}});
    for (std::size_t i = 0; i < 3; ++i) sample.x(i, c) = static_cast<double>(1 + i * (c + 1));
  }
  sample.y = {1, 2, 3};
  return sample;
}

std::vector<std::string> names(const Expansion& expansion, const Sample& sample) {
  std::vector<std::string> out;
  for (const auto& term : expansion.terms) out.push_back(to_string(term, sample.columns));
  return out;
}

// 6 columns: 12 singles with the inverses, and C(12, 2) - 6 = 60 products without x * (1/x).
TEST(Terms, SixColumnsMakeSeventyTwoTerms) {
  const Sample sample = positive_sample(6);
  EXPECT_EQ(expand(sample, 0, 400).terms.size(), 6U);
  EXPECT_EQ(expand(sample, 1, 400).terms.size(), 12U);
  EXPECT_EQ(expand(sample, 2, 400).terms.size(), 72U);
  // Three of six columns, each as it is or inverse: C(6, 3) * 8 = 160 more.
  EXPECT_EQ(expand(sample, 3, 400).terms.size(), 232U);
}

TEST(Terms, AllOfTwoColumns) {
  const Sample sample = positive_sample(2);
  EXPECT_THAT(
      names(expand(sample, 2, 400), sample),
      testing::ElementsAre("x0", "x1", "1/x0", "1/x1", "x0 * x1", "x0 * 1/x1", "x1 * 1/x0", "1/x0 * 1/x1"));
}

TEST(Terms, DummiesGetNoInverseAndNoProductAmongThemselves) {
  Sample sample = positive_sample(1);
  sample.columns = {{"x", {}}, {"gpu=b", 1}, {"gpu=c", 1}};
  sample.x = stats::Matrix::from_rows({{1, 0, 0}, {2, 1, 0}, {4, 0, 1}});
  EXPECT_THAT(names(expand(sample, 2, 400), sample),
              testing::ElementsAre("x", "gpu=b", "gpu=c", "1/x", "x * gpu=b", "x * gpu=c", "gpu=b * 1/x",
                                   "gpu=c * 1/x"));
}

TEST(Terms, ConstantsAndZerosAreLeftOutByName) {
  Sample sample = positive_sample(2);
  sample.x = stats::Matrix::from_rows({{0, 5}, {1, 5}, {2, 5}});
  const Expansion expansion = expand(sample, 1, 400);
  EXPECT_THAT(names(expansion, sample), testing::ElementsAre("x0"));
  EXPECT_THAT(expansion.dropped, testing::ElementsAre("x1: constant", "1/x0: the column has zeros"));
}

TEST(Terms, TooManyProductsLowerTheDegreeAndSaySo) {
  const Sample sample = positive_sample(6);
  const Expansion expansion = expand(sample, 3, 100);
  EXPECT_EQ(expansion.terms.size(), 72U);
  EXPECT_THAT(expansion.dropped, testing::ElementsAre("products of 3 columns: more than 100 terms"));
}

TEST(Terms, QueriesStayFinite) {
  const Term inverse{{{0, Form::inverse, 0.5}}};
  EXPECT_EQ(inverse.value(std::vector<double>{4}), 0.25);
  EXPECT_EQ(inverse.value(std::vector<double>{0}), 2);  // held at the floor
  EXPECT_EQ(inverse.value(std::vector<double>{-0.1}), -2);
  const Term log{{{0, Form::log, 0.5}}};
  EXPECT_EQ(log.value(std::vector<double>{-1}), std::log(0.5));
  const Term square{{{0, Form::identity, 0}, {1, Form::identity, 0}}};
  EXPECT_TRUE(std::isfinite(square.value(std::vector<double>{1e308, 1e308})));
}

}  // namespace
}  // namespace sextant::learn
