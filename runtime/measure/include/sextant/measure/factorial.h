// Effects of factors in a full two-level design with replications (Box, Hunter, Hunter; Jain 1991, chapter
// 18): how much the response changes from the low to the high level, with its interval, and interactions of
// two.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sextant/stats/interval.h"

namespace sextant::measure {

struct FactorEffect {
  std::string factor;  // "workers", "workers x transport"
  std::string low;
  std::string high;
  double ratio = 1;                // response at high over response at low, geometric mean
  stats::Interval ratio_interval;  // 95 %
  double p_value = 1;
  double share = 0;  // of the variation
};

struct DesignPoint {
  std::vector<int> levels;        // 0 or 1 for each factor
  std::vector<double> responses;  // positive; replications
};
struct TwoLevelFactor {
  std::string name;
  std::string low;
  std::string high;
};

// Main effects and two-factor interactions of log response. InputError for points that are missing or
// repeated, and where no point has a replication, so that nothing says what chance does.
std::vector<FactorEffect> factor_effects(std::span<const TwoLevelFactor> factors,
                                         std::span<const DesignPoint> points);

}  // namespace sextant::measure
