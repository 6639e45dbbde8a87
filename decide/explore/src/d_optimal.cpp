#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "eigen_matrix.h"
#include "optimal_design.h"
#include "sextant/core/error.h"

namespace sextant::explore {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Index = Eigen::Index;

// Minus infinity for a singular matrix.
double log_det(const MatrixXd& information) {
  const Eigen::LDLT<MatrixXd> factors(information);
  const VectorXd diagonal = factors.vectorD();
  if (diagonal.minCoeff() <= 1e-13 * std::max(diagonal.maxCoeff(), 1e-300)) {
    return -std::numeric_limits<double>::infinity();
  }
  return diagonal.array().log().sum();
}

// One search from one start.
class Exchange {
 public:
  Exchange(const MatrixXd& rows, std::size_t runs, Rng& rng) : rows_(rows) {
    std::vector<Index> order(static_cast<std::size_t>(rows.rows()));
    std::iota(order.begin(), order.end(), Index{0});
    for (std::size_t i = 0; i < runs; ++i) std::swap(order[i], order[i + rng.below(order.size() - i)]);
    chosen_.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(runs));
    free_ = VectorXd::Ones(rows.rows());
    for (const Index row : chosen_) free_(row) = 0;
  }

  double run() {
    constexpr int kSweeps = 100;
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      refresh();
      bool changed = false;
      for (Index& place : chosen_) changed = improve(place) || changed;
      if (!changed) break;
    }
    return log_det(information());
  }

  [[nodiscard]] std::vector<std::size_t> chosen() const {
    std::vector<std::size_t> result(chosen_.begin(), chosen_.end());
    std::ranges::sort(result);
    return result;
  }

 private:
  [[nodiscard]] MatrixXd information() const {
    MatrixXd sum = MatrixXd::Zero(rows_.cols(), rows_.cols());
    for (const Index row : chosen_) sum += rows_.row(row).transpose() * rows_.row(row);
    return sum;
  }

  // A little on the diagonal lets a singular start grow; it is nothing beside the rows.
  void refresh() {
    MatrixXd sum = information();
    sum.diagonal().array() += 1e-7;
    inverse_ = sum.ldlt().solve(MatrixXd::Identity(sum.rows(), sum.cols()));
    variance_ = (rows_ * inverse_).cwiseProduct(rows_).rowwise().sum();
  }

  // Of an exchange the determinant grows by (1 + d_in)(1 - d_out) + d_io^2.
  bool improve(Index& place) {
    const VectorXd cross = rows_ * (inverse_ * rows_.row(place).transpose());
    const double out = variance_(place);
    const VectorXd gain = ((1 + variance_.array()) * (1 - out) + cross.array().square()) * free_.array();
    Index best = 0;
    if (gain.maxCoeff(&best) <= 1 + 1e-9) return false;
    update(best, 1);
    update(place, -1);
    free_(place) = 1;
    free_(best) = 0;
    place = best;
    return true;
  }

  // Sherman and Morrison, for a row that comes (1) or goes (-1).
  void update(Index row, double sign) {
    const VectorXd step = inverse_ * rows_.row(row).transpose();
    const double scale = sign / (1 + sign * rows_.row(row).dot(step));
    inverse_ -= scale * step * step.transpose();
    variance_ -= scale * (rows_ * step).array().square().matrix();
  }

  const MatrixXd& rows_;
  std::vector<Index> chosen_;
  VectorXd free_;
  MatrixXd inverse_;
  VectorXd variance_;
};

void check(const stats::Matrix& candidates, std::size_t runs) {
  const std::string terms = std::to_string(candidates.columns());
  if (runs < candidates.columns()) {
    throw InputError({}, std::to_string(runs) + " runs cannot estimate the " + terms + " terms of the model",
                     "take at least " + terms + ", or a smaller model");
  }
  if (runs > candidates.rows()) {
    throw InputError("there are only " + std::to_string(candidates.rows()) + " candidates for " +
                     std::to_string(runs) + " runs");
  }
}

}  // namespace

std::vector<std::size_t> d_optimal_rows(const stats::Matrix& candidates, const ExchangeOptions& options,
                                        Rng& rng) {
  check(candidates, options.runs);
  const MatrixXd rows = to_eigen(candidates);
  std::vector<std::size_t> best;
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t start = 0; start < std::max<std::size_t>(options.starts, 1); ++start) {
    Exchange exchange(rows, options.runs, rng);
    const double value = exchange.run();
    if (value <= most + 1e-12) continue;
    most = value;
    best = exchange.chosen();
  }
  if (best.empty()) {
    throw InputError({}, "no choice of runs can tell the terms of the model apart",
                     "take a smaller model, or loosen the constraints");
  }
  return best;
}

std::vector<double> d_optimal_weights(const stats::Matrix& candidates) {
  const MatrixXd rows = to_eigen(candidates);
  const auto terms = static_cast<double>(rows.cols());
  VectorXd weights = VectorXd::Constant(rows.rows(), 1 / static_cast<double>(rows.rows()));
  constexpr int kSteps = 1000;
  for (int step = 0; step < kSteps; ++step) {
    const MatrixXd information = rows.transpose() * weights.asDiagonal() * rows;
    const MatrixXd solved = information.ldlt().solve(rows.transpose());
    const VectorXd variance = rows.cwiseProduct(solved.transpose()).rowwise().sum();
    if (variance.maxCoeff() <= terms * 1.001) break;
    weights = weights.cwiseProduct(variance) / terms;
  }
  return {weights.begin(), weights.end()};
}

double d_efficiency(const stats::Matrix& candidates, const std::vector<std::size_t>& rows,
                    const std::vector<double>& weights) {
  const MatrixXd all = to_eigen(candidates);
  const Eigen::Map<const VectorXd> best(weights.data(), static_cast<Index>(weights.size()));
  MatrixXd own = MatrixXd::Zero(all.cols(), all.cols());
  for (const std::size_t row : rows) {
    const auto i = static_cast<Index>(row);
    own += all.row(i).transpose() * all.row(i) / static_cast<double>(rows.size());
  }
  const MatrixXd bound = all.transpose() * best.asDiagonal() * all;
  return std::exp((log_det(own) - log_det(bound)) / static_cast<double>(all.cols()));
}

}  // namespace sextant::explore
