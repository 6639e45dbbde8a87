#include <Eigen/SVD>
#include <cmath>
#include <limits>
#include <vector>

#include "design.h"
#include "sextant/core/error.h"
#include "sextant/core/text.h"
#include "sextant/stats/linear_model.h"

namespace sextant::stats {
namespace {

// Factors s^2 / (s^2 + lambda) along the singular directions, and s / (s^2 + lambda) for the
// coefficients. Directions of rounding size carry nothing, whatever lambda is.
struct Shrinkage {
  Eigen::VectorXd hat;
  Eigen::VectorXd coefficient;
};

Shrinkage shrink(const Eigen::VectorXd& s, double lambda) {
  const double noise = s[0] * 1e-14;
  Shrinkage out{Eigen::VectorXd::Zero(s.size()), Eigen::VectorXd::Zero(s.size())};
  for (Eigen::Index k = 0; k < s.size(); ++k) {
    if (s[k] <= noise) continue;
    out.coefficient[k] = s[k] / (s[k] * s[k] + lambda);
    out.hat[k] = s[k] * out.coefficient[k];
  }
  return out;
}

// Rounding turns a constant column into noise about 0; that must not be fitted.
void clear_constant_columns(stats::PreparedDesign& d) {
  for (Eigen::Index j = 0; j < d.x.cols(); ++j) {
    if (d.x.col(j).stableNorm() < 1e-10 * d.x_norm[static_cast<std::size_t>(j)]) d.x.col(j).setZero();
  }
}

double press_of(const Eigen::VectorXd& residuals, const Eigen::VectorXd& leverages) {
  double press = 0;
  for (Eigen::Index i = 0; i < residuals.size(); ++i) {
    const double rest = 1 - leverages[i];
    const double loo = rest < 1e-10 ? std::numeric_limits<double>::infinity() : residuals[i] / rest;
    press += loo * loo;
  }
  return press;
}

}  // namespace

RidgeFit fit_ridge(const Design& design, double lambda) {
  stats::check_design(design, "ridge");
  if (!(lambda >= 0) || !std::isfinite(lambda)) {
    throw InputError({}, "ridge penalty " + number_text(lambda) + " is not a finite number of at least 0",
                     "0 is ordinary least squares");
  }
  stats::PreparedDesign d = stats::prepare(design, Intercept::fitted);
  clear_constant_columns(d);
  RidgeFit fit{
      .lambda = lambda, .intercept = d.y_mean, .coefficients = {}, .effective_df = 1, .residuals = {}};
  Eigen::VectorXd weighted = d.y;
  Eigen::VectorXd leverage = d.root_weight.array().square() / d.weight_sum;
  if (d.x.cols() > 0) {
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(d.x, Eigen::ComputeThinU | Eigen::ComputeThinV);
    const Shrinkage f = shrink(svd.singularValues(), lambda);
    const Eigen::VectorXd along = svd.matrixU().transpose() * d.y;
    weighted -= svd.matrixU() * f.hat.cwiseProduct(along);
    leverage += svd.matrixU().array().square().matrix() * f.hat;
    fit.coefficients = stats::to_vector(svd.matrixV() * f.coefficient.cwiseProduct(along));
    fit.effective_df += f.hat.sum();
  }
  for (std::size_t j = 0; j < d.x_mean.size(); ++j) fit.intercept -= fit.coefficients[j] * d.x_mean[j];
  fit.residuals = stats::unweighted(weighted, d);
  fit.rss = weighted.squaredNorm();
  fit.press = press_of(weighted, leverage);
  return fit;
}

double predict(const RidgeFit& fit, std::span<const double> x0) {
  stats::check_query(x0, fit.coefficients.size());
  return stats::linear_value(fit.intercept, fit.coefficients, x0);
}

}  // namespace sextant::stats
