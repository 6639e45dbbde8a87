#include <algorithm>
#include <cmath>
#include <vector>

#include "sextant/queueing/sample_tests.h"

namespace sextant::queueing {
namespace {

std::vector<double> ascending(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  return sorted;
}

// A sample of the fitted distribution, treated as the real one was. A sample of a hyperexponential may have
// an scv below 1; the likeliest hyperexponential is then an exponential.
double replicate_distance(const Distribution& fitted, std::size_t count, Rng rng) {
  std::vector<double> sample(count);
  for (double& value : sample) value = draw(fitted, rng);
  Family family = family_of(fitted);
  if (family == Family::hyperexponential && sample_scv(sample) <= 1) family = Family::exponential;
  const Distribution again = fit_distribution(family, sample);
  std::ranges::sort(sample);
  return kolmogorov_distance(sample, again);
}

}  // namespace

double kolmogorov_distance(std::span<const double> sorted, const Distribution& distribution) {
  const auto n = static_cast<double>(sorted.size());
  double distance = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double f = cdf(distribution, sorted[i]);
    const auto rank = static_cast<double>(i);
    distance = std::max({distance, f - rank / n, (rank + 1) / n - f});
  }
  return distance;
}

KolmogorovTest kolmogorov_test(std::span<const double> values, Family family, const Rng& rng,
                               std::size_t replicates) {
  const Distribution fitted = fit_distribution(family, values);
  if (family == Family::constant) return {0, 1};
  KolmogorovTest test;
  test.distance = kolmogorov_distance(ascending(values), fitted);
  std::size_t as_far = 1;
  for (std::size_t i = 0; i < replicates; ++i) {
    if (replicate_distance(fitted, values.size(), rng.stream("kolmogorov", i)) >= test.distance) ++as_far;
  }
  test.p = static_cast<double>(as_far) / static_cast<double>(replicates + 1);
  return test;
}

}  // namespace sextant::queueing
