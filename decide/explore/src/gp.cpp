#include "gp.h"

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace sextant::explore {
namespace {

Eigen::VectorXd above(const GpStep& step, const GpPoints& points) {
  return (points.row(step.row).array() > step.threshold).cast<double>().matrix().transpose();
}

Eigen::MatrixXd cholesky(const Eigen::MatrixXd& matrix) {
  for (double jitter = 0; jitter <= 1.0; jitter = jitter == 0 ? 1e-10 : jitter * 100) {
    Eigen::MatrixXd tried = matrix;
    tried.diagonal().array() += jitter;
    const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(tried);
    if (factor.info() == Eigen::Success) return tried;
  }
  throw std::logic_error("covariance matrix is not positive definite");
}

// std::lgamma writes a global sign.
double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

}  // namespace

double matern52(double r) {
  const double s = std::sqrt(5.0) * r;
  return (1 + s + s * s / 3) * std::exp(-s);
}

// Squared distances by |a|^2 + |b|^2 - 2ab, one matrix product for all pairs; then column by column in place,
// since large temporaries cost more than the arithmetic.
Eigen::MatrixXd covariance(const GpKernel& kernel, const GpPoints& a, const GpPoints& b) {
  const Eigen::MatrixXd scaled_a = kernel.inverse_length.asDiagonal() * a;
  const Eigen::MatrixXd scaled_b = kernel.inverse_length.asDiagonal() * b;
  const Eigen::ArrayXd norms_a = scaled_a.colwise().squaredNorm().transpose();
  const Eigen::VectorXd above_a = kernel.step ? above(*kernel.step, a) : Eigen::VectorXd();
  Eigen::MatrixXd k(a.cols(), b.cols());
  k.noalias() = scaled_a.transpose() * scaled_b;
  Eigen::ArrayXd s(a.cols());
  for (Eigen::Index j = 0; j < b.cols(); ++j) {
    auto column = k.col(j).array();
    s = (5.0 * (norms_a + (scaled_b.col(j).squaredNorm() - 2.0 * column)).max(0.0)).sqrt();
    column =
        (1.0 + s + s.square() / 3.0) * (-s).exp() + (kernel.mean_variance + kernel.slope_variance * column);
    if (kernel.step && b(kernel.step->row, j) > kernel.step->threshold) {
      k.col(j) += kernel.step->variance * above_a;
    }
  }
  return k;
}

Eigen::VectorXd self_covariance(const GpKernel& kernel, const GpPoints& points) {
  Eigen::VectorXd k = Eigen::VectorXd::Constant(points.cols(), 1 + kernel.mean_variance);
  if (kernel.slope_variance > 0) {
    k += kernel.slope_variance *
         (kernel.inverse_length.asDiagonal() * points).colwise().squaredNorm().transpose();
  }
  if (kernel.step) k += kernel.step->variance * above(*kernel.step, points);
  return k;
}

GaussianProcess::GaussianProcess(GpKernel kernel, const GpData& data, const ScalePrior& prior)
    : kernel_(std::move(kernel)), points_(data.points) {
  const auto n = static_cast<double>(data.values.size());
  Eigen::MatrixXd matrix = covariance(kernel_, points_, points_);
  matrix.diagonal().array() += kernel_.noise;
  if (data.extra_noise.size() > 0) matrix.diagonal() += data.extra_noise;
  diagonal_ = matrix.diagonal();
  factor_ = cholesky(matrix);
  const Eigen::VectorXd whitened = factor_.triangularView<Eigen::Lower>().solve(data.values);
  alpha_ = factor_.transpose().triangularView<Eigen::Upper>().solve(whitened);
  const double squares = whitened.squaredNorm();
  const double half_log_det = factor_.diagonal().array().log().sum();
  if (std::isinf(prior.shape)) {
    scale_ = prior.typical;
    log_likelihood_ =
        -half_log_det - squares / (2 * scale_) - n / 2 * std::log(2 * std::numbers::pi * scale_);
    return;
  }
  // Multivariate Student t with 2 * shape degrees of freedom.
  const double rate = prior.shape * prior.typical;
  const double shape = prior.shape + n / 2;
  scale_ = (rate + squares / 2) / shape;
  log_likelihood_ = log_gamma(shape) - log_gamma(prior.shape) - n / 2 * std::log(2 * std::numbers::pi) -
                    half_log_det + prior.shape * std::log(rate) - shape * std::log(rate + squares / 2);
}

GpPrediction GaussianProcess::predict(const GpPoints& at) const {
  Eigen::MatrixXd cross = covariance(kernel_, points_, at);
  return predict(cross, self_covariance(kernel_, at));
}

GpPrediction GaussianProcess::predict(Eigen::MatrixXd& cross, const Eigen::VectorXd& self) const {
  GpPrediction result;
  result.mean = cross.transpose() * alpha_;
  factor_.triangularView<Eigen::Lower>().solveInPlace(cross);
  result.variance = scale_ * (self - cross.colwise().squaredNorm().transpose()).cwiseMax(0.0);
  return result;
}

Eigen::VectorXd GaussianProcess::variance_bound(const Eigen::MatrixXd& cross,
                                                const Eigen::VectorXd& self) const {
  const Eigen::VectorXd inverse = diagonal_.cwiseInverse();
  const Eigen::VectorXd explained =
      (inverse.asDiagonal() * cross.cwiseAbs2()).colwise().maxCoeff().transpose();
  return scale_ * (self - explained).cwiseMax(0.0);
}

}  // namespace sextant::explore
