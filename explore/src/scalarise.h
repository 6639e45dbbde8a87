// Several objectives as one: the augmented Chebyshev function of ParEGO (Knowles, IEEE Trans. Evolutionary
// Computation 10, 2006) with weights drawn anew for every trial, so that any strategy for one objective walks
// along the whole front. Page: docs/models/search-strategies.md.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sextant/explore/strategy.h"

namespace sextant {

// Weights of the objectives for the next of `trials` trials: uniform on the simplex.
std::vector<double> objective_weights(std::size_t objectives, std::uint64_t seed, std::uint64_t trials);
// max(w f) + 0.05 sum(w f): without the sum, points that are weakly dominated would do as well.
double augmented_chebyshev(std::span<const double> weights, std::span<const double> scaled);

// The search with one objective to minimise: losses, each scaled to 0..1 over the completed trials, under the
// weights of the next trial. Earlier studies are scaled by themselves; a prior is of one objective and left
// out. A trial that lacks a metric has failed.
struct OneObjective {
  SearchProblem problem;
  std::vector<SearchTrial> trials;
};
OneObjective one_objective(const SearchView& view);

// A strategy for one objective that is asked about several.
std::unique_ptr<SearchStrategy> with_several_objectives(std::unique_ptr<SearchStrategy> strategy);

}  // namespace sextant
