// What runs measured, in their order, whatever kind of runs they are.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace sextant::ask {

template <class Run, class Measure>
std::vector<double> seed_values(const std::vector<const Run*>& runs, const Measure& measure) {
  std::vector<double> values;
  for (const Run* run : runs) values.push_back(static_cast<double>(measure(*run)));
  return values;
}

inline bool all_finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
}

}  // namespace sextant::ask
