#include "sextant/queueing/distribution.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "formatted.h"
#include "sextant/stats/distributions.h"

namespace sextant::queueing {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

constexpr double kNever = -std::numeric_limits<double>::infinity();

double log_sum(double a, double b) {
  const double larger = std::max(a, b);
  return larger == kNever ? kNever : larger + std::log(std::exp(a - larger) + std::exp(b - larger));
}

double log_exponential(double mean, double x) {
  return -std::log(mean) - x / mean;
}

// The one family without a closed inverse.
double invert(const HyperExponential& d, double p) {
  double low = 0;
  double high = std::max(d.mean1, d.mean2);
  while (cdf(d, high) < p) high *= 2;
  for (int i = 0; i < 200 && high - low > 1e-15 * high; ++i) {
    const double middle = low + (high - low) / 2;
    (cdf(d, middle) < p ? low : high) = middle;
  }
  return high;
}

// Marsaglia and Tsang (2000), for shape at least 1.
double draw_gamma(double shape, Rng& rng) {
  const double d = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = rng.normal();
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    const double u = 1 - rng.uniform();
    if (std::log(u) < x * x / 2 + d * (1 - v + std::log(v))) return d * v;
  }
}

double draw_any_gamma(const Gamma& d, Rng& rng) {
  if (d.shape >= 1) return d.scale * draw_gamma(d.shape, rng);
  const double boosted = draw_gamma(d.shape + 1, rng);
  const double u = 1 - rng.uniform();
  return d.scale * boosted * std::exp(std::log(u) / d.shape);
}

}  // namespace

const std::vector<Family>& all_families() {
  static const std::vector<Family> all = {Family::constant,         Family::exponential, Family::gamma,
                                          Family::hyperexponential, Family::lognormal,   Family::weibull};
  return all;
}

std::string to_string(Family family) {
  switch (family) {
    case Family::constant:
      return "constant";
    case Family::exponential:
      return "exponential";
    case Family::gamma:
      return "gamma";
    case Family::hyperexponential:
      return "hyperexponential";
    case Family::lognormal:
      return "lognormal";
    case Family::weibull:
      return "weibull";
  }
  return {};
}

Family family_of(const Distribution& distribution) {
  return static_cast<Family>(distribution.index());  // in the order of the variant
}

std::string describe(const Distribution& distribution) {
  return std::visit(
      Overloaded{
          [](const Constant& d) { return formatted("constant %.4g", d.value); },
          [](const Exponential& d) { return formatted("exponential, mean %.4g", d.mean); },
          [](const Gamma& d) { return formatted("gamma, shape %.4g, scale %.4g", d.shape, d.scale); },
          [](const HyperExponential& d) {
            return formatted("hyperexponential, %.4g of mean %.4g, else %.4g", d.p, d.mean1, d.mean2);
          },
          [](const LogNormal& d) { return formatted("lognormal, mu %.4g, sigma %.4g", d.mu, d.sigma); },
          [](const Weibull& d) { return formatted("weibull, shape %.4g, scale %.4g", d.shape, d.scale); }},
      distribution);
}

std::size_t parameter_count(const Distribution& distribution) {
  static constexpr std::array<std::size_t, 6> kCounts = {1, 1, 2, 3, 2, 2};
  return kCounts.at(distribution.index());
}

double mean(const Distribution& distribution) {
  return std::visit(
      Overloaded{[](const Constant& d) { return d.value; }, [](const Exponential& d) { return d.mean; },
                 [](const Gamma& d) { return d.shape * d.scale; },
                 [](const HyperExponential& d) { return d.p * d.mean1 + (1 - d.p) * d.mean2; },
                 [](const LogNormal& d) { return std::exp(d.mu + d.sigma * d.sigma / 2); },
                 [](const Weibull& d) { return d.scale * std::tgamma(1 + 1 / d.shape); }},
      distribution);
}

