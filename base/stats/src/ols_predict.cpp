#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "checks.h"
#include "design.h"
#include "sextant/core/error.h"
#include "sextant/stats/distributions.h"
#include "sextant/stats/linear_model.h"

namespace sextant::stats {
namespace {

// Half-width at `level` for a variance given in units of sigma^2.
double half_width(const OlsFit& fit, double unscaled_variance, double level) {
  stats::check_level(level);
  if (fit.df <= 0) return std::numeric_limits<double>::infinity();
  return two_sided_quantile(StudentT{fit.df}, level) * fit.sigma * std::sqrt(unscaled_variance);
}

double leverage_of(const OlsBasis& basis, std::span<const double> x0) {
  const std::size_t size = basis.columns.size();
  std::vector<double> along(size, 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    const double d = x0[basis.columns[i]] - basis.means[i];
    for (std::size_t k = 0; k < size; ++k) along[k] += basis.root(i, k) * d;
  }
  return std::inner_product(along.begin(), along.end(), along.begin(), basis.mean_variance);
}

bool breaks_relation(const DroppedColumn& dropped, const OlsBasis& basis, std::span<const double> x0) {
  double expected = dropped.offset;
  for (std::size_t i = 0; i < dropped.by_column.size(); ++i) {
    expected += dropped.by_column[i] * x0[basis.columns[i]];
  }
  return std::abs(x0[dropped.column] - expected) > dropped.tolerance;
}

}  // namespace

Interval coefficient_interval(const OlsFit& fit, std::size_t term, double level) {
  if (term >= fit.terms.size()) {
    throw InputError({}, "the fit has no term " + std::to_string(term) + " (counted from 0)",
                     "it has " + std::to_string(fit.terms.size()) + "; dropped columns are not terms");
  }
  stats::check_level(level);
  const OlsTerm& t = fit.terms[term];
  const double half = fit.df > 0 ? two_sided_quantile(StudentT{fit.df}, level) * t.standard_error
                                 : std::numeric_limits<double>::infinity();
  return {t.coefficient - half, t.coefficient + half};
}

OlsPrediction predict(const OlsFit& fit, std::span<const double> x0, double level, double weight) {
  stats::check_query(x0, fit.coefficients.size());
  if (!(weight > 0) || !std::isfinite(weight)) {
    throw InputError({}, "prediction: the weight is not positive and finite", "1 is a plain observation");
  }
  const double value = stats::linear_value(fit.intercept, fit.coefficients, x0);
  const double leverage = leverage_of(fit.basis, x0);
  const double mean_half = half_width(fit, leverage, level);
  const double observation_half = half_width(fit, leverage + 1 / weight, level);
  // The slack keeps the outermost training row itself inside.
  bool extrapolates = leverage > fit.basis.max_leverage * (1 + 1e-9);
  for (const DroppedColumn& d : fit.dropped) {
    extrapolates = extrapolates || breaks_relation(d, fit.basis, x0);
  }
  return {.value = value,
          .mean = {value - mean_half, value + mean_half},
          .observation = {value - observation_half, value + observation_half},
          .leverage = leverage,
          .extrapolates = extrapolates};
}

}  // namespace sextant::stats
