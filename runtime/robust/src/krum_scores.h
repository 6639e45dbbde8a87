// Krum's score (Blanchard et al., NIPS 2017): the sum of squared distances to the n - f - 2 nearest other
// updates. Small is good.
#pragma once

#include <vector>

#include "pair_distances.h"
#include "sextant/robust/rule.h"

namespace sextant::robust {

// Of the updates `among`, each counting the nearest of those only; at least one neighbour.
std::vector<double> krum_scores(const PairDistances& distances, const std::vector<std::size_t>& among,
                                std::size_t attackers);

// Of all updates.
std::vector<double> krum_scores(const PairDistances& distances, std::size_t attackers);

// Places of the `count` smallest values, the smallest first; of equals the first.
std::vector<std::size_t> smallest(const std::vector<double>& values, std::size_t count);

// The mean of the chosen updates, and their weights in `out`; scores are for all.
struct Selection {
  std::vector<std::size_t> chosen = {};
  std::vector<double> scores = {};
};
void average_selected(const Updates& updates, const Selection& selection, std::size_t threads,
                      Aggregation& out);

}  // namespace sextant::robust
