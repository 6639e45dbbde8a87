// What runs with several seeds say: means with their intervals, and which policy is better. Every policy sees
// the same jobs with the same seed, so policies are compared by pairs (Law, Simulation Modeling and Analysis,
// ch. 10), and many comparisons at once are paid for (Holm 1979).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sextant/core/rng.h"
#include "sextant/stats/interval.h"

namespace sextant::simulate {

struct MeanEstimate {
  std::size_t runs = 0;
  double mean = 0;
  double half_width = 0;  // of Student's t-interval; infinite for one run
  stats::Interval interval = {};
};
// InputError for no runs, and for values that are not finite: a run where nothing completed has no mean.
MeanEstimate estimate_mean(std::span<const double> by_run, double level = 0.95);

// Values of one measure by seed, in the same order of seeds for every policy.
struct PolicyRuns {
  std::string policy;
  std::vector<double> by_seed = {};
};

enum class ComparisonVerdict { undecided, first_less, second_less };

struct PolicyComparison {
  std::string first;
  std::string second;
  double first_mean = 0;
  double second_mean = 0;
  double ratio = 0;               // of the means, first over second; NaN where that is 0/0
  double difference = 0;          // mean of first - second, seed by seed
  stats::Interval interval = {};  // of the difference, this pair alone
  double p = 1;                   // two-sided, paired t
  double p_adjusted = 1;          // by Holm, over all comparisons of the call
  ComparisonVerdict verdict = ComparisonVerdict::undecided;  // by p_adjusted at the level
};

// All pairs, first before second in the order given; with a baseline, each of the others against it.
struct ComparisonOptions {
  std::string baseline = {};  // a policy of the list; empty: all pairs
  double level = 0.95;
};
// At least two policies with the same number of seeds, at least two. InputError names the policy.
std::vector<PolicyComparison> compare_policies(std::span<const PolicyRuns> policies,
                                               const ComparisonOptions& options = {});

struct DifferenceEstimate {
  double value = 0;
  stats::Interval interval = {};  // bootstrap (BCa)
};
// Mean over seeds of first - second by resampling seeds: for tail quantiles, whose differences are skewed.
DifferenceEstimate bootstrap_difference(std::span<const double> first, std::span<const double> second,
                                        const Rng& rng, double level = 0.95);

}  // namespace sextant::simulate
