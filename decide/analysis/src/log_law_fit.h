// Least squares of log y on the logarithm of d + b n + c n (n - 1) with d, b, c >= 0: what the laws of
// scaling come to.
#pragma once

#include <cstddef>
#include <vector>

namespace sextant::analysis {

// Runs with the same count are one row: only their mean has a say in the fit.
struct CountMeans {
  std::vector<double> count;
  std::vector<double> log_y;  // mean
  std::vector<double> runs;
};

struct LogLawFit {
  std::vector<double> parameters;  // d, b, c as far as asked for
  double squares = 0;              // of the means' residuals, times their runs
};

double law_at(const std::vector<double>& parameters, double n);
// `parameters`: 1 to 3.
LogLawFit fit_log_law(const CountMeans& means, std::size_t parameters);

}  // namespace sextant::analysis
