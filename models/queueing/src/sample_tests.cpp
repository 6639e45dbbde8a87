#include "sextant/queueing/sample_tests.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sextant/core/error.h"
#include "sextant/stats/distributions.h"
#include "sextant/stats/ranks.h"

namespace sextant::queueing {
namespace {

constexpr std::size_t kLeast = 10;

void check_length(std::span<const double> values) {
  if (values.size() >= kLeast) return;
  throw InputError({}, "there are only " + std::to_string(values.size()) + " values to test", "at least 10");
}

}  // namespace

stats::ChiSquareTest equiprobable_test(std::span<const double> values, const Distribution& fitted) {
  const auto n = static_cast<double>(values.size());
  const auto cells = static_cast<std::size_t>(std::floor(std::min(2 * std::pow(n, 0.4), n / 5)));
  if (cells < parameter_count(fitted) + 2) {
    throw InputError("too few values for a chi-square test with estimated parameters");
  }
  std::vector<double> observed(cells, 0);
  for (const double value : values) {
    const double share = cdf(fitted, value) * static_cast<double>(cells);
    ++observed[std::min(static_cast<std::size_t>(share), cells - 1)];
  }
  const std::vector<double> expected(cells, n / static_cast<double>(cells));
  return stats::chi_square_fit(observed, expected, parameter_count(fitted));
}

SerialTest serial_test(std::span<const double> values) {
  check_length(values);
  const auto n = static_cast<double>(values.size());
  const auto ranks = stats::ranked(values).ranks;
  double steps = 0;
  double spread = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const double off = ranks[i] - (n + 1) / 2;
    spread += off * off;
    if (i > 0) steps += (ranks[i] - ranks[i - 1]) * (ranks[i] - ranks[i - 1]);
  }
  if (spread == 0) return {};
  const double ratio = steps / spread;
  // The mean 2 and this variance are exact without ties.
  const double variance = 4 * (n - 2) * (5 * n * n - 2 * n - 9) / (5 * n * (n + 1) * (n - 1) * (n - 1));
  const double z = (ratio - 2) / std::sqrt(variance);
  return {1 - ratio / 2, 2 * upper_tail(stats::Normal{}, std::abs(z))};
}

LevelTest level_test(std::span<const double> values) {
  check_length(values);
  const std::size_t periods = std::clamp<std::size_t>(values.size() / 20, 2, 10);
  const stats::RankedSample sample = stats::ranked(values);
  const auto n = static_cast<double>(values.size());
  const double middle = (n + 1) / 2;
  double between = 0;
  for (std::size_t k = 0; k < periods; ++k) {
    const std::size_t begin = k * values.size() / periods;
    const std::size_t end = (k + 1) * values.size() / periods;
    const double sum = std::accumulate(sample.ranks.begin() + static_cast<std::ptrdiff_t>(begin),
                                       sample.ranks.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
    const auto count = static_cast<double>(end - begin);
    between += count * (sum / count - middle) * (sum / count - middle);
  }
  const double ties = 1 - sample.tie_term / (n * n * n - n);
  if (!(ties > 0)) return {periods, 0, 1, 0};
  const double h = 12 / (n * (n + 1)) * between / ties;
  return {periods, h, upper_tail(stats::ChiSquare{static_cast<double>(periods - 1)}, h), h / (n - 1)};
}

}  // namespace sextant::queueing
