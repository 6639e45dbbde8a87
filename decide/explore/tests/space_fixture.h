// Factors for tests in one line each.
#pragma once

#include <string>
#include <vector>

#include "sextant/explore/space.h"

namespace sextant::explore::test {

inline SearchFactor integer_factor(const std::string& name, double low, double high) {
  return {.name = name, .kind = FactorKind::integer, .low = low, .high = high};
}
inline SearchFactor real_factor(const std::string& name, double low, double high) {
  return {.name = name, .kind = FactorKind::real, .low = low, .high = high};
}
inline SearchFactor categorical_factor(const std::string& name, std::vector<std::string> levels) {
  return {.name = name, .kind = FactorKind::categorical, .levels = std::move(levels)};
}
inline SearchFactor ordinal_factor(const std::string& name, std::vector<std::string> levels) {
  return {.name = name, .kind = FactorKind::ordinal, .levels = std::move(levels)};
}

// k factors of the levels 0 and 1.
inline SearchSpace two_level_space(std::size_t k) {
  std::vector<SearchFactor> factors;
  for (std::size_t i = 0; i < k; ++i) factors.push_back(integer_factor("x" + std::to_string(i), 0, 1));
  return {std::move(factors), {}};
}

}  // namespace sextant::explore::test
