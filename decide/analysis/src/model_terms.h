// Columns of a linear model over factors: sum-to-zero contrasts of levels, centred covariates, and products
// of both for interactions.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "sextant/analysis/analysis_table.h"

namespace sextant::analysis {

using TermFactors = std::vector<std::size_t>;  // ascending

// Factors one by one, then pairs, then threes, up to `order`.
std::vector<TermFactors> terms_up_to(std::size_t factors, int order);
bool contains(const TermFactors& larger, const TermFactors& smaller);
std::string term_name(const AnalysisTable& table, const TermFactors& term);

// Numbers of columns, of one term and of all up to `order`.
std::size_t term_width(const AnalysisTable& table, const TermFactors& term);
std::size_t model_width(const AnalysisTable& table, int order);
// A row for each of these runs; covariates are centred on the mean of all runs.
Eigen::MatrixXd term_columns(const AnalysisTable& table, const TermFactors& term,
                             std::span<const std::size_t> rows);
Eigen::MatrixXd factor_columns(const AnalysisFactor& factor, std::span<const std::size_t> rows);
// Contrast of one level: what its rows have in factor_columns().
Eigen::VectorXd level_contrast(const AnalysisFactor& factor, std::size_t level);
// What a covariate's column is divided by, after its mean was taken off.
double covariate_norm(const AnalysisFactor& factor);

}  // namespace sextant::analysis
