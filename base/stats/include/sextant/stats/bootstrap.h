// Bootstrap intervals of any statistic: percentile, and BCa (Efron 1987), which corrects bias and
// skewness by a jackknife. Resample i draws from its own stream ("bootstrap", i), so the result
// depends on the seed alone.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "sextant/core/rng.h"
#include "sextant/stats/interval.h"

namespace sextant::stats {

enum class BootstrapMethod { percentile, bca };

struct BootstrapOptions {
  std::size_t resamples = 2000;  // at least 2 / (1 - level)
  double level = 0.95;           // in (0, 1)
  BootstrapMethod method = BootstrapMethod::bca;
};

struct BootstrapResult {
  double estimate = 0;             // of the sample itself
  double bias = 0;                 // mean of the replicates minus the estimate
  double standard_error = 0;       // standard deviation of the replicates
  Interval interval;               // a point when every replicate is equal
  std::vector<double> replicates;  // ascending
};

using SampleStatistic = std::function<double(std::span<const double> sample)>;
// For tables: gets the chosen rows (with repeats), e.g. to refit a model on them.
using RowStatistic = std::function<double(std::span<const std::size_t> rows)>;

// At least two values or rows. InputError also when the statistic is not finite on some resample;
// what the statistic throws passes through.
BootstrapResult bootstrap(std::span<const double> values, const SampleStatistic& statistic, const Rng& rng,
                          const BootstrapOptions& options = {});
BootstrapResult bootstrap_rows(std::size_t rows, const RowStatistic& statistic, const Rng& rng,
                               const BootstrapOptions& options = {});

}  // namespace sextant::stats
