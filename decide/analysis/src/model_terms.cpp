#include "model_terms.h"

#include <algorithm>
#include <cmath>

#include "sextant/stats/summary.h"

namespace sextant::analysis {
namespace {

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

Eigen::VectorXd centred_numbers(const AnalysisFactor& factor) {
  const double centre = stats::mean(factor.number);
  return Eigen::Map<const Eigen::VectorXd>(factor.number.data(), index(factor.number.size())).array() -
         centre;
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

std::size_t term_width(const AnalysisTable& table, const TermFactors& term) {
  std::size_t width = 1;
  for (const std::size_t f : term) {
    width *= table.factors[f].covariate ? 1 : table.factors[f].levels.size() - 1;
  }
  return width;
}

std::size_t model_width(const AnalysisTable& table, int order) {
  std::size_t width = 0;
  for (const TermFactors& term : terms_up_to(table.factors.size(), order)) width += term_width(table, term);
  return width;
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

double covariate_norm(const AnalysisFactor& factor) {
  return centred_numbers(factor).stableNorm();
}

Eigen::MatrixXd factor_columns(const AnalysisFactor& factor, std::span<const std::size_t> rows) {
  if (factor.covariate) {
    const Eigen::VectorXd centred = centred_numbers(factor);
    const double norm = centred.stableNorm();
    Eigen::MatrixXd column(index(rows.size()), 1);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      column(index(i), 0) = norm > 0 ? centred(index(rows[i])) / norm : 0;
    }
    return column;
  }
  const Eigen::Index last = index(factor.levels.size()) - 1;
  Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(index(rows.size()), last);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Eigen::Index level = index(factor.level[rows[i]]);
    if (level < last) {
      columns(index(i), level) = 1;
    } else {
      columns.row(index(i)).setConstant(-1);
    }
  }
  return columns;
}

Eigen::MatrixXd term_columns(const AnalysisTable& table, const TermFactors& term,
                             std::span<const std::size_t> rows) {
  Eigen::MatrixXd columns = factor_columns(table.factors[term.front()], rows);
  for (std::size_t i = 1; i < term.size(); ++i) {
    columns = products(columns, factor_columns(table.factors[term[i]], rows));
  }
  return columns;
}

}  // namespace sextant::analysis
