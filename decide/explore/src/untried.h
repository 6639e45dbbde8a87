// What strategies may still propose: configurations that were not tried and do not run.
#pragma once

#include "sextant/explore/configuration_set.h"
#include "sextant/explore/search_strategy.h"

namespace sextant::explore {

// Configurations of the trials of a view.
class TriedConfigurations {
 public:
  explicit TriedConfigurations(const SearchView& view);
  [[nodiscard]] bool contains(const Configuration& configuration) const {
    return (given_ != nullptr ? *given_ : made_).contains(configuration);
  }

 private:
  const ConfigurationSet* given_;
  ConfigurationSet made_;
};

// Drawn like SearchSpace::draw(), without those tried; nothing when there is no other.
std::optional<Configuration> draw_untried(const SearchView& view, Rng& rng);

// candidates() of the space without those tried: `most`, and up to as many more as there are trials. Nothing
// is left only where the space is exhausted.
std::vector<Configuration> untried_candidates(const SearchView& view, std::size_t most, Rng& rng);

}  // namespace sextant::explore
