// What a model-based strategy chooses from: all that was not tried, or where that is too much, a spread
// sample, the corners, and small changes of the best trials.
#pragma once

#include "feature_map.h"
#include "sextant/explore/strategy.h"

namespace sextant {

struct SearchPool {
  FeatureMap features;                 // the same at every ask of a study
  std::vector<Configuration> sample;   // that it was made from: covers the space, tried ones included
  std::vector<Configuration> untried;  // to choose from; empty: the space is exhausted
};

// `good`: trials to vary, the best first.
SearchPool search_pool(const SearchView& view, std::size_t most, std::span<const std::size_t> good);

}  // namespace sextant
