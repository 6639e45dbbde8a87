// The draws of the workload generator: instants of arrival, durations, and values with weights.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "sextant/core/rng.h"
#include "sextant/jobs/generator.h"

namespace sextant::jobs {

// A place in a list, with probability in proportion to its weight; one uniform number a draw.
class WeightedDraw {
 public:
  explicit WeightedDraw(const std::vector<double>& weights);

  [[nodiscard]] std::size_t at(double uniform) const {
    const auto found = std::ranges::upper_bound(sums_, uniform * sums_.back());
    return std::min(static_cast<std::size_t>(found - sums_.begin()), last_);
  }

 private:
  std::vector<double> sums_;
  std::size_t last_ = 0;  // place of the last weight above zero, where rounding may not lead past
};

template <class Value>
WeightedDraw draw_of(const WeightedValues<Value>& values) {
  std::vector<double> weights;
  for (const auto& [value, weight] : values) weights.push_back(weight);
  return WeightedDraw(weights);
}

// Never falling, the first 0.
std::vector<double> draw_arrivals(const Generator& generator, const Rng& root);

double draw_duration(const DurationLaw& law, std::int32_t gpus, Rng& rng);

// Gavel's own draws: Python's Random(seed + 2) for the jobs and Random(seed + 3) for the gaps.
Trace generate_exactly(const Generator& generator, std::uint64_t seed, const ThroughputTable* table);

}  // namespace sextant::jobs
