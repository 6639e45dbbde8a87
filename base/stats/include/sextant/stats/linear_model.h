// Linear models: ordinary (or weighted) least squares with intervals, ridge, and non-negative least
// squares. Results are plain values, so a model can be written to a file and read back.
//
// For all three: InputError for no rows, lengths that differ, NaN or infinity, magnitudes above
// 1e150, and weights outside [1e-150, 1e150]; the message names the column and the row (from 1).
// A column whose norm is below 1e-150 counts as zero.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sextant/stats/interval.h"
#include "sextant/stats/matrix.h"

namespace sextant::stats {

struct Design {
  Matrix x;                             // a row per observation; no column for the intercept
  std::vector<double> y;                //
  std::vector<std::string> names = {};  // of the columns; empty: x1, x2, ...
  std::vector<double> weights = {};     // of the rows; empty: all 1. Variance is sigma^2 / weight
};

enum class Intercept { fitted, none };

struct OlsTerm {
  std::string name;                   // "(intercept)" or the column's
  std::optional<std::size_t> column;  // none: the intercept
  double coefficient = 0;
  double standard_error = 0;
  double t = 0;
  double p = 1;
};

// A column without information of its own: offset + sum(by_column[j] * x[j]) gives it on every
// training row. A constant column has no by_column.
struct DroppedColumn {
  std::size_t column = 0;
  std::string name;
  std::string reason;  // "constant" or "linear combination of the kept columns"
  double offset = 0;
  std::vector<double> by_column;  // along OlsBasis::columns
  double tolerance = 0;           // a query further off the relation than this breaks it
};

// What predict() needs: for d = x0 - means over the kept columns, the leverage of x0 is
// mean_variance + |root' d|^2.
struct OlsBasis {
  std::vector<std::size_t> columns;
  std::vector<double> means;  // 0 without intercept
  Matrix root;                // root * root' is the inverse of the centred X'WX
  double mean_variance = 0;   // 1 / sum of weights; 0 without intercept
  double max_leverage = 0;    // of the training rows
};

struct OlsFit {
  double intercept = 0;              // 0 when not fitted
  std::vector<double> coefficients;  // by column; 0 where dropped
  std::vector<OlsTerm> terms;        // what was estimated: intercept first, then the kept columns
  std::vector<DroppedColumn> dropped;

  std::size_t rows = 0;
  double df = 0;   // rows - terms
  double rss = 0;  // weighted, as is press
  double sigma = 0;
  double r2 = 0;           // about the mean; about 0 without intercept; 0 for a constant y
  double adjusted_r2 = 0;  // 0 also when df is 0
  double press = 0;        // sum of squared leave-one-out residuals
  std::vector<double> residuals;
  std::vector<double> leverages;
  std::vector<double> loo_residuals;  // y minus the prediction of the fit without that row

  OlsBasis basis;
};

// Householder QR with column pivoting. A column whose R diagonal is below 1e-10 of its norm is
// dropped and reported, never fatal; with an intercept that includes constant columns. x may have
// no columns if there is an intercept. Fewer rows than terms: InputError.
// As many rows as terms kept (df = 0): the noise is unknown, so sigma and standard errors are
// infinite, t is 0 and p is 1. A row with leverage 1 has an infinite loo_residual.
OlsFit fit_ols(const Design& design, Intercept intercept = Intercept::fitted);

// t-interval of fit.terms[term]; level in (0, 1).
Interval coefficient_interval(const OlsFit& fit, std::size_t term, double level = 0.95);

struct OlsPrediction {
  double value = 0;
  Interval mean;         // of the expected value
  Interval observation;  // of one new observation
  double leverage = 0;
  // x0 has more leverage than any training row, or breaks the relation that dropped a column.
  bool extrapolates = false;
};

// x0 has a value for every column, dropped ones included. `weight` is that of the new observation.
OlsPrediction predict(const OlsFit& fit, std::span<const double> x0, double level = 0.95, double weight = 1);

struct RidgeFit {
  double lambda = 0;
  double intercept = 0;
  std::vector<double> coefficients;
  double effective_df = 0;  // trace of the hat matrix, intercept included
  double rss = 0;           // weighted, as is press
  double press = 0;         // exact for the given lambda
  std::vector<double> residuals;
};

// beta = (X'X + lambda I)^-1 X'y on centred data, intercept unpenalised; the caller standardises.
// lambda >= 0. More columns than rows is fine; constant columns get coefficient 0; where lambda = 0
// leaves beta undetermined, the one of least norm.
RidgeFit fit_ridge(const Design& design, double lambda);
double predict(const RidgeFit& fit, std::span<const double> x0);

struct NnlsFit {
  std::vector<double> coefficients;  // all >= 0
  // w = X'W(y - X theta). At the optimum w <= 0, and w = 0 where the coefficient is positive.
  std::vector<double> gradient;
  std::vector<double> residuals;
  double rss = 0;         // weighted
  bool converged = true;  // false: stopped by the limit of 30 (columns + 1) steps
};

// Least squares with theta >= 0 by the active-set method of Lawson and Hanson (1974). No implied
// intercept: see with_ones(). More columns than rows is fine; a column of zeros gets 0.
NnlsFit fit_nnls(const Design& design);
double predict(const NnlsFit& fit, std::span<const double> x0);

}  // namespace sextant::stats
