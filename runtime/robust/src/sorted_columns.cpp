#include "sorted_columns.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "in_blocks.h"
#include "vector_lanes.h"

namespace sextant::robust {
namespace {

constexpr std::size_t kCacheFloats = 6144;  // 24 KiB: a block stays in the first cache
constexpr std::size_t kPieceOfColumns = 4096;

struct Comparison {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
};

std::vector<Comparison> merge_exchange(std::size_t n) {
  std::vector<Comparison> network;
  if (n < 2) return network;
  const std::size_t top = std::bit_ceil(n) / 2;
  for (std::size_t p = top; p > 0; p /= 2) {
    std::size_t q = top;
    std::size_t r = 0;
    std::size_t d = p;
    while (true) {
      for (std::size_t i = 0; i + d < n; ++i) {
        if ((i & p) == r) {
          network.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i + d)});
        }
      }
      if (q == p) break;
      d = q - p;
      q /= 2;
      r = p;
    }
  }
  return network;
}

// What the wanted ranks depend on.
std::vector<Comparison> network_for(std::size_t n, RankRange wanted) {
  std::vector<Comparison> network = merge_exchange(n);
  std::vector<bool> needed(n, false);
  for (std::size_t r = wanted.first; r <= wanted.last; ++r) needed[r] = true;
  std::vector<Comparison> kept;
  for (auto each = network.rbegin(); each != network.rend(); ++each) {
    if (!needed[each->low] && !needed[each->high]) continue;
    needed[each->low] = true;
    needed[each->high] = true;
    kept.push_back(*each);
  }
  std::ranges::reverse(kept);
  return kept;
}

SEXTANT_ROBUST_CLONES void run_network(const std::vector<Comparison>& network, float* ranks,
                                       std::size_t width) {
  for (const Comparison& each : network) {
    float* low = ranks + each.low * width;
    float* high = ranks + each.high * width;
    for (std::size_t k = 0; k < width; k += kFloatLanes) {
      FloatLanes a;
      FloatLanes b;
      std::memcpy(&a, low + k, sizeof a);
      std::memcpy(&b, high + k, sizeof b);
      const FloatLanes smaller = a < b ? a : b;
      const FloatLanes larger = a < b ? b : a;
      std::memcpy(low + k, &smaller, sizeof smaller);
      std::memcpy(high + k, &larger, sizeof larger);
    }
  }
}

}  // namespace

void for_sorted_columns(const Updates& updates, RankRange wanted, std::size_t threads,
                        const std::function<void(const SortedBlock&)>& work) {
  const std::size_t n = updates.size();
  const std::vector<Comparison> network = network_for(n, wanted);
  const std::size_t width =
      std::clamp(kCacheFloats / n / kFloatLanes * kFloatLanes, kFloatLanes, kMostSortedWidth);
  for_blocks(updates.dimension, kPieceOfColumns, threads, [&](const Block& piece) {
    std::vector<float> ranks(n * width);
    for (std::size_t offset = 0; offset < piece.count; offset += width) {
      const std::size_t first = piece.first + offset;
      const std::size_t count = std::min(width, piece.count - offset);
      if (count < width) std::ranges::fill(ranks, 0.0F);
      for (std::size_t i = 0; i < n; ++i) {
        std::copy_n(updates.rows[i].values.data() + first, count, ranks.data() + i * width);
      }
      run_network(network, ranks.data(), width);
      work({.ranks = ranks.data(), .width = width, .first = first, .count = count});
    }
  });
}

}  // namespace sextant::robust
