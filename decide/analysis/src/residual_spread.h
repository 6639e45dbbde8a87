// Whether a model's residuals vary alike over the levels of a factor: Brown and Forsythe's test (JASA 69,
// 1974) for residuals that hang together. In a model of several factors they do: of two repetitions one
// residual is the other's negative, and the plain test then sees twice the runs that there are.
//
// Residuals are divided by the root of their share of the variance, m_ii with m = I - H. Of normal residuals
// with correlation r the covariance of absolute values is proportional to r asin r + sqrt(1 - r^2) - 1, which
// gives the sums of squares that equal variances would lead to, and degrees of freedom (Satterthwaite 1946).
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "sextant/analysis/anova.h"
#include "sextant/stats/hypothesis.h"

namespace sextant::analysis {

class ResidualSpread {
 public:
  // Of more than 2000 runs, 2000 evenly chosen.
  ResidualSpread(const AnalysisTable& table, const AnovaResult& result);
  // Over the levels with three runs or more; nothing where fewer than two have them.
  [[nodiscard]] std::optional<stats::FTest> test(const AnalysisFactor& factor) const;

 private:
  std::vector<std::size_t> runs_;  // those that the model leaves a residual
  std::vector<double> scaled_;     // residual of each over its standard deviation
  Eigen::MatrixXd covariance_;     // of the absolute values
};

}  // namespace sextant::analysis
