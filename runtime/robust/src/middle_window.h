// Means of sorted values, many coordinates at once (sorted_columns.h).
#pragma once

#include <span>

#include "sorted_columns.h"

namespace sextant::robust {

// Of the ranks of a range.
void mean_of_ranks(const SortedBlock& block, RankRange range, std::span<float> out);

// Of the `keep` values closest to the median of n; of two equally close the smaller one.
void mean_closest_to_median(const SortedBlock& block, std::size_t n, std::size_t keep, std::span<float> out);

}  // namespace sextant::robust
