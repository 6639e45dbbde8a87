// How good predictions are: percentage errors where the response is positive, and what a 90 % interval
// covers. An error is (predicted - measured) / measured.
#pragma once

#include <optional>
#include <span>

#include "sextant/stats/interval.h"

namespace sextant::learn {

struct Percentages {
  double mean = 0;  // absolute errors
  double median = 0;
  double p90 = 0;
  double bias = 0;  // signed mean: positive predicts too much
};

struct Metrics {
  std::size_t n = 0;
  std::optional<Percentages> ape;  // none when a measured value is not positive
  double rmse = 0;
  double r2 = 0;                   // 1 - SSE / SST of these rows; 0 when they are all equal
  std::optional<double> coverage;  // share of rows inside their interval, in percent; none without intervals
};

// Same lengths, at least one row.
Metrics compare(std::span<const double> measured, std::span<const double> predicted);

// What selection minimises: the mean percentage error, or the RMSE where that is not defined.
double selection_score(const Metrics& metrics);

}  // namespace sextant::learn
