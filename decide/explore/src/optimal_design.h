// Optimal designs over a list of candidates, each a row of model terms a: choose rows so that the information
// matrix sum of w a a' is large (determinant: D) or its inverse small (trace: A).
#pragma once

#include <optional>

#include "sextant/core/rng.h"
#include "sextant/stats/matrix.h"

namespace sextant::explore {

struct ExchangeOptions {
  std::size_t runs = 0;
  std::size_t starts = 10;
};

// Distinct rows that maximise det X'X, in ascending order: from random starts each row is exchanged for the
// best other one until no exchange helps (Fedorov 1972; Cook and Nachtsheim 1980). InputError where the
// candidates cannot tell the terms apart, or runs are fewer than terms or more than candidates.
std::vector<std::size_t> d_optimal_rows(const stats::Matrix& candidates, const ExchangeOptions& options,
                                        Rng& rng);

// Weights that maximise det of sum w a a' with sum w = 1, by the multiplicative algorithm (Titterington
// 1976), until no candidate's variance is above the bound of the equivalence theorem by more than a
// thousandth.
std::vector<double> d_optimal_weights(const stats::Matrix& candidates);

// (det(X'X / n) / det(sum w a a'))^(1/terms): 1 is as good as weights could be.
double d_efficiency(const stats::Matrix& candidates, const std::vector<std::size_t>& rows,
                    const std::vector<double>& weights);

struct BoundedDesign {
  stats::Matrix terms;        // a row per candidate
  std::vector<double> costs;  // positive
  double budget = 0;
};

// Weights from 0 to 1 with sum of cost x weight <= budget that minimise the trace of the inverse of
// sum w a a' (A-optimal), by Newton steps with a logarithmic barrier, to a relative gap of 1e-8. InputError
// where the candidates cannot tell the terms apart.
std::vector<double> a_optimal_weights(const BoundedDesign& design);
double inverse_trace(const stats::Matrix& terms, const std::vector<double>& weights);

}  // namespace sextant::explore
