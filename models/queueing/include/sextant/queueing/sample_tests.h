// Do times follow a distribution, are they independent, is their level constant? Each p value is the
// probability of a sample at least as far off when they do.
#pragma once

#include <cstddef>
#include <span>

#include "sextant/core/rng.h"
#include "sextant/queueing/distribution.h"
#include "sextant/stats/hypothesis.h"

namespace sextant::queueing {

// Largest distance between the empirical and the given distribution function; the sample ascending.
double kolmogorov_distance(std::span<const double> sorted, const Distribution& distribution);

struct KolmogorovTest {
  double distance = 0;
  double p = 1;  // (1 + replicates at least as far off) / (1 + replicates)
};
// Kolmogorov-Smirnov with estimated parameters (Lilliefors 1967, 1969), its p value by parametric bootstrap:
// samples of the fitted distribution are fitted again and measured the same way. Replicate i draws from the
// stream ("kolmogorov", i). A constant that fits has p 1.
KolmogorovTest kolmogorov_test(std::span<const double> values, Family family, const Rng& rng,
                               std::size_t replicates = 499);

// Chi-square over 2 n^0.4 cells of equal probability, at least 5 values in each; a degree of freedom less
// for each estimated parameter. InputError when too few values leave no degree of freedom.
stats::ChiSquareTest equiprobable_test(std::span<const double> values, const Distribution& fitted);

struct SerialTest {
  double correlation = 0;  // of the ranks of neighbours
  double p = 1;            // two-sided
};
// Rank version of von Neumann's ratio (Bartels 1982): holds for any distribution. At least 10 values; all
// equal values are taken as independent.
SerialTest serial_test(std::span<const double> values);

struct LevelTest {
  std::size_t periods = 0;
  double statistic = 0;  // Kruskal-Wallis H
  double p = 1;
  double share = 0;  // of the variance of the ranks that the periods explain, H / (n - 1)
};
// Is the level the same in consecutive periods of as many values each, ten of them or of 20 values at least?
// Kruskal and Wallis (1952) with ties, so any renewal process passes, bursty or not. At least 10 values.
LevelTest level_test(std::span<const double> values);

}  // namespace sextant::queueing
