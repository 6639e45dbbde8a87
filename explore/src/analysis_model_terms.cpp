#include "analysis_model_terms.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "sextant/core/stats/summary.h"

namespace sextant::analysis {
namespace {

constexpr double kRankTolerance = 1e-10;  // of a column's norm

Eigen::Index index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

void add_terms(std::vector<TermFactors>& terms, TermFactors& chosen, std::size_t factors, int size) {
  if (static_cast<int>(chosen.size()) == size) {
    terms.push_back(chosen);
    return;
  }
  for (std::size_t f = chosen.empty() ? 0 : chosen.back() + 1; f < factors; ++f) {
    chosen.push_back(f);
    add_terms(terms, chosen, factors, size);
    chosen.pop_back();
  }
}

// Every column of a times every column of b.
Eigen::MatrixXd products(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  Eigen::MatrixXd out(a.rows(), a.cols() * b.cols());
  for (Eigen::Index i = 0; i < a.cols(); ++i) {
    for (Eigen::Index j = 0; j < b.cols(); ++j) {
      out.col(i * b.cols() + j) = a.col(i).cwiseProduct(b.col(j));
    }
  }
  return out;
}

}  // namespace

std::vector<TermFactors> terms_up_to(std::size_t factors, int order) {
  std::vector<TermFactors> terms;
  TermFactors chosen;
  for (int size = 1; size <= order; ++size) add_terms(terms, chosen, factors, size);
  return terms;
}

bool contains(const TermFactors& larger, const TermFactors& smaller) {
  return std::ranges::includes(larger, smaller);
}

std::string term_name(const AnalysisTable& table, const TermFactors& term) {
  std::string name;
  for (const std::size_t factor : term) name += (name.empty() ? "" : " x ") + table.factors[factor].name;
  return name;
}

Eigen::VectorXd level_contrast(const AnalysisFactor& factor, std::size_t level) {
  const Eigen::Index columns = index(factor.levels.size()) - 1;
  Eigen::VectorXd row = Eigen::VectorXd::Zero(columns);
  if (index(level) < columns) {
    row(index(level)) = 1;
  } else {
    row.setConstant(-1);
  }
  return row;
}

Eigen::MatrixXd factor_columns(const AnalysisFactor& factor) {
  const Eigen::Index rows = index(factor.level.size());
  if (factor.covariate) {
    const double centre = mean(factor.number);
    Eigen::MatrixXd column(rows, 1);
    for (Eigen::Index i = 0; i < rows; ++i)
      column(i, 0) = factor.number[static_cast<std::size_t>(i)] - centre;
    const double norm = column.stableNorm();
    return norm > 0 ? Eigen::MatrixXd(column / norm) : column;
  }
  Eigen::MatrixXd columns(rows, index(factor.levels.size()) - 1);
  for (Eigen::Index i = 0; i < rows; ++i) {
    columns.row(i) = level_contrast(factor, factor.level[static_cast<std::size_t>(i)]).transpose();
  }
  return columns;
}

Eigen::MatrixXd term_columns(const AnalysisTable& table, const TermFactors& term) {
  Eigen::MatrixXd columns = factor_columns(table.factors[term.front()]);
  for (std::size_t i = 1; i < term.size(); ++i) {
    columns = products(columns, factor_columns(table.factors[term[i]]));
  }
  return columns;
}

Projection project(const std::vector<Eigen::MatrixXd>& blocks, const Eigen::VectorXd& centred) {
  Eigen::Index width = 0;
  for (const Eigen::MatrixXd& block : blocks) width += block.cols();
  Eigen::MatrixXd x(centred.size(), width);
  Eigen::Index next = 0;
  for (const Eigen::MatrixXd& block : blocks) {
    for (Eigen::Index j = 0; j < block.cols(); ++j) {
      const double norm = block.col(j).stableNorm();
      x.col(next) = block.col(j).array() - block.col(j).mean();
      if (norm > 0) x.col(next) /= norm;
      ++next;
    }
  }
  Projection out{.fitted = Eigen::VectorXd::Zero(centred.size())};
  if (width == 0) return out;
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(x);
  const Eigen::Index most = std::min(x.rows(), x.cols());
  while (out.rank < most && std::abs(qr.matrixQR()(out.rank, out.rank)) >= kRankTolerance) ++out.rank;
  Eigen::VectorXd rotated = qr.householderQ().adjoint() * centred;
  rotated.tail(rotated.size() - out.rank).setZero();
  out.fitted = qr.householderQ() * rotated;
  return out;
}

Eigen::VectorXd centred_response(const AnalysisTable& table) {
  const double centre = mean(table.y);
  return Eigen::Map<const Eigen::VectorXd>(table.y.data(), index(table.y.size())).array() - centre;
}

}  // namespace sextant::analysis
