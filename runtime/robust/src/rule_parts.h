// What several rules declare and decide in the same way.
#pragma once

#include <algorithm>
#include <vector>

#include "sextant/robust/rule.h"

namespace sextant::robust {

// Of every rule that has to be told how many attackers there are.
inline ParameterInfo attackers_parameter() {
  return number_parameter("f", "attackers to withstand: below 1 a share of the updates, from 1 on a count",
                          {.fallback = 0.2, .low = 0, .high = 1e6});
}
// Of every rule.
inline ParameterInfo bucket_parameter() {
  return count_parameter("bucket",
                         "updates that are averaged, in a random order, before the rule sees them; 1: none",
                         {.fallback = 1, .low = 1, .high = 1e6});
}

// Breakdown points.
inline std::size_t none_of(std::size_t) {
  return 0;
}
inline std::size_t less_than_half(std::size_t n) {
  return n == 0 ? 0 : (n - 1) / 2;
}
inline std::size_t all_but_one(std::size_t n) {
  return n == 0 ? 0 : n - 1;
}
inline std::size_t krum_bound(std::size_t n) {
  return n < 3 ? 0 : (n - 3) / 2;
}
inline std::size_t bulyan_bound(std::size_t n) {
  return n < 3 ? 0 : (n - 3) / 4;
}

}  // namespace sextant::robust
