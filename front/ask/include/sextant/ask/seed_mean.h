// A mean over runs, with its interval where there are enough of them.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace sextant::ask {

struct SeedMean {
  double mean = 0;                        // not a number where a run has no value
  std::optional<double> half_width = {};  // of its 95 % interval; nothing with too few runs
};

// `fewest`: so many runs have an interval.
SeedMean seed_mean(const std::vector<double>& values, std::size_t fewest);

}  // namespace sextant::ask
