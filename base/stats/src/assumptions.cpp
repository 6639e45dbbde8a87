#include "sextant/stats/assumptions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "checks.h"
#include "sextant/core/error.h"
#include "sextant/stats/distributions.h"
#include "sextant/stats/robust.h"
#include "sextant/stats/summary.h"

namespace sextant::stats {
namespace {

constexpr std::size_t kMostShapiro = 5000;  // range of Royston's approximation

double polynomial(std::span<const double> coefficients, double x) {
  double value = 0;
  for (std::size_t i = coefficients.size(); i-- > 0;) value = value * x + coefficients[i];
  return value;
}

std::vector<double> sorted_varying(std::span<const double> values, std::size_t least,
                                   const std::string& subject) {
  stats::check_values(values, subject);
  stats::check_count(values.size(), least, subject);
  if (stats::all_equal(values)) throw InputError({}, subject + ": all values are equal", "nothing to test");
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  return sorted;
}

// Weights of the larger half, from the largest value inwards; the smaller half has them with a minus.
std::vector<double> shapiro_weights(std::size_t n) {
  if (n == 3) return {std::numbers::sqrt2 / 2};
  constexpr std::array kFirst = {0.0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056};
  constexpr std::array kSecond = {0.0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633};
  const std::size_t half = n / 2;
  std::vector<double> scores(half);
  double squares = 0;
  for (std::size_t i = 0; i < half; ++i) {
    scores[i] = -quantile(Normal{}, (static_cast<double>(i) + 0.625) / (static_cast<double>(n) + 0.25));
    squares += 2 * scores[i] * scores[i];
  }
  const double u = 1 / std::sqrt(static_cast<double>(n));
  std::vector<double> weights(half);
  weights[0] = polynomial(kFirst, u) + scores[0] / std::sqrt(squares);
  std::size_t fitted = 1;
  if (n > 5) {
    weights[1] = polynomial(kSecond, u) + scores[1] / std::sqrt(squares);
    fitted = 2;
  }
  double rest = 1;
  for (std::size_t i = 0; i < fitted; ++i) {
    squares -= 2 * scores[i] * scores[i];
    rest -= 2 * weights[i] * weights[i];
  }
  for (std::size_t i = fitted; i < half; ++i) weights[i] = scores[i] / std::sqrt(squares / rest);
  return weights;
}

double shapiro_p(double one_minus_w, std::size_t count) {
  constexpr std::array kGamma = {-2.273, 0.459};
  constexpr std::array kSmallMean = {0.544, -0.39978, 0.025054, -6.714e-4};
  constexpr std::array kSmallLogSd = {1.3822, -0.77857, 0.062767, -0.0020322};
  constexpr std::array kLargeMean = {-1.5861, -0.31082, -0.083751, 0.0038915};
  constexpr std::array kLargeLogSd = {-0.4803, -0.082676, 0.0030302};
  const auto n = static_cast<double>(count);
  if (count == 3) {  // 6 / pi (asin(sqrt(W)) - asin(sqrt(3/4))), with all digits near W = 1
    return std::max(1 - 6 / std::numbers::pi * std::asin(std::sqrt(one_minus_w)), 0.0);
  }
  const double y = std::log(one_minus_w);
  if (count <= 11) {
    const double gamma = polynomial(kGamma, n);
    if (y >= gamma) return 0;
    return upper_tail(Normal{polynomial(kSmallMean, n), std::exp(polynomial(kSmallLogSd, n))},
                      -std::log(gamma - y));
  }
  const double log_n = std::log(n);
  return upper_tail(Normal{polynomial(kLargeMean, log_n), std::exp(polynomial(kLargeLogSd, log_n))}, y);
}

// Stephens' p of the statistic that is already adjusted for the number of values.
double anderson_p(double a) {
  if (a < 0.2) return 1 - std::exp(-13.436 + 101.14 * a - 223.73 * a * a);
  if (a < 0.34) return 1 - std::exp(-8.318 + 42.796 * a - 59.938 * a * a);
  if (a < 0.6) return std::exp(0.9177 - 4.279 * a - 1.38 * a * a);
  return a < 10 ? std::exp(1.2937 - 5.709 * a + 0.0186 * a * a) : 3.7e-24;
}

}  // namespace

NormalityTest shapiro_wilk(std::span<const double> values) {
  const std::vector<double> sorted = sorted_varying(values, 3, "Shapiro-Wilk test");
  if (sorted.size() > kMostShapiro) {
    throw InputError({}, "Shapiro-Wilk test of more than 5000 values", "its p is not known there");
  }
  const std::size_t n = sorted.size();
  const double range = sorted.back() - sorted.front();
  const double centre = mean(sorted);
  const std::vector<double> weights = shapiro_weights(n);
  // Sums of the scaled values z and weights a: W = (sum a z)^2 / (sum a^2 sum z^2), 1 - W without
  // cancellation.
  double az = 0;
  double aa = 0;
  double zz = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t from_end = std::min(i, n - 1 - i);
    const double weight = from_end >= weights.size() ? 0 : (i < n / 2 ? -1 : 1) * weights[from_end];
    const double z = (sorted[i] - centre) / range;
    az += weight * z;
    aa += weight * weight;
    zz += z * z;
  }
  const double root = std::sqrt(aa * zz);
  double one_minus_w = std::max((root - az) * (root + az) / (aa * zz), 0.0);
  if (n == 3) {  // p changes with its root: all digits
    const double bend = ((sorted[2] - sorted[1]) - (sorted[1] - sorted[0])) / range;
    one_minus_w = bend * bend / (6 * zz);
  }
  const double p = one_minus_w > 0 ? shapiro_p(one_minus_w, n) : 1;
  return {.name = "Shapiro-Wilk", .statistic = 1 - one_minus_w, .p = p};
}

NormalityTest anderson_darling(std::span<const double> values) {
  const std::vector<double> sorted = sorted_varying(values, 8, "Anderson-Darling test");
  const auto n = static_cast<double>(sorted.size());
  const Normal fitted{mean(sorted), standard_deviation(sorted)};
  double total = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double below = std::max(cdf(fitted, sorted[i]), 1e-300);
    const double above = std::max(upper_tail(fitted, sorted[sorted.size() - 1 - i]), 1e-300);
    total += (2 * static_cast<double>(i) + 1) * (std::log(below) + std::log(above));
  }
  const double a = -n - total / n;
  return {.name = "Anderson-Darling", .statistic = a, .p = anderson_p(a * (1 + 0.75 / n + 2.25 / (n * n)))};
}

NormalityTest normality_test(std::span<const double> values) {
  return values.size() <= kMostShapiro ? shapiro_wilk(values) : anderson_darling(values);
}

FTest brown_forsythe(std::span<const std::vector<double>> groups) {
  std::vector<std::vector<double>> distances;
  for (const std::vector<double>& group : groups) {
    const double middle = median(group);
    std::vector<double> off;
    off.reserve(group.size());
    for (const double value : group) off.push_back(std::abs(value - middle));
    distances.push_back(std::move(off));
  }
  return one_way_f_test(distances);
}

}  // namespace sextant::stats
