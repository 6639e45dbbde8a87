// The model with all factors and no interactions as a fit with intervals: adjusted means and their
// differences come from it.
#pragma once

#include <vector>

#include "sextant/core/stats/linear_model.h"
#include "sextant/explore/analysis/analysis_table.h"

namespace sextant::analysis {

struct AdditiveModel {
  OlsFit fit;
  std::vector<std::size_t> first_column;  // of each factor
  std::vector<double> scale;  // of each factor: a covariate's column is its number less mean, over this
  std::size_t columns = 0;
};

AdditiveModel fit_additive(const AnalysisTable& table);

// Every other factor at the mean of its levels, every covariate at its own mean.
std::vector<double> level_query(const AdditiveModel& model, const AnalysisTable& table, std::size_t factor,
                                std::size_t level);
// Variance of the difference of two queries over sigma^2.
double difference_variance(const OlsFit& fit, std::span<const double> a, std::span<const double> b);
// Whether the fit answers: every relation that dropped a column holds for the query.
bool estimable(const OlsFit& fit, std::span<const double> query);

}  // namespace sextant::analysis
