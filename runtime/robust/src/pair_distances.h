// Squared Euclidean distances between all pairs of updates, n^2 d / 2 subtractions: blocks of coordinates
// that stay in cache, tiles of rows that stay in registers. Differences are squared rather than taken apart
// into products, which would lose the distances between updates that are long and close together.
#pragma once

#include <span>
#include <vector>

#include "sextant/robust/updates.h"

namespace sextant::robust {

class PairDistances {
 public:
  // `scales`: what each update is multiplied with before; empty: nothing.
  PairDistances(const Updates& updates, std::size_t threads, std::span<const double> scales = {});
  [[nodiscard]] std::size_t size() const { return n_; }
  // Infinite where the square does not fit into a float.
  [[nodiscard]] double squared(std::size_t i, std::size_t j) const { return values_[i * n_ + j]; }

 private:
  std::size_t n_;
  std::vector<double> values_;
};

}  // namespace sextant::robust
