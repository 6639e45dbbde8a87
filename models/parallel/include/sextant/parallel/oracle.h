// The oracle: every strategy with every factorisation of the devices, the fastest first, and for those that
// cannot be used the reason (Kahira et al., HPDC 2021).
#pragma once

#include <span>
#include <vector>

#include "sextant/parallel/parallel_strategy.h"

namespace sextant::parallel {

struct Candidate {
  ParallelChoice choice;
  ParallelResult result;
};

// The fastest variant that fits the memory; else the one that exceeds it least; else one that says why
// there is none.
Candidate best_variant(const ParallelStrategyInfo& strategy, const ParallelQuery& query);

// The same over all synchronous strategies: a stale gradient is not worth a fresh one, so who wants one has
// to name it. A strategy takes the place of a simpler one only if it is some per cent faster, and is not
// tried where not even a perfect split of the work would be.
Candidate best_strategy(const ParallelQuery& query);

// Those that fit the memory by step time, then those that do not fit, then those that cannot be used.
void rank(std::vector<Candidate>& candidates);

// The one that best_variant() would take. At least one.
const Candidate& best_of(std::span<const Candidate> candidates);

}  // namespace sextant::parallel
