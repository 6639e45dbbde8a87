#include "least_squares.h"

#include <Eigen/Dense>
#include <cmath>

namespace sextant::collectives {
namespace {

constexpr double kDifference = 1e-5;
constexpr double kEnough = 1e-6;
constexpr int kMostSteps = 100;
constexpr int kMostTries = 12;

Eigen::VectorXd as_vector(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

Eigen::MatrixXd jacobian(const Residuals& residuals, std::vector<double> at, const Eigen::VectorXd& here) {
  Eigen::MatrixXd j(here.size(), static_cast<Eigen::Index>(at.size()));
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double value = at[i];
    at[i] = value + kDifference;
    j.col(static_cast<Eigen::Index>(i)) = (as_vector(residuals(at)) - here) / kDifference;
    at[i] = value;
  }
  return j;
}

}  // namespace

std::vector<double> least_squares(const Residuals& residuals, std::vector<double> start) {
  std::vector<double> at = std::move(start);
  Eigen::VectorXd r = as_vector(residuals(at));
  double damping = 1e-3;
  for (int step = 0; step < kMostSteps; ++step) {
    const Eigen::MatrixXd j = jacobian(residuals, at, r);
    const Eigen::MatrixXd normal = j.transpose() * j;
    const Eigen::VectorXd downhill = -j.transpose() * r;
    double gain = 0;
    for (int attempt = 0; attempt < kMostTries && gain <= 0; ++attempt) {
      Eigen::MatrixXd damped = normal;
      damped.diagonal() *= 1 + damping;
      const Eigen::VectorXd move = damped.ldlt().solve(downhill);
      std::vector<double> trial = at;
      for (std::size_t i = 0; i < at.size(); ++i) trial[i] += move[static_cast<Eigen::Index>(i)];
      const Eigen::VectorXd there = as_vector(residuals(trial));
      gain = 1 - there.squaredNorm() / r.squaredNorm();
      if (!(gain > 0)) {
        gain = 0;
        damping *= 4;
        continue;
      }
      damping = std::max(1e-9, damping / 4);
      at = std::move(trial);
      r = there;
    }
    if (gain < kEnough) break;
  }
  return at;
}

}  // namespace sextant::collectives
