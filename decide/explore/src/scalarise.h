// Several objectives as one: the augmented Chebyshev function of ParEGO (Knowles, IEEE Trans. Evolutionary
// Computation 10, 2006) with weights drawn anew for every trial, so that any strategy for one objective walks
// along the whole front. Page: docs/models/search-strategies.md.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sextant/explore/search_strategy.h"

namespace sextant::explore {

// Weights of the objectives for the next of `trials` trials: uniform on the simplex.
std::vector<double> objective_weights(std::size_t objectives, std::uint64_t seed, std::uint64_t trials);
// A lattice of weights that leaves no objective out: k (k + 1) / 2 of them for k objectives.
std::vector<std::vector<double>> weight_lattice(std::size_t objectives);
// max(w f) + 0.05 sum(w f): without the sum, points that are weakly dominated would do as well.
double augmented_chebyshev(std::span<const double> weights, std::span<const double> scaled);

// What losses are scaled over, to 0..1: all completed trials, or those of the front. Over the front, others
// are beyond, and 1 is added to the function: a share of it is then about that share of the front's extent.
enum class ScaledOver { completed, front };

// The search with one objective to minimise, the augmented Chebyshev function of scaled losses. Earlier
// studies are scaled by themselves; a prior is of one objective and left out. A trial that lacks a metric has
// failed.
struct OneObjective {
  SearchProblem problem;
  std::vector<Trial> trials;
};
OneObjective one_objective(const SearchView& view, std::span<const double> weights, ScaledOver over);
// The search for the best of one of the objectives, as it is measured.
OneObjective objective_alone(const SearchView& view, std::size_t index);

}  // namespace sextant::explore
