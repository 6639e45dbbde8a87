// Moments of a sample with Neumaier's compensated summation (1974), in two passes, so that neither
// many terms nor a large offset costs digits.
//
// Every statistic of a sample, here and in the other headers of this folder, throws InputError for
// no values, for NaN or infinity, and for magnitudes above 1e150, whose squares could overflow.
#pragma once

#include <cstddef>
#include <span>

#include "sextant/stats/interval.h"

namespace sextant::stats {

double sum(std::span<const double> values);  // of nothing: 0
double mean(std::span<const double> values);
// Weights are finite and at least 0, and not all 0.
double weighted_mean(std::span<const double> values, std::span<const double> weights);

// With divisor n - 1; at least two values. Exactly 0 for equal values.
double variance(std::span<const double> values);
double standard_deviation(std::span<const double> values);
// Pearson's; at least two pairs; a constant side is an InputError, as its correlation is undefined.
double correlation(std::span<const double> a, std::span<const double> b);

struct Summary {
  std::size_t count = 0;
  double mean = 0;
  double sd = 0;  // 0 for one value
  double min = 0;
  double q25 = 0;
  double median = 0;
  double q75 = 0;
  double max = 0;
};
Summary summarize(std::span<const double> values);

// Student's t-interval of the mean; at least two values; level in (0, 1).
Interval mean_interval(std::span<const double> values, double level = 0.95);

}  // namespace sextant::stats
