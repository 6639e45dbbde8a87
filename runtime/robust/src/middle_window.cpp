#include "middle_window.h"

#include <algorithm>
#include <array>

#include "flat_math.h"

namespace sextant::robust {
namespace {

using Sums = std::array<double, kMostSortedWidth>;
using Column = std::array<float, kMostSortedWidth>;

void medians(const SortedBlock& block, std::size_t n, Column& median) {
  const float* lower = block.ranks + (n - 1) / 2 * block.width;
  const float* upper = block.ranks + n / 2 * block.width;
  for (std::size_t k = 0; k < block.width; ++k) median[k] = lower[k] * 0.5F + upper[k] * 0.5F;
}

}  // namespace

void mean_of_ranks(const SortedBlock& block, RankRange range, std::span<float> out) {
  Sums sum = {};
  for (std::size_t r = range.first; r <= range.last; ++r) {
    const float* values = block.ranks + r * block.width;
    for (std::size_t k = 0; k < block.width; ++k) sum[k] += static_cast<double>(values[k]);
  }
  const auto count = static_cast<double>(range.last - range.first + 1);
  for (std::size_t k = 0; k < block.count; ++k) out[k] = finite_float(sum[k] / count);
}

// The closest values are neighbours in the order: of all windows of that length, the one whose farther end is
// nearest.
void mean_closest_to_median(const SortedBlock& block, std::size_t n, std::size_t keep, std::span<float> out) {
  Column median = {};
  medians(block, n, median);
  Column reach = {};
  std::array<std::size_t, kMostSortedWidth> start = {};
  for (std::size_t s = 0; s + keep <= n; ++s) {
    const float* low = block.ranks + s * block.width;
    const float* high = block.ranks + (s + keep - 1) * block.width;
    for (std::size_t k = 0; k < block.width; ++k) {
      const float far = std::max(median[k] - low[k], high[k] - median[k]);
      const bool nearer = s == 0 || far < reach[k];
      reach[k] = nearer ? far : reach[k];
      start[k] = nearer ? s : start[k];
    }
  }
  Sums sum = {};
  for (std::size_t r = 0; r < n; ++r) {
    const float* values = block.ranks + r * block.width;
    for (std::size_t k = 0; k < block.width; ++k) {
      if (r - start[k] < keep)
        sum[k] += static_cast<double>(values[k]);  // unsigned: below the start is large
    }
  }
  for (std::size_t k = 0; k < block.count; ++k) out[k] = finite_float(sum[k] / static_cast<double>(keep));
}

}  // namespace sextant::robust
