// The median of repeated measurements and how well it is known; how many first iterations to leave out.
// Formulas, sources and limits: docs/models/measurement-statistics.md.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sextant/stats/interval.h"

namespace sextant::measure {

// From order statistics: no assumption but that values are drawn independently. [0, infinity] below six
// values, which cannot give 95 %.
stats::Interval order_statistic_interval(std::span<const double> values, double level = 0.95);

struct MedianEstimate {
  double median = 0;         // of all values
  stats::Interval interval;  // 95 %
  bool by_rounds = false;    // Student's t over medians of rounds; else order statistics of all values
};
// Three rounds or more count as blocks: iterations of one round share its luck. No values: InputError.
MedianEstimate estimate_median(const std::vector<std::vector<double>>& rounds);

struct SettledFrom {
  std::size_t drop = 0;  // first iterations to leave out
  bool settled = true;   // false: MSER-5 would rather leave out more than half
};
// The larger of what was asked for and what MSER-5 finds; at least half of the values stay.
SettledFrom settled_from(std::span<const double> times, std::int64_t warmup);

}  // namespace sextant::measure
