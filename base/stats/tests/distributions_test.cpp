#include "sextant/stats/distributions.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cases.h"
#include "sextant/core/error.h"
#include "sextant/core/infinity.h"

namespace sextant::stats {
namespace {

template <class D>
double evaluate(D d, const std::string& function, double argument) {
  if (function == "cdf") return cdf(d, argument);
  if (function == "upper") return upper_tail(d, argument);
  if (function == "quantile") return quantile(d, argument);
  if (function == "uquantile") return upper_quantile(d, argument);
  throw std::runtime_error("unknown function " + function);
}

double evaluate(const test::CaseRow& row) {
  const std::string& name = row.fields.at(0);
  const double df1 = row.number(1);
  const double df2 = row.number(2);
  if (name == "normal") return evaluate(Normal{}, row.fields.at(3), row.number(4));
  if (name == "t") return evaluate(StudentT{df1}, row.fields.at(3), row.number(4));
  if (name == "f") return evaluate(FisherF{df1, df2}, row.fields.at(3), row.number(4));
  if (name == "chi-square") return evaluate(ChiSquare{df1}, row.fields.at(3), row.number(4));
  throw std::runtime_error("unknown distribution " + name);
}

TEST(StatsDistributions, ReferenceValues) {
  for (const auto& row : test::read_cases("distributions.txt")) {
    const double want = row.number(5);
    // Far tails amplify the rounding of the argument: 37^2 * eps.
    EXPECT_NEAR(evaluate(row), want, 1e-12 * std::abs(want)) << row.place;
  }
}

TEST(StatsDistributions, EndsOfTheSupport) {
  EXPECT_EQ(cdf(Normal{}, -kInfinity), 0);
  EXPECT_EQ(upper_tail(StudentT{3}, kInfinity), 0);
  EXPECT_EQ(upper_tail(FisherF{2, 3}, -1), 1);
  EXPECT_EQ(cdf(ChiSquare{3}, kInfinity), 1);
  EXPECT_EQ(quantile(Normal{}, 0), -kInfinity);
  EXPECT_EQ(quantile(StudentT{2}, 1), kInfinity);
  EXPECT_EQ(quantile(FisherF{2, 3}, 0), 0);
  EXPECT_EQ(upper_quantile(ChiSquare{2}, 1), 0);
  EXPECT_EQ(upper_quantile(ChiSquare{2}, 0), kInfinity);
}

TEST(StatsDistributions, BadArguments) {
  EXPECT_THROW(cdf(Normal{0, 0}, 1), InputError);
  EXPECT_THROW(cdf(Normal{kNan, 1}, 1), InputError);
  EXPECT_THROW(cdf(Normal{}, kNan), InputError);
  EXPECT_THROW(cdf(StudentT{0}, 1), InputError);
  EXPECT_THROW(quantile(StudentT{kInfinity}, 0.5), InputError);
  EXPECT_THROW(upper_tail(FisherF{1, -1}, 1), InputError);
  EXPECT_THROW(quantile(ChiSquare{1}, 1.5), InputError);
  EXPECT_THROW(quantile(ChiSquare{1}, kNan), InputError);
  EXPECT_THROW(two_sided_quantile(StudentT{5}, 1), InputError);
  EXPECT_THROW(two_sided_quantile(StudentT{5}, 95), InputError);
}

TEST(StatsDistributions, TwoSided) {
  EXPECT_NEAR(two_sided_quantile(StudentT{10}, 0.95), 2.22814, 5e-6);
  EXPECT_NEAR(two_sided_p(StudentT{10}, -2.22813885198627475), 0.05, 1e-14);
  EXPECT_EQ(two_sided_p(StudentT{10}, 0), 1);
  // t^2 with df d is F(1, d).
  EXPECT_NEAR(two_sided_p(StudentT{7}, 3.1), upper_tail(FisherF{1, 7}, 3.1 * 3.1), 1e-15);
}

// Laws: the quantile undoes the cdf and rises with p; both tails make one.
template <class D>
void expect_laws(D d) {
  double previous = -kInfinity;
  for (int i = 1; i < 200; ++i) {
    const double p = i / 200.0;
    const double x = quantile(d, p);
    EXPECT_GT(x, previous);
    EXPECT_NEAR(cdf(d, x), p, 1e-12);
    EXPECT_NEAR(cdf(d, x) + upper_tail(d, x), 1, 1e-14);
    EXPECT_NEAR(upper_quantile(d, 1 - p), x, 1e-9 * (1 + std::abs(x)));
    previous = x;
  }
}

TEST(StatsDistributions, Laws) {
  expect_laws(Normal{2, 3});
  for (const double df : {0.5, 1.0, 2.5, 30.0, 1e4}) {
    expect_laws(StudentT{df});
    expect_laws(ChiSquare{df});
    expect_laws(FisherF{df, 7});
  }
}

}  // namespace
}  // namespace sextant::stats
