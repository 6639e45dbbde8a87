// Share programs that collect a gain: work and what it costs.
#pragma once

#include <memory>

#include "share_policy.h"

namespace sextant::schedule {

// Dollars per hour of all GPUs of a job on a type; where a price is not known, all count as 1.
std::vector<double> dollars_per_hour(const ShareProblem& problem, const ShareProgram& program);

// The gain of Gavel's cost policy: speed divided by the price of one GPU of the type.
void set_speed_per_price(const ShareProblem& problem, ShareProgram& program);

// Policies of the largest sum of gains differ in what they set of the program alone: gains, and floors, which
// do not count where not all of them can be met.
using SetGains = void (*)(const ShareProblem& problem, ShareProgram& program);
std::unique_ptr<SharePolicy> make_gain_policy(SetGains set);

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
