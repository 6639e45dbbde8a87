// Maximum likelihood. Values are divided by their mean first, so that times of any unit take the same steps.
#include <algorithm>
#include <cmath>

#include "sextant/core/error.h"
#include "sextant/queueing/distribution.h"
#include "sextant/stats/summary.h"

namespace sextant::queueing {
namespace {

// Times so nearly equal that a density has no honest width.
constexpr double kSmallestScv = 1e-12;
constexpr double kLargestShape = 1e9;
constexpr double kSmallestMean = 1e-150;  // its reciprocal and its square must be numbers

std::vector<double> scaled(std::span<const double> values, double by) {
  std::vector<double> result(values.begin(), values.end());
  for (double& value : result) value /= by;
  return result;
}

double mean_log(std::span<const double> values) {
  if (std::ranges::any_of(values, [](double x) { return x <= 0; })) {
    throw InputError("there is a time of 0, where this family has no density");
  }
  std::vector<double> logs(values.begin(), values.end());
  for (double& x : logs) x = std::log(x);
  return stats::mean(logs);
}

// psi(x) and psi'(x) by recurrence up to 10 and the asymptotic series (Abramowitz, Stegun 6.3.18, 6.4.12).
double digamma(double x) {
  double below = 0;
  for (; x < 10; ++x) below += 1 / x;
  const double y = 1 / (x * x);
  return std::log(x) - 0.5 / x - y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y / 240))) - below;
}

double trigamma(double x) {
  double below = 0;
  for (; x < 10; ++x) below += 1 / (x * x);
  const double y = 1 / (x * x);
  return 1 / x + y / 2 + y / x * (1.0 / 6 - y * (1.0 / 30 - y * (1.0 / 42 - y / 30))) + below;
}

// ln k - psi(k) = ln mean - mean ln, by Newton's method in 1/k (Minka 2002): a handful of steps.
Gamma fit_gamma(std::span<const double> unit_mean) {
  const double gap = -mean_log(unit_mean);
  if (!(gap > kSmallestScv / 2)) throw InputError("the times are all but equal");
  double shape = (3 - gap + std::sqrt((gap - 3) * (gap - 3) + 24 * gap)) / (12 * gap);
  for (int i = 0; i < 50; ++i) {
    const double step = (std::log(shape) - digamma(shape) - gap) / (1 - shape * trigamma(shape));
    const double next = 1 / (1 / shape + step / shape);
    if (!(next > 0) || next > kLargestShape) break;
    const bool settled = std::abs(next - shape) <= 1e-13 * shape;
    shape = next;
    if (settled) break;
  }
  return {shape, 1 / shape};
}

// Sums over x^k / max^k, for the equation of the shape: sum x^k ln x / sum x^k - 1/k = mean ln x.
struct WeibullSums {
  double powers = 0;
  double mean_log = 0;      // weighted by the powers
  double variance_log = 0;  // likewise: the derivative of mean_log in k
};

WeibullSums weibull_sums(std::span<const double> logs, double largest, double k) {
  WeibullSums sums;
  double squares = 0;
  for (const double log : logs) {
    const double power = std::exp(k * (log - largest));
    sums.powers += power;
    sums.mean_log += power * log;
    squares += power * log * log;
  }
  sums.mean_log /= sums.powers;
  sums.variance_log = std::max(squares / sums.powers - sums.mean_log * sums.mean_log, 0.0);
  return sums;
}

// The left side rises with k, so Newton's steps are kept inside a bracket that shrinks.
Weibull fit_weibull(std::span<const double> unit_mean) {
  const double average = mean_log(unit_mean);
  std::vector<double> logs(unit_mean.begin(), unit_mean.end());
  for (double& x : logs) x = std::log(x);
  const double largest = *std::ranges::max_element(logs);
  double low = 0;
  double high = kLargestShape;
  double shape = 1;
  for (int i = 0; i < 100 && high - low > 1e-13 * high; ++i) {
    const WeibullSums sums = weibull_sums(logs, largest, shape);
    const double off = sums.mean_log - 1 / shape - average;
    (off > 0 ? high : low) = shape;
    const double newton = shape - off / (sums.variance_log + 1 / (shape * shape));
    const double next = newton > low && newton < high ? newton : low + (high - low) / 2;
    if (std::abs(next - shape) <= 1e-13 * shape) break;
    shape = next;
  }
  const double mean_power = weibull_sums(logs, largest, shape).powers / static_cast<double>(logs.size());
  return {shape, std::exp(largest + std::log(mean_power) / shape)};
}

