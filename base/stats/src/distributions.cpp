#include "sextant/stats/distributions.h"

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/complement.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <string>

#include "boost_policy.h"
#include "checks.h"
#include "sextant/core/error.h"
#include "sextant/core/infinity.h"
#include "sextant/core/text.h"

namespace sextant::stats {
namespace {

void check_positive(double value, const std::string& what) {
  if (value > 0 && std::isfinite(value)) return;
  throw InputError({}, what + " " + number_text(value) + " is not positive and finite",
                   "too few values for the number of estimated parameters?");
}

bm::normal_distribution<double, Quiet> boost_form(Normal d) {
  check_positive(d.sd, "standard deviation");
  if (!std::isfinite(d.mean)) throw InputError("mean of the normal distribution is not finite");
  return {d.mean, d.sd};
}
bm::students_t_distribution<double, Quiet> boost_form(StudentT d) {
  check_positive(d.df, "degrees of freedom");
  return bm::students_t_distribution<double, Quiet>(d.df);
}
bm::fisher_f_distribution<double, Quiet> boost_form(FisherF d) {
  check_positive(d.df1, "degrees of freedom");
  check_positive(d.df2, "degrees of freedom");
  return {d.df1, d.df2};
}
bm::chi_squared_distribution<double, Quiet> boost_form(ChiSquare d) {
  check_positive(d.df, "degrees of freedom");
  return bm::chi_squared_distribution<double, Quiet>(d.df);
}

double lowest(Normal) {
  return -kInfinity;
}
double lowest(StudentT) {
  return -kInfinity;
}
double lowest(FisherF) {
  return 0;
}
double lowest(ChiSquare) {
  return 0;
}

template <class D>
void check_argument(D d, double x) {
  static_cast<void>(boost_form(d));
  if (std::isnan(x))
    throw InputError({}, "argument of a distribution is NaN", "check the statistic's inputs");
}

template <class D>
double cdf_of(D d, double x) {
  check_argument(d, x);
  if (x <= lowest(d)) return 0;
  return x == kInfinity ? 1 : bm::cdf(boost_form(d), x);
}

template <class D>
double upper_tail_of(D d, double x) {
  check_argument(d, x);
  if (x <= lowest(d)) return 1;
  return x == kInfinity ? 0 : bm::cdf(bm::complement(boost_form(d), x));
}

template <class D>
double quantile_of(D d, double p) {
  stats::check_probability(p, "quantile");
  check_argument(d, p);
  if (p == 0) return lowest(d);
  return p == 1 ? kInfinity : bm::quantile(boost_form(d), p);
}

template <class D>
double upper_quantile_of(D d, double q) {
  stats::check_probability(q, "upper quantile");
  check_argument(d, q);
  if (q == 1) return lowest(d);
  return q == 0 ? kInfinity : bm::quantile(bm::complement(boost_form(d), q));
}

}  // namespace

double cdf(Normal d, double x) {
  return cdf_of(d, x);
}
double cdf(StudentT d, double x) {
  return cdf_of(d, x);
}
double cdf(FisherF d, double x) {
  return cdf_of(d, x);
}
double cdf(ChiSquare d, double x) {
  return cdf_of(d, x);
}

double upper_tail(Normal d, double x) {
  return upper_tail_of(d, x);
}
double upper_tail(StudentT d, double x) {
  return upper_tail_of(d, x);
}
double upper_tail(FisherF d, double x) {
  return upper_tail_of(d, x);
}
double upper_tail(ChiSquare d, double x) {
  return upper_tail_of(d, x);
}

double quantile(Normal d, double p) {
  return quantile_of(d, p);
}
double quantile(StudentT d, double p) {
  return quantile_of(d, p);
}
double quantile(FisherF d, double p) {
  return quantile_of(d, p);
}
double quantile(ChiSquare d, double p) {
  return quantile_of(d, p);
}

double upper_quantile(Normal d, double q) {
  return upper_quantile_of(d, q);
}
double upper_quantile(StudentT d, double q) {
  return upper_quantile_of(d, q);
}
double upper_quantile(FisherF d, double q) {
  return upper_quantile_of(d, q);
}
double upper_quantile(ChiSquare d, double q) {
  return upper_quantile_of(d, q);
}

double two_sided_p(StudentT d, double t) {
  return std::fmin(1.0, 2 * upper_tail(d, std::abs(t)));
}

double two_sided_quantile(StudentT d, double level) {
  stats::check_level(level);
  return upper_quantile(d, (1 - level) / 2);
}

}  // namespace sextant::stats
