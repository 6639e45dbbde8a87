// How many repetitions show a difference that is there: power of the two-sample t test (noncentral t, both
// tails) and of the one-way F test (noncentral F), and the least number per group that reaches a power.
// Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988.
#pragma once

#include <cstdint>
#include <optional>

namespace sextant::stats {

struct PowerQuestion {
  double difference = 0;  // between the two means; of several groups: between the least and the largest
  double sd = 0;          // within a group, positive
  double level = 0.95;    // 1 - chance of a false alarm
  std::int64_t groups =
      2;  // at least 2; with more than two the other means lie in the middle, the worst case
};

// n per group, at least 2. InputError for what is not finite or out of range.
double power_of(const PowerQuestion& question, std::int64_t n);
// Least n per group with power_of() >= power; nothing where more than a million would be needed.
std::optional<std::int64_t> repetitions_for(const PowerQuestion& question, double power);
}  // namespace sextant::stats
