// Gaussian-process regression with a Matern 5/2 kernel, a length scale per feature, and terms for an unknown
// mean and for a step above a threshold of one feature. The overall variance is integrated out under an
// inverse-gamma prior, so that a kernel is shape alone (Rasmussen, Williams 2006, chapters 2 and 5).
#pragma once

#include <Eigen/Dense>
#include <optional>

namespace sextant::explore {

// Points are columns: contiguous, and products of two sets are one matrix product.
using GpPoints = Eigen::MatrixXd;

// 1 above the threshold of a row of the points, else 0; its height is normal with this variance.
struct GpStep {
  Eigen::Index row = 0;
  double threshold = 0;
  double variance = 0;
};

// All variances are relative to that of the Matern term.
struct GpKernel {
  Eigen::VectorXd inverse_length;  // per row of the points
  double mean_variance = 0;        // of an unknown constant
  double slope_variance = 0;       // of unknown slopes, in units of the lengths: linear term
  std::optional<GpStep> step = {};
  double noise = 1e-4;
};

// k(r) / k(0) of Matern 5/2.
double matern52(double r);

// Without noise; a row per point of `a`, a column per point of `b`.
Eigen::MatrixXd covariance(const GpKernel& kernel, const GpPoints& a, const GpPoints& b);
// Of each point with itself, without noise.
Eigen::VectorXd self_covariance(const GpKernel& kernel, const GpPoints& points);

// Of the overall variance: inverse gamma with this shape and mean-like ratio rate / shape. A shape that is
// infinite fixes the variance.
struct ScalePrior {
  double shape = 1;
  double typical = 1;
};

// What is known: a value per point, and how much noisier than usual each is.
struct GpData {
  GpPoints points;
  Eigen::VectorXd values;
  Eigen::VectorXd extra_noise;  // added to the kernel's, relative to the Matern variance; empty: none
};

struct GpPrediction {
  Eigen::VectorXd mean;
  Eigen::VectorXd variance;  // of the function, without noise
};

class GaussianProcess {
 public:
  // Cholesky; where rounding makes the matrix indefinite, jitter from 1e-10 up is added to its diagonal.
  GaussianProcess(GpKernel kernel, const GpData& data, const ScalePrior& prior);

  [[nodiscard]] double log_likelihood() const { return log_likelihood_; }  // of the values, marginal
  [[nodiscard]] double scale() const { return scale_; }                    // overall variance, expected
  [[nodiscard]] double noise() const { return scale_ * kernel_.noise; }    // variance
  [[nodiscard]] const GpKernel& kernel() const { return kernel_; }

  [[nodiscard]] GpPrediction predict(const GpPoints& at) const;
  // The same from covariance(kernel, data.points, at), which is overwritten.
  [[nodiscard]] GpPrediction predict(Eigen::MatrixXd& cross, const Eigen::VectorXd& self) const;
  [[nodiscard]] Eigen::MatrixXd cross(const GpPoints& at) const { return covariance(kernel_, points_, at); }
  [[nodiscard]] Eigen::VectorXd mean(const Eigen::MatrixXd& cross) const {
    return cross.transpose() * alpha_;
  }
  // No less than the variance, from the most telling point alone: k(x, x) - k(x, x_i)^2 / k(x_i, x_i).
  [[nodiscard]] Eigen::VectorXd variance_bound(const Eigen::MatrixXd& cross,
                                               const Eigen::VectorXd& self) const;

 private:
  GpKernel kernel_;
  GpPoints points_;
  Eigen::MatrixXd factor_;  // lower triangle
  Eigen::VectorXd alpha_;
  Eigen::VectorXd diagonal_;  // of the covariance, noise included
  double log_likelihood_ = 0;
  double scale_ = 1;
};

}  // namespace sextant::explore
