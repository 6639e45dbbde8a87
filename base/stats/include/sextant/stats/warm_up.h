// How much of the start of a series to drop before its mean is that of the steady state: MSER (White, 1997),
// on means of batches of five (MSER-5; White, Cobb and Spratt, WSC 2000). Input errors as in summary.h.
#pragma once

#include <cstddef>
#include <span>

namespace sextant::stats {

struct WarmUp {
  std::size_t drop = 0;  // values; a multiple of the batch
  // False: the best place to cut is the last one tried, half-way, so the series is too short to say.
  bool settled = true;
  double mean = 0;  // of the whole batches that are left
};

// Cuts d of n batches where sum (y - mean)^2 / (n - d)^2 of what is left is least, d <= n/2; the first of
// equal ones. Values behind the last whole batch are left out. At least four batches.
WarmUp mser_warm_up(std::span<const double> values, std::size_t batch = 5);

}  // namespace sextant::stats
