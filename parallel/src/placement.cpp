#include <algorithm>
#include <numeric>

#include "sextant/parallel/strategy.h"

namespace sextant {

Placement Placement::packed(std::int64_t total, std::int64_t per_node) {
  Placement placement;
  for (std::int64_t left = total; left > 0; left -= per_node) {
    placement.gpus.push_back(std::min(left, per_node));
  }
  return placement;
}

std::int64_t Placement::total() const {
  return std::accumulate(gpus.begin(), gpus.end(), std::int64_t{0});
}

std::int64_t Placement::nodes() const {
  return std::ranges::count_if(gpus, [](std::int64_t n) { return n > 0; });
}

std::int64_t Placement::fullest() const {
  return gpus.empty() ? 0 : *std::ranges::max_element(gpus);
}

}  // namespace sextant
