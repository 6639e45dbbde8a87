#include "sextant/failures/burstiness.h"

#include <algorithm>
#include <cmath>

#include "sextant/core/error.h"
#include "sextant/queueing/distribution.h"
#include "sextant/stats/distributions.h"

namespace sextant::failures {
namespace {

constexpr std::size_t kFewestGaps = 9;

double log_likelihood(const queueing::Distribution& distribution, const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += log_density(distribution, value);
  return sum;
}

void add_shape(const std::vector<double>& gaps, Burstiness& found) {
  const auto weibull = fit_distribution(queueing::Family::weibull, gaps);
  const auto exponential = fit_distribution(queueing::Family::exponential, gaps);
  found.shape = std::get<queueing::Weibull>(weibull).shape;
  const double ratio = 2 * (log_likelihood(weibull, gaps) - log_likelihood(exponential, gaps));
  found.shape_p = stats::upper_tail(stats::ChiSquare{1}, std::max(0.0, ratio));
}

void add_together(const FailureLog& log, Seconds window, Burstiness& found) {
  double together = 0;
  for (std::size_t i = 1; i < log.failures.size(); ++i) {
    const Failure& before = log.failures[i - 1];
    const Failure& failure = log.failures[i];
    if (failure.node != before.node && failure.at - before.at <= window) ++together;
  }
  const auto gaps = static_cast<double>(log.failures.size() - 1);
  // Independent failures come within the window of the last one by this chance, and on another node than it.
  const double others = 1 - 1 / static_cast<double>(log.nodes);
  const double chance = others * -std::expm1(-gaps * (window / log.period));
  found.together = together / gaps;
  found.expected_together = chance;
  const double sd = std::sqrt(gaps * chance * (1 - chance));
  if (sd > 0) found.together_p = stats::upper_tail(stats::Normal{}, (together - 0.5 - gaps * chance) / sd);
}

}  // namespace

Burstiness burstiness(const FailureLog& log, Seconds window) {
  std::vector<double> gaps;
  std::vector<double> apart;
  for (std::size_t i = 1; i < log.failures.size(); ++i) {
    gaps.push_back((log.failures[i].at - log.failures[i - 1].at).value);
    if (gaps.back() > 0) apart.push_back(gaps.back());
  }
  if (apart.size() < kFewestGaps)
    throw InputError("10 failures at different times tell whether they are bursty, and there are " +
                     std::to_string(apart.size() + 1));
  Burstiness found{.scv = queueing::sample_scv(gaps)};
  const bool alike = std::ranges::adjacent_find(apart, std::not_equal_to<>()) == apart.end();
  if (!alike) add_shape(apart, found);
  add_together(log, window, found);
  const auto late = std::ranges::count_if(
      log.failures, [&](const Failure& failure) { return failure.at >= log.period / 2; });
  found.last_half = static_cast<double>(late) / static_cast<double>(log.failures.size());
  return found;
}

}  // namespace sextant::failures
