// Which factors matter: adjusted R^2 of the model, shared out fairly. A factor's share is its Shapley value:
// what it adds to the terms of the factors before it, averaged over all orders (Lindeman, Merenda and Gold
// 1980). Interactions are shared by the factors in them, and shares add up to the whole whatever the design.
#pragma once

#include <string>
#include <vector>

#include "sextant/analysis/anova.h"

namespace sextant::analysis {

struct FactorImportance {
  std::string factor;
  double share = 0;  // of the variance; of a factor without effect about 0, and as often below
  double alone = 0;  // adjusted R^2 of this factor by itself
  double last = 0;   // what it adds to all others
};

struct Importance {
  std::vector<FactorImportance> factors = {};  // largest share first
  double explained = 0;                        // sum of the shares
  bool adjusted = true;                        // false: as many parameters as runs, so R^2 itself
};

// With interactions up to `order`; all subsets of at most 12 factors are fitted, more are an InputError.
inline constexpr std::size_t kMostImportanceFactors = 12;
Importance importance(const AnalysisTable& table, int order);

}  // namespace sextant::analysis
