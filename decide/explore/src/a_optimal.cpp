#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "eigen_matrix.h"
#include "optimal_design.h"
#include "sextant/core/error.h"

namespace sextant::explore {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Index = Eigen::Index;

// A basis of symmetric matrices, orthonormal under the trace of products.
std::vector<MatrixXd> symmetric_basis(Index size) {
  std::vector<MatrixXd> basis;
  for (Index i = 0; i < size; ++i) {
    for (Index j = i; j < size; ++j) {
      MatrixXd element = MatrixXd::Zero(size, size);
      element(i, j) = element(j, i) = i == j ? 1 : std::sqrt(0.5);
      basis.push_back(std::move(element));
    }
  }
  return basis;
}

// The objective depends on the weights only through the information matrix, so that its Hessian has the rank
// of that, however many candidates there are; with the barrier's diagonal, a Newton step costs as much as a
// few products with the terms (Woodbury).
class Barrier {
 public:
  explicit Barrier(const BoundedDesign& design)
      : terms_(to_eigen(design.terms)),
        costs_(Eigen::Map<const VectorXd>(design.costs.data(), static_cast<Index>(design.costs.size()))),
        budget_(design.budget),
        basis_(symmetric_basis(terms_.cols())) {
    const Index n = terms_.rows();
    spread_.resize(n, static_cast<Index>(basis_.size()) + 1);
    for (std::size_t b = 0; b < basis_.size(); ++b) {
      spread_.col(static_cast<Index>(b)) = (terms_ * basis_[b]).cwiseProduct(terms_).rowwise().sum();
    }
    spread_.col(spread_.cols() - 1) = costs_;
    weights_ = VectorXd::Constant(n, std::min(0.5, 0.5 * budget_ / costs_.sum()));
  }

  VectorXd solve() {
    const double sides = 2 * static_cast<double>(terms_.rows()) + 1;
    double value = trace(weights_);
    if (!std::isfinite(value)) {
      throw InputError({}, "the candidates cannot tell the terms of the model apart",
                       "give the factors more levels");
    }
    constexpr double kGap = 1e-8;
    constexpr double kGrowth = 8;
    for (double t = sides / value; sides / t > kGap * value; t *= kGrowth) {
      centre(t);
      value = trace(weights_);
    }
    return weights_;
  }

  [[nodiscard]] double trace(const VectorXd& weights) const {
    const Eigen::LDLT<MatrixXd> factors(information(weights));
    const VectorXd diagonal = factors.vectorD();
    if (diagonal.minCoeff() <= 1e-12 * diagonal.maxCoeff()) return std::numeric_limits<double>::infinity();
    return factors.solve(MatrixXd::Identity(terms_.cols(), terms_.cols())).trace();
  }

 private:
  [[nodiscard]] MatrixXd information(const VectorXd& weights) const {
    return terms_.transpose() * weights.asDiagonal() * terms_;
  }
  [[nodiscard]] double slack(const VectorXd& weights) const { return budget_ - costs_.dot(weights); }

  [[nodiscard]] double barrier(const VectorXd& weights, double t) const {
    if (weights.minCoeff() <= 0 || weights.maxCoeff() >= 1 || slack(weights) <= 0) {
      return std::numeric_limits<double>::infinity();
    }
    return t * trace(weights) - weights.array().log().sum() - (1 - weights.array()).log().sum() -
           std::log(slack(weights));
  }

  // Hessian of the trace in coordinates of the basis: 2 tr(P E P F P).
  [[nodiscard]] MatrixXd curvature(const MatrixXd& inverse) const {
    const auto size = static_cast<Index>(basis_.size());
    std::vector<MatrixXd> moved;
    for (const MatrixXd& element : basis_) moved.emplace_back(inverse * element * inverse);
    MatrixXd result(size, size);
    for (Index a = 0; a < size; ++a) {
      const MatrixXd left = moved[static_cast<std::size_t>(a)] * inverse;
      for (Index b = 0; b < size; ++b) {
        const MatrixXd& other = basis_[static_cast<std::size_t>(b)];
        result(a, b) = (left.cwiseProduct(other).sum() + left.transpose().cwiseProduct(other).sum());
      }
    }
    return result;
  }

  void centre(double t) {
    constexpr int kSteps = 60;
    for (int i = 0; i < kSteps; ++i) {
      if (!step(t)) return;
    }
  }

  bool step(double t) {
    const MatrixXd inverse =
        information(weights_).ldlt().solve(MatrixXd::Identity(terms_.cols(), terms_.cols()));
    const double rest = slack(weights_);
    const Eigen::ArrayXd w = weights_.array();
    const VectorXd slope = -(terms_ * inverse).rowwise().squaredNorm();
    const VectorXd gradient = (t * slope.array() - 1 / w + 1 / (1 - w) + costs_.array() / rest).matrix();
    const VectorXd diagonal = (1 / w.square() + 1 / (1 - w).square()).inverse().matrix();
    const Index rank = spread_.cols();
    MatrixXd core = MatrixXd::Zero(rank, rank);
    core.topLeftCorner(rank - 1, rank - 1) = t * curvature(inverse);
    core(rank - 1, rank - 1) = 1 / (rest * rest);
    const VectorXd scaled = diagonal.cwiseProduct(gradient);
    const MatrixXd gram = spread_.transpose() * diagonal.asDiagonal() * spread_;
    const MatrixXd system = MatrixXd::Identity(rank, rank) + core * gram;
    const VectorXd inner = system.partialPivLu().solve(core * (spread_.transpose() * scaled));
    const VectorXd direction = -(scaled - diagonal.cwiseProduct(spread_ * inner));
    const double decrease = -gradient.dot(direction);
    if (!(decrease > 1e-10)) return false;
    return search(direction, decrease, t);
  }

  bool search(const VectorXd& direction, double decrease, double t) {
    const double before = barrier(weights_, t);
    for (double length = 1; length > 1e-12; length /= 2) {
      const VectorXd next = weights_ + length * direction;
      if (barrier(next, t) > before - 0.1 * length * decrease) continue;
      weights_ = next;
      return true;
    }
    return false;
  }

  MatrixXd terms_;
  VectorXd costs_;
  double budget_;
  std::vector<MatrixXd> basis_;
  MatrixXd spread_;  // of each candidate: coordinates of its a a', and its cost
  VectorXd weights_;
};

}  // namespace

std::vector<double> a_optimal_weights(const BoundedDesign& design) {
  const VectorXd weights = Barrier(design).solve();
  return {weights.begin(), weights.end()};
}

double inverse_trace(const stats::Matrix& terms, const std::vector<double>& weights) {
  const MatrixXd rows = to_eigen(terms);
  const Eigen::Map<const VectorXd> given(weights.data(), static_cast<Index>(weights.size()));
  const MatrixXd information = rows.transpose() * given.asDiagonal() * rows;
  return information.inverse().trace();
}

}  // namespace sextant::explore
