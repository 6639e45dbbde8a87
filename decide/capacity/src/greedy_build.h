// The greedy of ANDREAS (Filippini et al., 2021), written anew from its description: jobs by pressure, each
// with the cheapest configuration that keeps its due date, on nodes that are opened as the largest machine of
// their GPU and made smaller in the end. Its randomised form draws neighbours in the order and configurations
// below the best.
#pragma once

#include <cstdint>
#include <vector>

#include "layout.h"
#include "sextant/core/rng.h"

namespace sextant::capacity {

// Those that keep the due date by their price, then the others by their time.
std::vector<std::int32_t> options_in_order(const CostModel& model, std::int32_t job);

// Most pressed first: by what the fastest option would miss the due date by.
std::vector<std::int32_t> jobs_by_pressure(const CostModel& model);

// Machine types with the same GPU, smallest first.
std::vector<std::int32_t> types_like(const Snapshot& snapshot, std::int32_t type);

Layout greedy_layout(const CostModel& model);

struct Randomness {
  double swap = 0.2;   // chance that two neighbours in the order change places
  double theta = 0.3;  // an option of rank r is taken with a weight of exp(-r / theta)
};
Layout random_layout(const CostModel& model, const Randomness& randomness, Rng& rng);

// Nodes with idle GPUs become the cheapest machine that holds their jobs; what still idles goes to the job of
// the node that gains most time by it, if that does not cost more.
void repair(Layout& layout);

}  // namespace sextant::capacity