double scv(const Distribution& distribution) {
  return std::visit(
      Overloaded{[](const Constant&) { return 0.0; }, [](const Exponential&) { return 1.0; },
                 [](const Gamma& d) { return 1 / d.shape; },
                 [](const HyperExponential& d) {
                   const double m = mean(Distribution(d));
                   const double second = 2 * (d.p * d.mean1 * d.mean1 + (1 - d.p) * d.mean2 * d.mean2);
                   return second / (m * m) - 1;
                 },
                 [](const LogNormal& d) { return std::expm1(d.sigma * d.sigma); },
                 [](const Weibull& d) {
                   return std::expm1(std::lgamma(1 + 2 / d.shape) - 2 * std::lgamma(1 + 1 / d.shape));
                 }},
      distribution);
}

double cdf(const Distribution& distribution, double x) {
  if (x < 0) return 0;
  return std::visit(
      Overloaded{[&](const Constant& d) { return x < d.value ? 0.0 : 1.0; },
                 [&](const Exponential& d) { return -std::expm1(-x / d.mean); },
                 [&](const Gamma& d) { return cdf(stats::ChiSquare{2 * d.shape}, 2 * x / d.scale); },
                 [&](const HyperExponential& d) {
                   return -d.p * std::expm1(-x / d.mean1) - (1 - d.p) * std::expm1(-x / d.mean2);
                 },
                 [&](const LogNormal& d) {
                   return x <= 0 ? 0 : cdf(stats::Normal{d.mu, d.sigma}, std::log(x));
                 },
                 [&](const Weibull& d) { return -std::expm1(-std::pow(x / d.scale, d.shape)); }},
      distribution);
}

double log_density(const Distribution& distribution, double x) {
  if (x < 0) return kNever;
  return std::visit(Overloaded{[&](const Constant& d) { return x == d.value ? 0 : kNever; },
                               [&](const Exponential& d) { return log_exponential(d.mean, x); },
                               [&](const Gamma& d) {
                                 return (d.shape - 1) * std::log(x / d.scale) - x / d.scale -
                                        std::lgamma(d.shape) - std::log(d.scale);
                               },
                               [&](const HyperExponential& d) {
                                 return log_sum(std::log(d.p) + log_exponential(d.mean1, x),
                                                std::log1p(-d.p) + log_exponential(d.mean2, x));
                               },
                               [&](const LogNormal& d) {
                                 const double z = (std::log(x) - d.mu) / d.sigma;
                                 return -z * z / 2 - std::log(x * d.sigma) -
                                        std::log(2 * std::numbers::pi) / 2;
                               },
                               [&](const Weibull& d) {
                                 const double ratio = x / d.scale;
                                 return std::log(d.shape / d.scale) + (d.shape - 1) * std::log(ratio) -
                                        std::pow(ratio, d.shape);
                               }},
                    distribution);
}

double quantile(const Distribution& distribution, double p) {
  return std::visit(
      Overloaded{[&](const Constant& d) { return d.value; },
                 [&](const Exponential& d) { return -d.mean * std::log1p(-p); },
                 [&](const Gamma& d) { return d.scale / 2 * quantile(stats::ChiSquare{2 * d.shape}, p); },
                 [&](const HyperExponential& d) { return invert(d, p); },
                 [&](const LogNormal& d) {
                   return std::exp(quantile(stats::Normal{d.mu, d.sigma}, p));
                 },
                 [&](const Weibull& d) { return d.scale * std::pow(-std::log1p(-p), 1 / d.shape); }},
      distribution);
}

double draw(const Distribution& distribution, Rng& rng) {
  return std::visit(
      Overloaded{[&](const Constant& d) { return d.value; },
                 [&](const Exponential& d) { return rng.exponential(d.mean); },
                 [&](const Gamma& d) { return draw_any_gamma(d, rng); },
                 [&](const HyperExponential& d) {
                   const bool first = rng.uniform() < d.p;
                   return rng.exponential(first ? d.mean1 : d.mean2);
                 },
                 [&](const LogNormal& d) { return std::exp(d.mu + d.sigma * rng.normal()); },
                 [&](const Weibull& d) { return d.scale * std::pow(rng.exponential(1), 1 / d.shape); }},
      distribution);
}

}  // namespace sextant::queueing
