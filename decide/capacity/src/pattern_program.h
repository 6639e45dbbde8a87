// The linear program over all patterns of nodes (node_patterns.h), by column generation: it knows that nodes
// are shared by few jobs and that there are only so many of them. Any worths of jobs bound the cost (Lasdon,
// 1970): their sum, less what the best patterns of that many nodes gain by them. Where nodes differ, or jobs
// may not run everywhere, the bound holds all the same and is less tight. The patterns that the program takes
// whole, which are most of them, are the best part of a layout that is known.
#pragma once

#include <vector>

#include "layout.h"
#include "node_patterns.h"

namespace sextant::capacity {

struct TakenPattern {
  double share = 0;  // of a whole
  std::vector<PatternItem> items = {};
};

struct PatternPlan {
  double bound = 0;                         // USD
  std::vector<TakenPattern> patterns = {};  // the largest shares first
};

// `cheapest`: USD by job, of which no job costs less; their sum is where the bound starts. `known`: a layout
// whose patterns the program begins with.
PatternPlan solved_patterns(const CostModel& model, std::vector<double> cheapest, const Layout& known);

}  // namespace sextant::capacity
