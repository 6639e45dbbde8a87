// The step that model-based strategies share: the untried configuration with the largest expected improvement
// under an ensemble, weighed by the chance that it is an answer at all.
#pragma once

#include "search_data.h"
#include "search_pool.h"

namespace sextant::explore {

enum class Failures {
  are_values,
  have_a_chance
};  // as values alone, or with a model of the chance to complete

struct ImprovementRequest {
  const SearchView& view;
  SearchPool& pool;        // the proposal takes its configuration out of it
  const SearchData& data;  // at least one trial completed
  EnsembleInput ensemble;
  Failures failures = Failures::are_values;
};
// Its `stop` is left to the caller.
Proposal improvement_proposal(ImprovementRequest request);

// While nothing has completed: as far from all trials as can be.
Proposal farthest_proposal(const SearchView& view, SearchPool& pool);
// As far from all trials as can be within the inner half of the space: what is farthest of all is a corner.
Proposal inner_proposal(const SearchView& view, SearchPool& pool);

}  // namespace sextant::explore
