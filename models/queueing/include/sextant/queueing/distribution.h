// Distributions of the times between arrivals and of services, fitted by maximum likelihood: constant,
// exponential, gamma (Erlang when its shape is whole), hyperexponential of two phases, lognormal, Weibull.
#pragma once

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sextant/core/rng.h"

namespace sextant::queueing {

struct Constant {
  double value;
};
struct Exponential {
  double mean;
};
struct Gamma {
  double shape;
  double scale;
};
struct HyperExponential {  // with probability p the first mean
  double p;
  double mean1;
  double mean2;
};
struct LogNormal {  // of the logarithm
  double mu;
  double sigma;
};
struct Weibull {
  double shape;
  double scale;
};
using Distribution = std::variant<Constant, Exponential, Gamma, HyperExponential, LogNormal, Weibull>;

enum class Family { constant, exponential, gamma, hyperexponential, lognormal, weibull };
const std::vector<Family>& all_families();
std::string to_string(Family family);
Family family_of(const Distribution& distribution);

std::string describe(const Distribution& distribution);  // "gamma, shape 2.1, scale 0.48"
std::size_t parameter_count(const Distribution& distribution);
double mean(const Distribution& distribution);
double scv(const Distribution& distribution);  // squared coefficient of variation
double cdf(const Distribution& distribution, double x);
double log_density(const Distribution& distribution, double x);  // of a Constant: 0 or minus infinity
double quantile(const Distribution& distribution, double p);     // 0 < p < 1
double draw(const Distribution& distribution, Rng& rng);

// Maximum likelihood; the hyperexponential by expectation-maximisation, so a local one. InputError where the
// family has no estimate: values that are all equal but for the constant, a value of 0 for gamma, lognormal
// and Weibull, an scv of at most 1 for the hyperexponential; and as check_times().
Distribution fit_distribution(Family family, std::span<const double> values);

// InputError: fewer than two times, one that is negative, not finite or above 1e150, a mean below 1e-150.
void check_times(std::span<const double> values);

// Squared coefficient of variation of a sample: variance (divisor n - 1) over squared mean.
double sample_scv(std::span<const double> values);

}  // namespace sextant::queueing