LogNormal fit_lognormal(std::span<const double> unit_mean) {
  const double mu = mean_log(unit_mean);
  double squares = 0;
  for (const double x : unit_mean) squares += (std::log(x) - mu) * (std::log(x) - mu);
  return {mu, std::sqrt(squares / static_cast<double>(unit_mean.size()))};
}

// Expectation-maximisation from the balanced-means fit of the first two moments (Whitt 1982).
HyperExponential fit_hyperexponential(std::span<const double> unit_mean) {
  const double c2 = sample_scv(unit_mean);
  if (c2 <= 1) throw InputError("it needs an scv above 1");
  const double p = (1 + std::sqrt((c2 - 1) / (c2 + 1))) / 2;
  HyperExponential d{p, 1 / (2 * p), 1 / (2 * (1 - p))};
  const auto n = static_cast<double>(unit_mean.size());
  for (int i = 0; i < 300; ++i) {
    double weight = 0;
    double sum1 = 0;
    double sum2 = 0;
    const double factor = (1 - d.p) * d.mean1 / (d.p * d.mean2);
    const double gap = 1 / d.mean1 - 1 / d.mean2;
    for (const double x : unit_mean) {
      const double first = 1 / (1 + factor * std::exp(x * gap));  // posterior of the first phase
      weight += first;
      sum1 += first * x;
      sum2 += (1 - first) * x;
    }
    if (!(weight > 0 && weight < n && sum1 > 0 && sum2 > 0)) break;
    const HyperExponential next{weight / n, sum1 / weight, sum2 / (n - weight)};
    const double change =
        std::abs(next.p - d.p) + std::abs(next.mean1 / d.mean1 - 1) + std::abs(next.mean2 / d.mean2 - 1);
    d = next;
    if (change < 1e-5) break;
  }
  return d;
}

}  // namespace

void check_times(std::span<const double> values) {
  if (values.size() < 2) throw InputError("a distribution needs at least two values");
  for (const double value : values) {
    if (!(value >= 0)) throw InputError("there is a negative time");
  }
  const double average = stats::mean(values);
  if (!(average > 0)) throw InputError("all times are 0");
  if (average < kSmallestMean) throw InputError("times too small to be told from 0");
}

double sample_scv(std::span<const double> values) {
  return stats::variance(scaled(values, stats::mean(values)));
}

Distribution fit_distribution(Family family, std::span<const double> values) {
  check_times(values);
  const double average = stats::mean(values);
  const std::vector<double> unit = scaled(values, average);
  const bool equal = sample_scv(unit) < kSmallestScv;
  if (family == Family::constant) {
    if (!equal) throw InputError("the times differ");
    return Constant{values.front()};
  }
  if (equal) throw InputError("the times are all equal");
  switch (family) {
    case Family::gamma: {
      const Gamma d = fit_gamma(unit);
      return Gamma{d.shape, d.scale * average};
    }
    case Family::hyperexponential: {
      const HyperExponential d = fit_hyperexponential(unit);
      return HyperExponential{d.p, d.mean1 * average, d.mean2 * average};
    }
    case Family::lognormal: {
      const LogNormal d = fit_lognormal(unit);
      return LogNormal{d.mu + std::log(average), d.sigma};
    }
    case Family::weibull: {
      const Weibull d = fit_weibull(unit);
      return Weibull{d.shape, d.scale * average};
    }
    default:
      return Exponential{average};
  }
}

}  // namespace sextant::queueing
