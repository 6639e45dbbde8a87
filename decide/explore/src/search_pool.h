// What a model-based strategy chooses from: all that was not tried, or where that is too much, a spread
// sample, the corners, and small changes of the best trials.
#pragma once

#include "feature_map.h"
#include "sextant/explore/search_strategy.h"

namespace sextant::explore {

struct SearchPool {
  FeatureMap features;                 // the same at every ask of a study
  std::vector<Configuration> sample;   // that it was made from: covers the space, tried ones included
  std::vector<Configuration> untried;  // to choose from; empty: the space is exhausted
};

struct PoolRequest {
  std::size_t most = 5000;
  std::vector<Configuration> good = {};  // to vary, the best first
  Totals totals = Totals::added;
};
SearchPool search_pool(const SearchView& view, const PoolRequest& request);

}  // namespace sextant::explore
