// Rules that decide at each coordinate by itself: the mean of the ranks in a range.
#pragma once

#include <cmath>

#include "flat_math.h"
#include "middle_window.h"
#include "sextant/robust/rule.h"

namespace sextant::robust {

inline void aggregate_ranks(const Updates& updates, RankRange range, std::size_t threads, Aggregation& out) {
  const std::size_t n = updates.size();
  out.values.resize(updates.dimension);
  for_sorted_columns(updates, range, threads, [&](const SortedBlock& block) {
    mean_of_ranks(block, range, std::span(out.values).subspan(block.first, block.count));
  });
  const std::vector<double> far = squared_distances(updates, out.values, threads);
  out.verdicts.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    out.verdicts[i] = {.weight = 1 / static_cast<double>(n), .score = std::sqrt(far[i])};
  }
}

}  // namespace sextant::robust
