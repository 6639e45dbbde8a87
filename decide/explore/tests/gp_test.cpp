// Gaussian process: worked numbers, and laws against brute force.
#include "gp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sextant/core/rng.h"

namespace sextant::explore {
namespace {

constexpr double kFixed = std::numeric_limits<double>::infinity();

GpKernel plain(Eigen::Index rows, double noise) {
  return {.inverse_length = Eigen::VectorXd::Ones(rows), .noise = noise};
}

GpPoints random_points(Eigen::Index rows, Eigen::Index count, Rng& rng) {
  GpPoints points(rows, count);
  for (double& x : points.reshaped()) x = rng.uniform();
  return points;
}

GpKernel full_kernel(Eigen::Index rows, Rng& rng) {
  GpKernel kernel = plain(rows, 0.01);
  for (double& x : kernel.inverse_length) x = 0.3 + 3 * rng.uniform();
  kernel.mean_variance = 2;
  kernel.slope_variance = 0.2;
  kernel.step = GpStep{0, 0.4, 1.5};
  return kernel;
}

TEST(Gp, MaternAsTabulated) {
  // Recomputed from (1 + s + s^2/3) exp(-s), s = sqrt(5) r.
  EXPECT_NEAR(matern52(0), 1, 1e-15);
  EXPECT_NEAR(matern52(0.5), 0.828649, 5e-7);
  EXPECT_NEAR(matern52(1), 0.523994, 5e-7);
  EXPECT_NEAR(matern52(2), 0.138660, 5e-7);
}

// Points 0 -> 1 and 1 -> -1, length 1, noise 0.01. By hand: K = [1.01 k; k 1.01], k = matern52(1).
TEST(Gp, PosteriorOfTwoPoints) {
  const GpData data{(GpPoints(1, 2) << 0, 1).finished(), Eigen::Vector2d(1, -1), {}};
  const GaussianProcess process(plain(1, 0.01), data, {kFixed, 1});
  const GpPrediction at = process.predict((GpPoints(1, 3) << 0.25, 0.5, 2).finished());
  EXPECT_NEAR(at.mean[0], 0.566479, 5e-7);
  EXPECT_NEAR(at.variance[0], 0.059614, 5e-7);
  EXPECT_NEAR(at.mean[1], 0, 1e-12);
  EXPECT_NEAR(at.variance[1], 0.104743, 5e-7);
  EXPECT_NEAR(at.mean[2], -0.792858, 5e-7);
  EXPECT_NEAR(at.variance[2], 0.704116, 5e-7);
}

TEST(Gp, CovarianceIsTheSumOfItsTerms) {
  Rng rng = Rng(1).stream("gp");
  const GpKernel kernel = full_kernel(3, rng);
  const GpPoints a = random_points(3, 4, rng);
  const GpPoints b = random_points(3, 5, rng);
  const Eigen::MatrixXd k = covariance(kernel, a, b);
  for (Eigen::Index i = 0; i < 4; ++i) {
    for (Eigen::Index j = 0; j < 5; ++j) {
      const Eigen::VectorXd u = kernel.inverse_length.cwiseProduct(a.col(i));
      const Eigen::VectorXd v = kernel.inverse_length.cwiseProduct(b.col(j));
      const double step = a(0, i) > 0.4 && b(0, j) > 0.4 ? 1.5 : 0;
      EXPECT_NEAR(k(i, j), matern52((u - v).norm()) + 2 + 0.2 * u.dot(v) + step, 1e-12);
    }
  }
  const Eigen::VectorXd self = self_covariance(kernel, a);
  const Eigen::MatrixXd all = covariance(kernel, a, a);
  EXPECT_LT((self - all.diagonal()).norm(), 1e-7);  // a root near 0 turns 1e-16 into 1e-8
}

TEST(Gp, PosteriorEqualsBruteForce) {
  Rng rng = Rng(2).stream("gp");
  for (int round = 0; round < 20; ++round) {
    const GpKernel kernel = full_kernel(2, rng);
    GpData data{random_points(2, 9, rng), Eigen::VectorXd(9), Eigen::VectorXd(9)};
    for (double& y : data.values) y = rng.normal();
    for (double& noise : data.extra_noise) noise = rng.uniform();
    const GpPoints at = random_points(2, 5, rng);
    Eigen::MatrixXd k = covariance(kernel, data.points, data.points);
    k.diagonal() += data.extra_noise;
    k.diagonal().array() += kernel.noise;
    const Eigen::MatrixXd inverse = k.inverse();
    const Eigen::MatrixXd cross = covariance(kernel, data.points, at);
    const GaussianProcess process(kernel, data, {kFixed, 1.7});
    const GpPrediction found = process.predict(at);
    EXPECT_LT((found.mean - cross.transpose() * inverse * data.values).norm(), 1e-8);
    const Eigen::VectorXd variance =
        1.7 * (self_covariance(kernel, at) - (cross.transpose() * inverse * cross).diagonal());
    EXPECT_LT((found.variance - variance).norm(), 1e-7);
    const double density = -0.5 * std::log((2 * M_PI * 1.7 * k).determinant()) -
                           0.5 * data.values.dot(inverse * data.values) / 1.7;
    EXPECT_NEAR(process.log_likelihood(), density, 1e-7);
    // No bound is below what it bounds.
    const Eigen::VectorXd bound = process.variance_bound(cross, self_covariance(kernel, at));
    for (Eigen::Index i = 0; i < 5; ++i) EXPECT_GE(bound[i] + 1e-9, found.variance[i]);
  }
}

// The integral over the variance, by quadrature over its logarithm.
TEST(Gp, ScaleIsIntegratedOut) {
  Rng rng = Rng(3).stream("gp");
  const GpKernel kernel = full_kernel(2, rng);
  GpData data{random_points(2, 4, rng), Eigen::Vector4d(0.3, -0.8, 0.1, 0.9), {}};
  const double shape = 1.5;
  const double typical = 0.4;
  const double rate = shape * typical;
  double density = 0;
  double scale = 0;
  const double width = 1e-3;
  for (double log_s = -12; log_s < 12; log_s += width) {
    const double s = std::exp(log_s);
    const double prior = std::exp(shape * std::log(rate) - std::lgamma(shape) - shape * log_s - rate / s);
    const double joint =
        prior * std::exp(GaussianProcess(kernel, data, {kFixed, s}).log_likelihood()) * width;
    density += joint;
    scale += joint / s;
  }
  const GaussianProcess process(kernel, data, {shape, typical});
  EXPECT_NEAR(process.log_likelihood(), std::log(density), 1e-5);
  EXPECT_NEAR(1 / process.scale(), scale / density, 1e-4 / process.scale());
}

TEST(Gp, EqualPointsWithoutNoiseAreMended) {
  GpKernel kernel = plain(1, 0);
  const GpData data{GpPoints::Zero(1, 6), Eigen::VectorXd::Ones(6), {}};
  const GpPrediction at = GaussianProcess(kernel, data, {kFixed, 1}).predict(GpPoints::Zero(1, 1));
  EXPECT_NEAR(at.mean[0], 1, 1e-4);
  EXPECT_GE(at.variance[0], 0);
}

}  // namespace
}  // namespace sextant::explore
