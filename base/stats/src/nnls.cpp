#include <Eigen/QR>
#include <algorithm>
#include <utility>
#include <vector>

#include "design.h"
#include "sextant/core/error.h"
#include "sextant/stats/linear_model.h"

namespace sextant::stats {
namespace {

// The active-set method on columns of norm 1 (a positive scale per column changes neither the
// constraint nor the fit). Free columns have a positive coefficient; the others are held at 0.
class ActiveSet {
 public:
  ActiveSet(Eigen::MatrixXd x, Eigen::VectorXd y)
      : x_(std::move(x)),
        y_(std::move(y)),
        theta_(Eigen::VectorXd::Zero(x_.cols())),
        free_(static_cast<std::size_t>(x_.cols()), false),
        barred_(free_.size(), false),
        tolerance_(1e-13 * y_.stableNorm()) {}

  // True when the optimality conditions hold.
  bool solve() {
    const Eigen::Index limit = 30 * (x_.cols() + 1);
    for (Eigen::Index step = 0; step < limit; ++step) {
      const Eigen::Index entering = steepest();
      if (entering < 0) return true;
      free_[static_cast<std::size_t>(entering)] = true;
      const Eigen::VectorXd target = least_squares();
      if (target[entering] <= 0) {  // its gradient was rounding: it cannot improve the fit now
        free_[static_cast<std::size_t>(entering)] = false;
        barred_[static_cast<std::size_t>(entering)] = true;
        continue;
      }
      move_to(target);
      std::fill(barred_.begin(), barred_.end(), false);
    }
    return false;
  }

  [[nodiscard]] const Eigen::VectorXd& theta() const { return theta_; }

 private:
  // The column held at 0 along which the residual falls fastest, or -1.
  [[nodiscard]] Eigen::Index steepest() const {
    const Eigen::VectorXd gradient = x_.transpose() * (y_ - x_ * theta_);
    Eigen::Index best = -1;
    for (Eigen::Index j = 0; j < x_.cols(); ++j) {
      const auto k = static_cast<std::size_t>(j);
      if (free_[k] || barred_[k] || gradient[j] <= tolerance_) continue;
      if (best < 0 || gradient[j] > gradient[best]) best = j;
    }
    return best;
  }

  [[nodiscard]] Eigen::VectorXd least_squares() const {
    std::vector<Eigen::Index> columns;
    for (Eigen::Index j = 0; j < x_.cols(); ++j) {
      if (free_[static_cast<std::size_t>(j)]) columns.push_back(j);
    }
    Eigen::VectorXd out = Eigen::VectorXd::Zero(x_.cols());
    if (!columns.empty()) {
      out(columns) = Eigen::MatrixXd(x_(Eigen::all, columns)).colPivHouseholderQr().solve(y_).eval();
    }
    return out;
  }

  // Towards the unconstrained optimum of the free columns; each one that reaches 0 is held there.
  void move_to(Eigen::VectorXd target) {
    while (true) {
      double reach = 1;
      Eigen::Index blocking = -1;
      for (Eigen::Index j = 0; j < target.size(); ++j) {
        if (!free_[static_cast<std::size_t>(j)] || target[j] > 0) continue;
        const double part = theta_[j] > 0 ? theta_[j] / (theta_[j] - target[j]) : 0;
        if (blocking < 0 || part < reach) {
          reach = part;
          blocking = j;
        }
      }
      theta_ += reach * (target - theta_);
      if (blocking < 0) return;
      theta_[blocking] = 0;
      free_[static_cast<std::size_t>(blocking)] = false;
      target = least_squares();
    }
  }

  Eigen::MatrixXd x_;
  Eigen::VectorXd y_;
  Eigen::VectorXd theta_;
  std::vector<bool> free_;
  std::vector<bool> barred_;
  double tolerance_;
};

}  // namespace

NnlsFit fit_nnls(const Design& design) {
  stats::check_design(design, "non-negative least squares");
  if (design.x.columns() == 0) {
    throw InputError({}, "non-negative least squares has no columns", "with_ones() adds a constant");
  }
  const stats::PreparedDesign d = stats::prepare(design, Intercept::none);
  Eigen::MatrixXd scaled = d.x;
  Eigen::VectorXd scale = Eigen::Map<const Eigen::VectorXd>(d.x_norm.data(), d.x.cols());
  for (Eigen::Index j = 0; j < scale.size(); ++j) {
    if (scale[j] == 0) scale[j] = 1;
    scaled.col(j) /= scale[j];
  }
  ActiveSet search(std::move(scaled), d.y);
  NnlsFit fit;
  fit.converged = search.solve();
  const Eigen::VectorXd theta = search.theta().cwiseQuotient(scale).cwiseMax(0.0);
  const Eigen::VectorXd weighted = d.y - d.x * theta;
  fit.coefficients = stats::to_vector(theta);
  fit.gradient = stats::to_vector(d.x.transpose() * weighted);
  fit.residuals = stats::unweighted(weighted, d);
  fit.rss = weighted.squaredNorm();
  return fit;
}

double predict(const NnlsFit& fit, std::span<const double> x0) {
  stats::check_query(x0, fit.coefficients.size());
  return stats::linear_value(0, fit.coefficients, x0);
}

}  // namespace sextant::stats
