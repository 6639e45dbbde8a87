// Columns of a linear model over factors: sum-to-zero contrasts of levels, centred covariates, and products
// of both for interactions. And least squares on them, as projections.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "sextant/explore/analysis/analysis_table.h"

namespace sextant::analysis {

using TermFactors = std::vector<std::size_t>;  // ascending

// Factors one by one, then pairs, then threes, up to `order`.
std::vector<TermFactors> terms_up_to(std::size_t factors, int order);
bool contains(const TermFactors& larger, const TermFactors& smaller);
std::string term_name(const AnalysisTable& table, const TermFactors& term);

// A row per run.
Eigen::MatrixXd term_columns(const AnalysisTable& table, const TermFactors& term);
Eigen::MatrixXd factor_columns(const AnalysisFactor& factor);
// Contrast of one level: what its rows have in factor_columns().
Eigen::VectorXd level_contrast(const AnalysisFactor& factor, std::size_t level);

struct Projection {
  Eigen::VectorXd fitted;  // of y less its mean
  Eigen::Index rank = 0;   // without the mean
};
// Least squares of the centred y on these columns and a constant.
Projection project(const std::vector<Eigen::MatrixXd>& blocks, const Eigen::VectorXd& centred);
// y less its mean.
Eigen::VectorXd centred_response(const AnalysisTable& table);

}  // namespace sextant::analysis
