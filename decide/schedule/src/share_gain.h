// Share programs that collect a gain: work and what it costs.
#pragma once

#include "share_policy.h"

namespace sextant::schedule {

// Dollars per hour of all GPUs of a job on a type; where a price is not known, all count as 1.
std::vector<double> dollars_per_hour(const ShareProblem& problem, const ShareProgram& program);

// The gain of Gavel's cost policy: speed divided by the price of one GPU of the type.
void set_speed_per_price(const ShareProblem& problem, ShareProgram& program);

// Shares of the largest ratio of gain to cost among those that meet the floors of the program: Dinkelbach's
// method (1967), which solves a program with gain - ratio * cost until nothing is left of it. Returns the
// ratio.
struct RatioProgram {
  ShareProgram program = {};      // its gain is set here
  std::vector<double> gain = {};  // [job][type]
  std::vector<double> cost = {};  // [job][type], positive
};
double maximise_ratio(RatioProgram& ratio, ShareSimplex& simplex, ShareOptimum& out);

}  // namespace sextant::schedule
