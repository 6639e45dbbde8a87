// The values of all updates at each coordinate, in ascending order. A network of comparisons (Batcher's merge
// exchange; Knuth, volume 3, 5.2.2 M) sorts many coordinates at once, without branches; comparisons that no
// wanted rank depends on are left out.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "sextant/robust/updates.h"

namespace sextant::robust {

// Ranks from 0, both ends included.
struct RankRange {
  std::size_t first = 0;
  std::size_t last = 0;
};

// A block of coordinates. The value of rank r at coordinate first + k is ranks[r * width + k].
struct SortedBlock {
  const float* ranks = nullptr;
  std::size_t width = 0;  // a multiple of kFloatLanes, the same for all blocks; behind `count` lie zeros
  std::size_t first = 0;
  std::size_t count = 0;
};

constexpr std::size_t kMostSortedWidth = 64;

void for_sorted_columns(const Updates& updates, RankRange wanted, std::size_t threads,
                        const std::function<void(const SortedBlock& block)>& work);

}  // namespace sextant::robust
