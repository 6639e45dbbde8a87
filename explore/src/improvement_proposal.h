// The step that model-based strategies share: the untried configuration with the largest expected improvement
// under an ensemble, weighed by the chance that it meets the limits.
#pragma once

#include "search_data.h"
#include "search_pool.h"

namespace sextant {

// At least one trial completed. The proposal takes its configuration out of the pool. Its `stop` is left to
// the caller.
Proposal improvement_proposal(const SearchView& view, SearchPool& pool, const SearchData& data,
                              EnsembleInput input);

// While nothing has completed: as far from all trials as can be.
Proposal farthest_proposal(const SearchView& view, SearchPool& pool);

}  // namespace sextant
