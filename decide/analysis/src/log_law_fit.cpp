#include "log_law_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sextant/stats/linear_model.h"

namespace sextant::analysis {
namespace {

constexpr int kMostSteps = 200;
constexpr double kSettled = 1e-13;          // relative change of the fitted values
constexpr double kSquaresRounding = 1e-12;  // of the sum of squares, which says nothing about the last digits

double column_of(std::size_t column, double n) {
  if (column == 0) return 1;
  return column == 1 ? n : n * (n - 1);
}

void set_squares(LogLawFit& fit, const CountMeans& means) {
  fit.squares = 0;
  for (std::size_t i = 0; i < means.count.size(); ++i) {
    const double model = law_at(fit.parameters, means.count[i]);
    const double residual =
        model > 0 ? means.log_y[i] - std::log(model) : std::numeric_limits<double>::infinity();
    fit.squares += means.runs[i] * residual * residual;
  }
}

// Largest relative change of the fitted values.
double change(const LogLawFit& from, const LogLawFit& to, const CountMeans& means) {
  double largest = 0;
  for (const double n : means.count) {
    largest = std::max(largest, std::abs(law_at(to.parameters, n) / law_at(from.parameters, n) - 1));
  }
  return largest;
}

// All the way to `aim`, or half, a quarter, ... of it, until the sum of squares is no larger.
LogLawFit step_towards(const LogLawFit& from, const std::vector<double>& aim, const CountMeans& means) {
  for (double share = 1; share > 1e-6; share /= 2) {
    LogLawFit next{.parameters = from.parameters};
    for (std::size_t j = 0; j < aim.size(); ++j) next.parameters[j] += share * (aim[j] - from.parameters[j]);
    set_squares(next, means);
    if (next.squares <= from.squares * (1 + kSquaresRounding)) return next;
  }
  return from;
}

}  // namespace

double law_at(const std::vector<double>& parameters, double n) {
  double value = 0;
  for (std::size_t j = 0; j < parameters.size(); ++j) value += parameters[j] * column_of(j, n);
  return value;
}

// Gauss-Newton with bounds: the columns over the model m, against 1 + log(y / m), by non-negative least
// squares. The start is the same with y for m.
LogLawFit fit_log_law(const CountMeans& means, std::size_t parameters) {
  stats::Design design{.x = stats::Matrix(means.count.size(), parameters),
                       .y = std::vector<double>(means.count.size()),
                       .weights = means.runs};
  LogLawFit best;
  for (int step = 0; step <= kMostSteps; ++step) {
    for (std::size_t i = 0; i < means.count.size(); ++i) {
      const double log_m = step == 0 ? means.log_y[i] : std::log(law_at(best.parameters, means.count[i]));
      for (std::size_t j = 0; j < parameters; ++j) {
        design.x(i, j) = column_of(j, means.count[i]) / std::exp(log_m);
      }
      design.y[i] = 1 + means.log_y[i] - log_m;
    }
    const std::vector<double> aim = fit_nnls(design).coefficients;
    if (step == 0) {
      best.parameters = aim;
      set_squares(best, means);
      continue;
    }
    LogLawFit next = step_towards(best, aim, means);
    const bool settled = change(best, next, means) <= kSettled;
    best = std::move(next);
    if (settled) break;
  }
  return best;
}

}  // namespace sextant::analysis
