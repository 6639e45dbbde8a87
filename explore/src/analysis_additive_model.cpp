#include <algorithm>
#include <cmath>

#include "additive_model.h"
#include "analysis_model_terms.h"
#include "sextant/core/error.h"
#include "sextant/core/stats/summary.h"

namespace sextant::analysis {

AdditiveModel fit_additive(const AnalysisTable& table) {
  AdditiveModel model{.fit = {}, .first_column = {}, .scale = {}};
  std::vector<Eigen::MatrixXd> blocks;
  Design design;
  for (const AnalysisFactor& factor : table.factors) {
    model.first_column.push_back(model.columns);
    blocks.push_back(factor_columns(factor));
    model.columns += static_cast<std::size_t>(blocks.back().cols());
    double scale = 1;
    if (factor.covariate) {
      const double centre = mean(factor.number);
      double squares = 0;
      for (const double value : factor.number) squares += (value - centre) * (value - centre);
      scale = std::sqrt(squares);
    }
    model.scale.push_back(scale);
  }
  if (model.columns >= table.rows()) {
    throw InputError({},
                     std::to_string(model.columns + 1) + " parameters for " + std::to_string(table.rows()) +
                         " runs: more levels than the runs can tell apart",
                     "name fewer factors with --factors, or add runs");
  }
  design.x = Matrix(table.rows(), model.columns);
  design.y = table.y;
  for (std::size_t f = 0; f < blocks.size(); ++f) {
    for (std::size_t i = 0; i < table.rows(); ++i) {
      for (Eigen::Index j = 0; j < blocks[f].cols(); ++j) {
        design.x(i, model.first_column[f] + static_cast<std::size_t>(j)) =
            blocks[f](static_cast<Eigen::Index>(i), j);
      }
    }
  }
  model.fit = fit_ols(design);
  return model;
}

std::vector<double> level_query(const AdditiveModel& model, const AnalysisTable& table, std::size_t factor,
                                std::size_t level) {
  std::vector<double> query(model.columns, 0);
  const Eigen::VectorXd contrast = level_contrast(table.factors[factor], level);
  for (Eigen::Index j = 0; j < contrast.size(); ++j) {
    query[model.first_column[factor] + static_cast<std::size_t>(j)] = contrast(j);
  }
  return query;
}

double difference_variance(const OlsFit& fit, std::span<const double> a, std::span<const double> b) {
  double total = 0;
  const std::size_t kept = fit.basis.columns.size();
  for (std::size_t k = 0; k < kept; ++k) {
    double along = 0;
    for (std::size_t i = 0; i < kept; ++i) {
      along += fit.basis.root(i, k) * (a[fit.basis.columns[i]] - b[fit.basis.columns[i]]);
    }
    total += along * along;
  }
  return total;
}

bool estimable(const OlsFit& fit, std::span<const double> query) {
  return std::ranges::all_of(fit.dropped, [&](const DroppedColumn& dropped) {
    double implied = dropped.offset;
    for (std::size_t i = 0; i < dropped.by_column.size(); ++i) {
      implied += dropped.by_column[i] * query[fit.basis.columns[i]];
    }
    return std::abs(implied - query[dropped.column]) <= std::max(dropped.tolerance, 1e-9);
  });
}

}  // namespace sextant::analysis
