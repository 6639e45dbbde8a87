// A straight line per factor that is a number: slope, intercept, t, p, interval, R^2. And which of those
// factors say the same: variance inflation, and relations that hold exactly, such as data = batch x batches.
#pragma once

#include <string>
#include <vector>

#include "sextant/analysis/analysis_table.h"
#include "sextant/stats/interval.h"

namespace sextant::analysis {

struct FactorRegression {
  std::string factor;
  std::size_t n = 0;
  double slope = 0;
  double intercept = 0;
  double standard_error = 0;  // of the slope
  double t = 0;
  double df = 0;
  double p = 1;
  double p_holm = 1;  // over all factors of the table
  stats::Interval interval = {};
  double r2 = 0;
  bool evidence = false;  // p_holm below 1 - level
};
// Of completed rows, each factor alone; those that are texts have no line.
std::vector<FactorRegression> factor_regressions(const AnalysisTable& table, double level = 0.95);

struct Collinearity {
  std::string factor;
  double vif = 1;             // 1 / (1 - R^2) on the other numeric factors; infinite where they determine it
  std::string relation = {};  // "data = batch x batches", "b = 2 a + 1"; empty: none that is exact
};
// Factors that are numbers; empty for fewer than two, or with too few rows to say.
std::vector<Collinearity> collinearity(const AnalysisTable& table);
inline constexpr double kLargeVif = 10;

}  // namespace sextant::analysis
