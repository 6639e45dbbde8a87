#include "sextant/simulate/compare.h"

#include <algorithm>
#include <cmath>

#include "sextant/core/error.h"
#include "sextant/core/infinity.h"
#include "sextant/core/text.h"
#include "sextant/stats/bootstrap.h"
#include "sextant/stats/hypothesis.h"
#include "sextant/stats/multiple.h"
#include "sextant/stats/quantiles.h"
#include "sextant/stats/summary.h"

namespace sextant::simulate {
namespace {

void check_runs(std::span<const PolicyRuns> policies) {
  if (policies.size() < 2) throw InputError("a comparison needs at least two policies");
  const std::size_t seeds = policies.front().by_seed.size();
  if (seeds < 2) throw InputError("a comparison needs at least two seeds");
  for (const PolicyRuns& runs : policies) {
    if (runs.by_seed.size() != seeds) {
      throw InputError("policy '" + runs.policy + "' has " + std::to_string(runs.by_seed.size()) +
                       " runs, and '" + policies.front().policy + "' " + std::to_string(seeds));
    }
    for (std::size_t i = 0; i < seeds; ++i) {
      if (std::isfinite(runs.by_seed[i])) continue;
      throw InputError("policy '" + runs.policy + "' has " + number_text(runs.by_seed[i]) + " in run " +
                       std::to_string(i + 1) + ", which cannot be compared");
    }
  }
}

PolicyComparison compare_pair(const PolicyRuns& first, const PolicyRuns& second, double level) {
  const stats::TTest test = stats::paired_t_test(first.by_seed, second.by_seed, level);
  PolicyComparison result;
  result.first = first.policy;
  result.second = second.policy;
  result.first_mean = stats::mean(first.by_seed);
  result.second_mean = stats::mean(second.by_seed);
  result.ratio = result.first_mean / result.second_mean;
  result.difference = test.difference;
  result.interval = test.interval;
  result.p = test.p;
  return result;
}

std::vector<PolicyComparison> all_pairs(std::span<const PolicyRuns> policies, double level) {
  std::vector<PolicyComparison> list;
  for (std::size_t i = 0; i < policies.size(); ++i) {
    for (std::size_t j = i + 1; j < policies.size(); ++j) {
      list.push_back(compare_pair(policies[i], policies[j], level));
    }
  }
  return list;
}

std::vector<PolicyComparison> against(std::span<const PolicyRuns> policies,
                                      const ComparisonOptions& options) {
  const auto base = std::ranges::find(policies, options.baseline, &PolicyRuns::policy);
  if (base == policies.end()) {
    std::vector<std::string> names;
    for (const PolicyRuns& runs : policies) names.push_back(runs.policy);
    throw InputError({}, "there is no run of the baseline '" + options.baseline + "'",
                     name_hint(options.baseline, names));
  }
  std::vector<PolicyComparison> list;
  for (const PolicyRuns& runs : policies) {
    if (&runs != &*base) list.push_back(compare_pair(runs, *base, options.level));
  }
  return list;
}

DifferenceEstimate estimate_of(const stats::BootstrapResult& result) {
  return {.value = result.estimate, .interval = result.interval};
}

}  // namespace

MeanEstimate estimate_mean(std::span<const double> by_run, double level) {
  MeanEstimate result;
  result.runs = by_run.size();
  result.mean = stats::mean(by_run);
  if (by_run.size() == 1) {
    result.half_width = kInfinity;
    result.interval = {-kInfinity, kInfinity};
    return result;
  }
  result.interval = stats::mean_interval(by_run, level);
  result.half_width = result.interval.width() / 2;
  return result;
}

std::vector<PolicyComparison> compare_policies(std::span<const PolicyRuns> policies,
                                               const ComparisonOptions& options) {
  check_runs(policies);
  std::vector<PolicyComparison> list =
      options.baseline.empty() ? all_pairs(policies, options.level) : against(policies, options);
  std::vector<double> p;
  for (const PolicyComparison& pair : list) p.push_back(pair.p);
  const std::vector<double> adjusted = stats::holm_adjusted(p);
  for (std::size_t i = 0; i < list.size(); ++i) {
    list[i].p_adjusted = adjusted[i];
    if (adjusted[i] > 1 - options.level || list[i].difference == 0) continue;
    list[i].verdict = list[i].difference < 0 ? ComparisonVerdict::first_less : ComparisonVerdict::second_less;
  }
  return list;
}

DifferenceEstimate bootstrap_difference(std::span<const double> first, std::span<const double> second,
                                        const Rng& rng, double level) {
  if (first.size() != second.size()) throw InputError("pairs of runs need as many of one as of the other");
  std::vector<double> differences(first.size());
  for (std::size_t i = 0; i < first.size(); ++i) differences[i] = first[i] - second[i];
  const auto statistic = [](std::span<const double> sample) { return stats::mean(sample); };
  return estimate_of(stats::bootstrap(differences, statistic, rng, {.level = level}));
}

}  // namespace sextant::simulate
