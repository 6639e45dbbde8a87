#include "sextant/learn/metrics.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "sextant/stats/quantiles.h"
#include "sextant/stats/summary.h"

namespace sextant::learn {
namespace {

Percentages percentages(std::span<const double> measured, std::span<const double> predicted) {
  std::vector<double> signed_errors;
  std::vector<double> errors;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    signed_errors.push_back(100 * (predicted[i] - measured[i]) / measured[i]);
    errors.push_back(std::abs(signed_errors.back()));
  }
  return {stats::mean(errors), stats::sample_quantile(errors, 0.5), stats::sample_quantile(errors, 0.9),
          stats::mean(signed_errors)};
}

}  // namespace

Metrics compare(std::span<const double> measured, std::span<const double> predicted) {
  assert(measured.size() == predicted.size() && !measured.empty());
  Metrics out;
  out.n = measured.size();
  if (std::ranges::all_of(measured, [](double y) { return y > 0; })) {
    out.ape = percentages(measured, predicted);
  }
  const double middle = stats::mean(measured);
  double sse = 0;
  double sst = 0;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    sse += (measured[i] - predicted[i]) * (measured[i] - predicted[i]);
    sst += (measured[i] - middle) * (measured[i] - middle);
  }
  out.rmse = std::sqrt(sse / static_cast<double>(out.n));
  out.r2 = sst > 0 ? 1 - sse / sst : 0;
  return out;
}

double selection_score(const Metrics& metrics) {
  return metrics.ape ? metrics.ape->mean : metrics.rmse;
}

}  // namespace sextant::learn
