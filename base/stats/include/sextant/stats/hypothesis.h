// Tests of hypotheses; all p values are two-sided for t and upper-tail for F and chi-square.
// Input errors as in summary.h. Without any scatter the verdict is still defined: equal means give
// statistic 0 and p 1, different ones an infinite statistic and p 0.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sextant/stats/interval.h"
#include "sextant/stats/linear_model.h"

namespace sextant::stats {

struct TTest {
  double difference = 0;  // mean(a) - mean(b)
  double standard_error = 0;
  double t = 0;
  double df = 0;
  double p = 0;
  Interval interval = {};  // of the difference
};
// Pairs a[i], b[i]; at least two.
TTest paired_t_test(std::span<const double> a, std::span<const double> b, double level = 0.95);

struct FTest {
  double f = 0;
  double df1 = 0;
  double df2 = 0;
  double p = 0;
};
// Equality of the means of at least two groups, none empty, with more values than groups.
FTest one_way_f_test(std::span<const std::vector<double>> groups);

struct ResidualSum {
  double rss = 0;
  double df = 0;
};
// Does the larger model explain more than chance? It must have fewer degrees of freedom left, at
// least one, and no larger sum of squares; otherwise the models are not nested: InputError.
FTest compare_nested(ResidualSum smaller, ResidualSum larger);
// InputError also when the two were fitted on different numbers of rows.
FTest compare_nested(const OlsFit& smaller, const OlsFit& larger);

struct ChiSquareTest {
  double statistic = 0;
  double df = 0;
  double p = 0;
  std::size_t small_cells = 0;  // expected counts below 5, where the approximation is poor
};
// Counts against expected counts (positive, same total). `fitted` parameters, estimated from the
// same counts, cost a degree of freedom each.
ChiSquareTest chi_square_fit(std::span<const double> observed, std::span<const double> expected,
                             std::size_t fitted = 0);

}  // namespace sextant::stats
