#include "sextant/queueing/distribution.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "error_of.h"
#include "sextant/stats/summary.h"

namespace sextant::queueing {
namespace {

using sextant::test::error_of;

const std::vector<double> kTimes = {0.5, 1.2, 0.3, 2.2, 0.9, 1.7, 0.1, 3.1, 0.8, 1.4};

double likelihood(const Distribution& d, const std::vector<double>& values) {
  double sum = 0;
  for (const double x : values) sum += log_density(d, x);
  return sum;
}

TEST(Distribution, FitsAgreeWithScipy) {
  // scipy.stats.gamma.fit(x, floc=0) and so on, 1.10.1; for Weibull, whose fit there stops early, the
  // equation of its shape solved by scipy.optimize.brentq.
  const auto gamma = std::get<Gamma>(fit_distribution(Family::gamma, kTimes));
  EXPECT_NEAR(gamma.shape, 1.5551757, 1e-6);
  EXPECT_NEAR(gamma.scale, 0.7844773, 1e-6);
  const auto weibull = std::get<Weibull>(fit_distribution(Family::weibull, kTimes));
  EXPECT_NEAR(weibull.shape, 1.3571527003, 1e-9);
  EXPECT_NEAR(weibull.scale, 1.3288189957, 1e-9);
  const auto lognormal = std::get<LogNormal>(fit_distribution(Family::lognormal, kTimes));
  EXPECT_NEAR(lognormal.mu, -0.1558928, 1e-6);
  EXPECT_NEAR(lognormal.sigma, 0.9684796, 1e-6);
  EXPECT_NEAR(likelihood(gamma, kTimes), -11.4685523, 1e-6);
  EXPECT_NEAR(likelihood(weibull, kTimes), -11.3611434, 1e-6);
  EXPECT_NEAR(likelihood(lognormal, kTimes), -12.3101788, 1e-6);
  EXPECT_DOUBLE_EQ(std::get<Exponential>(fit_distribution(Family::exponential, kTimes)).mean, 1.22);
}

TEST(Distribution, HyperexponentialReachesTheLargestLikelihood) {
  // Maximised by scipy.optimize.minimize (Nelder-Mead): 0.6994857 of mean 0.1782153, else 5.1312285.
  const std::vector<double> mixed = {0.1, 0.05, 0.3, 0.2,  0.02, 4,    7, 0.15,
                                     0.4, 0.25, 9,   0.08, 0.12, 0.33, 3};
  const auto d = std::get<HyperExponential>(fit_distribution(Family::hyperexponential, mixed));
  EXPECT_NEAR(d.p, 0.6994857, 1e-3);
  EXPECT_NEAR(d.mean1, 0.1782153, 1e-3);
  EXPECT_NEAR(d.mean2, 5.1312285, 2e-2);
  EXPECT_NEAR(likelihood(d, mixed), -11.4889079, 1e-5);
}

TEST(Distribution, FunctionsAgreeWithScipy) {
  EXPECT_NEAR(cdf(Gamma{2.5, 0.4}, 1.3), 0.73944154, 1e-8);
  EXPECT_NEAR(quantile(Weibull{1.7, 2}, 0.3), 1.09058856, 1e-8);
  EXPECT_NEAR(quantile(LogNormal{0.2, 0.5}, 0.9), 2.31816467, 1e-8);
}

const std::vector<Distribution> kSome = {
    Exponential{2},    Gamma{0.4, 3},   Gamma{6, 0.2},  HyperExponential{0.8, 1, 9},
    LogNormal{1, 0.8}, Weibull{0.7, 2}, Weibull{3, 0.5}};

TEST(Distribution, QuantileInvertsCdf) {
  for (const auto& d : kSome) {
    for (const double p : {1e-6, 0.1, 0.5, 0.95, 0.9999}) {
      EXPECT_NEAR(cdf(d, quantile(d, p)), p, 1e-9) << describe(d);
    }
    EXPECT_EQ(cdf(d, -1), 0);
    // The density is the derivative of the distribution function.
    const double x = quantile(d, 0.4);
    const double h = 1e-5 * x;
    EXPECT_NEAR((cdf(d, x + h) - cdf(d, x - h)) / (2 * h), std::exp(log_density(d, x)), 1e-5 / x)
        << describe(d);
  }
}

TEST(Distribution, DrawsHaveTheMomentsAndAreFittedBack) {
  for (const auto& d : kSome) {
    Rng rng = Rng(11).stream(describe(d));
    std::vector<double> sample(40'000);
    for (double& x : sample) x = draw(d, rng);
    EXPECT_NEAR(stats::mean(sample), mean(d), 5 * std::sqrt(scv(d) / 40'000) * mean(d)) << describe(d);
    EXPECT_NEAR(sample_scv(sample), scv(d), 0.12 * scv(d) + 0.01) << describe(d);
    const Distribution fitted = fit_distribution(family_of(d), sample);
    EXPECT_NEAR(mean(fitted), mean(d), 0.05 * mean(d)) << describe(fitted);
    EXPECT_NEAR(scv(fitted), scv(d), 0.12 * scv(d)) << describe(fitted);
  }
}

TEST(Distribution, FitsDoNotDependOnTheUnit) {
  for (const Family family : {Family::gamma, Family::weibull, Family::lognormal, Family::exponential}) {
    const Distribution base = fit_distribution(family, kTimes);
    for (const double unit : {1e-100, 1e-6, 1e6, 1e100}) {
      std::vector<double> other = kTimes;
      for (double& x : other) x *= unit;
      const Distribution d = fit_distribution(family, other);
      EXPECT_NEAR(mean(d) / unit, mean(base), 1e-9) << to_string(family) << unit;
      EXPECT_NEAR(scv(d), scv(base), 1e-9) << to_string(family) << unit;
    }
  }
}

TEST(Distribution, FamiliesThatCannotBeFittedSayWhy) {
  const std::vector<double> same(5, 3.0);
  EXPECT_EQ(std::get<Constant>(fit_distribution(Family::constant, same)).value, 3);
  for (const Family family : all_families()) {
    if (family == Family::constant) continue;
    EXPECT_EQ(error_of([&] { fit_distribution(family, same); }), "error: the times are all equal");
  }
  const std::vector<double> zero = {0, 1, 2};
  for (const Family family : {Family::gamma, Family::lognormal, Family::weibull}) {
    EXPECT_NE(error_of([&] { fit_distribution(family, zero); }).find("time of 0"), std::string::npos);
  }
  EXPECT_NE(error_of([] { fit_distribution(Family::hyperexponential, kTimes); }).find("scv"),
            std::string::npos);
  EXPECT_NE(error_of([] { fit_distribution(Family::constant, kTimes); }), "no error");
}

TEST(Distribution, BadSamples) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::vector<double>& bad :
       {std::vector<double>{}, {1}, {1, -1}, {1, nan}, {0, 0, 0}, {1e200, 1}, {1e-320, 2e-320}}) {
    EXPECT_NE(error_of([&] { fit_distribution(Family::exponential, bad); }), "no error");
  }
}

}  // namespace
}  // namespace sextant::queueing
