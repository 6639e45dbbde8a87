#include "stepwise.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "sextant/core/error.h"
#include "sextant/stats/distributions.h"

namespace sextant::learn {
namespace {

// Below this share of the total the residuals are rounding, and everything would correlate with them.
constexpr double kRounding = 1e-20;
// A column that keeps less than this share of its norm is a combination of those inside.
constexpr double kDependent = 1e-10;

// Columns that differ by rounding only: the first one counts.
constexpr double kTie = 1e-12;

struct Choice {
  std::size_t column = 0;
  double f = 0;
};

class Selection {
 public:
  Selection(const stats::Design& design, const StepwiseOptions& options)
      : design_(design), options_(options) {
    const auto n = static_cast<Eigen::Index>(design.y.size());
    root_weight_ = Eigen::VectorXd::Ones(n);
    for (std::size_t i = 0; i < design.weights.size(); ++i) {
      root_weight_[static_cast<Eigen::Index>(i)] = std::sqrt(design.weights[i]);
    }
    const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> x(
        design.x.data(), n, static_cast<Eigen::Index>(design.x.columns()));
    x_ = root_weight_.asDiagonal() * x;
    y_ = root_weight_.cwiseProduct(Eigen::Map<const Eigen::VectorXd>(design.y.data(), n));
    project();
    total_ = r_.squaredNorm();
  }

  std::vector<std::size_t> run() {
    std::set<std::vector<std::size_t>> visited;
    for (int pass = 0; pass < options_.max_passes; ++pass) {
      const bool entered = enter();
      const bool removed = remove();
      if (!entered && !removed) break;
      std::vector<std::size_t> sorted = inside_;
      std::ranges::sort(sorted);
      if (!visited.insert(sorted).second) break;
    }
    return inside_;
  }

 private:
  // An orthonormal basis of the intercept and the columns inside.
  [[nodiscard]] Eigen::MatrixXd basis() const {
    Eigen::MatrixXd columns(y_.size(), static_cast<Eigen::Index>(inside_.size()) + 1);
    columns.col(0) = root_weight_;
    for (std::size_t k = 0; k < inside_.size(); ++k) {
      columns.col(static_cast<Eigen::Index>(k) + 1) = x_.col(static_cast<Eigen::Index>(inside_[k]));
    }
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(columns);
    return qr.householderQ() * Eigen::MatrixXd::Identity(columns.rows(), columns.cols());
  }

  // Projected out twice: once leaves rounding of the size of the column.
  static Eigen::MatrixXd residual(const Eigen::MatrixXd& columns, const Eigen::MatrixXd& q) {
    Eigen::MatrixXd rest = columns - q * (q.transpose() * columns);
    rest -= q * (q.transpose() * rest);
    return rest;
  }

  [[nodiscard]] double df_after_entry() const {
    return static_cast<double>(y_.size()) - static_cast<double>(inside_.size()) - 2;
  }

  // What the columns inside leave of the others and of y.
  void project() {
    const Eigen::MatrixXd q = basis();
    rest_ = residual(x_, q);
    r_ = residual(y_, q);
  }

  bool enter() {
    if (df_after_entry() < 1 || r_.squaredNorm() <= kRounding * total_) return false;
    const auto best = candidate();
    if (!best || upper_tail(stats::FisherF{1, df_after_entry()}, best->f) >= options_.p_enter) return false;
    inside_.push_back(best->column);
    // One more direction to project out; the whole basis is needed only after a removal.
    const Eigen::VectorXd q = rest_.col(static_cast<Eigen::Index>(best->column)).normalized();
    rest_ -= q * (q.transpose() * rest_);
    r_ -= q * q.dot(r_);
    return true;
  }

  [[nodiscard]] std::optional<Choice> candidate() const {
    std::optional<Choice> best;
    double best_rank = -1;
    for (std::size_t j = 0; j < design_.x.columns(); ++j) {
      if (std::ranges::find(inside_, j) != inside_.end()) continue;
      const auto column = rest_.col(static_cast<Eigen::Index>(j));
      const double norm = column.norm();
      if (!(norm > kDependent * x_.col(static_cast<Eigen::Index>(j)).norm())) continue;
      const double along = column.dot(r_) / norm;
      const double gain = along * along;
      const double rank =
          options_.candidate == StepwiseCandidate::partial_f ? gain : std::abs(plain_correlation(j));
      if (rank <= best_rank * (1 + kTie)) continue;
      best_rank = rank;
      const double left = std::max(r_.squaredNorm() - gain, std::numeric_limits<double>::min());
      best = {j, gain / (left / df_after_entry())};
    }
    return best;
  }

  // With the column as it is, not orthogonalised against those inside; the residuals have mean 0.
  [[nodiscard]] double plain_correlation(std::size_t j) const {
    Eigen::VectorXd column = x_.col(static_cast<Eigen::Index>(j));
    column -= root_weight_ * (root_weight_.dot(column) / root_weight_.squaredNorm());
    const double norm = column.norm();
    return norm > 0 ? column.dot(r_) / norm : 0;
  }

  bool remove() {
    bool removed = false;
    while (!inside_.empty()) {
      stats::Design current{
          .x = design_.x.select_columns(inside_), .y = design_.y, .names = {}, .weights = design_.weights};
      const stats::OlsFit fit = fit_ols(current);
      std::size_t worst = 0;
      double highest = -1;
      for (const auto& term : fit.terms) {
        if (!term.column || term.p <= highest) continue;
        highest = term.p;
        worst = *term.column;
      }
      if (highest <= options_.p_remove) break;
      inside_.erase(inside_.begin() + static_cast<std::ptrdiff_t>(worst));
      removed = true;
      if (options_.candidate == StepwiseCandidate::residual_correlation) break;
    }
    if (removed) project();
    return removed;
  }

  const stats::Design& design_;
  const StepwiseOptions& options_;
  Eigen::VectorXd root_weight_;
  Eigen::MatrixXd x_;
  Eigen::VectorXd y_;
  Eigen::MatrixXd rest_;
  Eigen::VectorXd r_;
  double total_ = 0;
  std::vector<std::size_t> inside_;
};

}  // namespace

std::vector<std::size_t> select_stepwise(const stats::Design& design, const StepwiseOptions& options) {
  if (options.p_remove < options.p_enter) {
    throw InputError({}, "stepwise selection needs p-remove of at least p-enter",
                     "otherwise a term could enter and leave for ever");
  }
  return Selection(design, options).run();
}

}  // namespace sextant::learn
