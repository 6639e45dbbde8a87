// Distribution of the studentized range: the largest difference of k normal means over an independent
// estimate of their standard deviation with df degrees of freedom (Tukey 1953). By the trapezoidal rule on
// the whole line, which converges geometrically for such integrands (Trefethen and Weideman, SIAM Review 56,
// 2014). Relative error of the upper tail below 1e-10 for 2 to 1000 means; df may be infinite.
#pragma once

namespace sextant::stats {

struct StudentizedRange {
  double groups;  // at least 2
  double df;      // positive
};

// Input errors as in distributions.h; below 0 there is nothing.
double cdf(StudentizedRange, double q);
double upper_tail(StudentizedRange, double q);
// q with P(Q > q) = p, p in (0, 1).
double upper_quantile(StudentizedRange, double p);

}  // namespace sextant::stats
