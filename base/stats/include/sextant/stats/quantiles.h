// Sample quantiles, numbered as by Hyndman and Fan (1996). Input errors as in summary.h;
// a probability outside [0, 1] or NaN is an InputError. One value is every quantile of itself.
#pragma once

#include <span>

namespace sextant::stats {

enum class QuantileType {
  empirical,  // type 1: an observed value, the inverse of the empirical distribution function
  linear,     // type 7: between the order statistics around (n - 1) p
};

double sample_quantile(std::span<const double> values, double p, QuantileType type = QuantileType::linear);
// The same for values already in ascending order (not checked), without a copy.
double sorted_quantile(std::span<const double> sorted, double p, QuantileType type = QuantileType::linear);

}  // namespace sextant::stats
