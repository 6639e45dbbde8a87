// What runs measured, in their order, whatever kind of runs they are.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sextant/ask/seed_mean.h"

namespace sextant::ask {

template <class Run, class Measure>
std::vector<double> seed_values(const std::vector<const Run*>& runs, const Measure& measure) {
  std::vector<double> values;
  for (const Run* run : runs) values.push_back(static_cast<double>(measure(*run)));
  return values;
}

// Means of what runs measured; so many runs have an interval.
template <class Run>
class OverSeeds {
 public:
  OverSeeds(const std::vector<const Run*>& runs, std::size_t fewest) : runs_(runs), fewest_(fewest) {}

  template <class Measure>
  [[nodiscard]] SeedMean interval(const Measure& measure) const {
    return seed_mean(seed_values(runs_, measure), fewest_);
  }
  template <class Measure>
  [[nodiscard]] double mean(const Measure& measure) const {
    return interval(measure).mean;
  }

 private:
  const std::vector<const Run*>& runs_;
  std::size_t fewest_;
};

inline bool all_finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
}

// Of a sweep that somebody stopped.
template <class Run>
std::string interrupted_text(const std::vector<Run>& runs) {
  return "interrupted: " + std::to_string(std::ranges::count_if(runs, &Run::done)) + " of " +
         std::to_string(runs.size()) + " runs were done";
}

}  // namespace sextant::ask
