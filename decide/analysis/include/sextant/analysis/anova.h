// Analysis of variance with several factors, interactions up to an order, and unequal numbers of runs. Sums
// of squares of type II (each term given all that do not contain it; Langsrud, Statistics and Computing 13,
// 2003) or III (given all others, sum-to-zero contrasts), from projections, so that terms without runs of
// their own are found by their rank.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/analysis/analysis_table.h"

namespace sextant::analysis {

enum class SumsOfSquares { type_two, type_three };

struct AnovaOptions {
  std::optional<int> order =
      {};  // of interactions; nothing: 2 where runs allow it with repetitions left, else 1
  SumsOfSquares type = SumsOfSquares::type_two;
};

struct AnovaRow {
  std::string term;                  // "workers", "workers x batch"
  std::vector<std::size_t> factors;  // of the table
  double ss = 0;
  double df = 0;                 // 0: other terms determine it
  std::optional<double> f = {};  // nothing without residual degrees of freedom
  std::optional<double> p = {};
  std::optional<double> rank_p = {};  // by aligned ranks; only where a check of the model fails
  double eta_squared = 0;             // ss over the total
  double partial_eta_squared = 0;     // ss over ss and residual
  double omega_squared = 0;           // of the population: without what chance adds; at least 0

  // By every test that was made.
  [[nodiscard]] bool clear(double level) const {
    return p && *p < 1 - level && rank_p.value_or(0) < 1 - level;
  }
};

struct AnovaResult {
  SumsOfSquares type = SumsOfSquares::type_two;
  int order = 1;
  bool balanced = true;  // as many runs in every cell: type II, III and I agree
  std::vector<AnovaRow> rows = {};
  double residual_ss = 0;
  double residual_df = 0;
  double total_ss = 0;
  double r2 = 0;
  double adjusted_r2 = 0;
  std::vector<double> fitted = {};
  std::vector<double> residuals = {};
  std::vector<std::string> notes = {};

  [[nodiscard]] double residual_ms() const { return residual_df > 0 ? residual_ss / residual_df : 0; }
};

// Of completed rows: censored ones are an InputError.
AnovaResult anova(const AnalysisTable& table, const AnovaOptions& options = {});

}  // namespace sextant::analysis
