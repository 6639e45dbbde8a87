// Normal, Student t, Fisher F and chi-square through Boost.Math: a distribution is a small value,
// its functions are overloads. The upper tail is computed as such, not as 1 - cdf, so it keeps its
// digits down to the smallest doubles.
//
// For every distribution: an infinite x gives 0 or 1, a probability of 0 or 1 gives the end of the
// support (possibly infinite). NaN, a probability outside [0, 1], degrees of freedom or a standard
// deviation that are not positive and finite are an InputError.
#pragma once

namespace sextant::stats {

struct Normal {
  double mean = 0;
  double sd = 1;
};
struct StudentT {
  double df;
};
struct FisherF {
  double df1;  // numerator
  double df2;  // denominator
};
struct ChiSquare {
  double df;
};

// P(X <= x)
double cdf(Normal, double x);
double cdf(StudentT, double x);
double cdf(FisherF, double x);
double cdf(ChiSquare, double x);

// P(X > x)
double upper_tail(Normal, double x);
double upper_tail(StudentT, double x);
double upper_tail(FisherF, double x);
double upper_tail(ChiSquare, double x);

// x with P(X <= x) = p
double quantile(Normal, double p);
double quantile(StudentT, double p);
double quantile(FisherF, double p);
double quantile(ChiSquare, double p);

// x with P(X > x) = q; for a q too small to be written as p = 1 - q
double upper_quantile(Normal, double q);
double upper_quantile(StudentT, double q);
double upper_quantile(FisherF, double q);
double upper_quantile(ChiSquare, double q);

// P(|T| > |t|)
double two_sided_p(StudentT, double t);
// Half-width, in standard errors, of the two-sided interval at `level` in (0, 1).
double two_sided_quantile(StudentT, double level);

}  // namespace sextant::stats
