#include "sextant/ask/seed_mean.h"

#include "seed_values.h"
#include "sextant/core/infinity.h"
#include "sextant/simulate/compare.h"
#include "sextant/stats/summary.h"

namespace sextant::ask {

SeedMean seed_mean(const std::vector<double>& values, std::size_t fewest) {
  if (!all_finite(values)) return {.mean = kNan};
  SeedMean result{.mean = stats::mean(values)};
  if (values.size() >= fewest) result.half_width = simulate::estimate_mean(values).half_width;
  return result;
}

}  // namespace sextant::ask
